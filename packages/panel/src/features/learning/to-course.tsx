/** Link from the form of a lesson or a group back to the outline of its course. */
import { Link } from '@tanstack/react-router'
import ListTree from 'lucide-react/icons/list-tree'
import { useT } from '../../lib/i18n.ts'
import { recordAddress } from '../../resource/screen-address.ts'
import type { FormSlotProps } from '../../resource/screen-parts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { courseOf } from './lesson/lesson-overview.tsx'
import { courseScreen } from './screens.ts'

export function ToCourse({ record }: Pick<FormSlotProps, 'record'>) {
  const t = useT()
  const course = record && courseOf(record)
  if (!course) return null
  return (
    <Link {...recordAddress(courseScreen, course.id)} className={buttonClass('plain')}>
      <ListTree size={16} aria-hidden />
      <span className="max-md:sr-only">{t('learning.toOutline')}</span>
    </Link>
  )
}

/** Links that add a lesson or a group to a course. */
import { resources } from '@dala/model'
import type { Outline, OutlineGroup } from '@dala/model/api/learning'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useT } from '../../../lib/i18n.ts'
import { type Address, newAddress } from '../../../resource/screen-address.ts'
import { useMay } from '../../../resource/use-may.ts'
import { buttonClass, type ButtonKind } from '../../../ui/button.tsx'
import { iconButtonClass } from '../../../ui/icon-button.tsx'
import { groupScreen, lessonScreen } from '../screens.ts'

/** Address of the form for a new lesson, which is added after the other lessons of its list. */
export function newLessonAddress(course: number, lessonCount: number, group?: OutlineGroup): Address {
  return newAddress(lessonScreen, {
    course: String(course),
    ...(group && { lessongroup: String(group.id) }),
    position: String(lessonCount + 1),
  })
}

interface AddLessonProps {
  course: number
  outline: Outline
  /** Target group of the new lesson; absent for lessons without a group. */
  group?: OutlineGroup | undefined
  variant?: ButtonKind
}

export function AddLesson({ course, outline, group, variant = 'plain' }: AddLessonProps) {
  const t = useT()
  const may = useMay(resources.lessons)
  if (!may('create')) return null
  const otherLessonCount = (group?.lessons ?? outline.lessons).length
  return (
    <Link {...newLessonAddress(course, otherLessonCount, group)} className={buttonClass(variant)}>
      <Plus size={18} aria-hidden />
      {t('action.addLesson')}
    </Link>
  )
}

/** Icon in the head of a group that adds a lesson to it. */
export function AddToGroup({ course, group }: { course: number; group: OutlineGroup }) {
  const t = useT()
  const may = useMay(resources.lessons)
  const label = t('learning.addLessonTo', { name: group.title })
  if (!may('create')) return null
  return (
    <Link
      {...newLessonAddress(course, group.lessons.length, group)}
      className={iconButtonClass}
      aria-label={label}
      data-tip={label}
    >
      <Plus size={18} aria-hidden />
    </Link>
  )
}

export function AddGroup({ course, outline }: { course: number; outline: Outline }) {
  const t = useT()
  const may = useMay(resources.lessongroups)
  if (!may('create')) return null
  const values = { course: String(course), position: String(outline.groups.length + 1) }
  return (
    <Link {...newAddress(groupScreen, values)} className={buttonClass('plain')}>
      <Plus size={18} aria-hidden />
      {t('learning.addGroup')}
    </Link>
  )
}

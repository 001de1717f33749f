/**
 * The lessons of one course as a list (requirements §2), and the form of a new lesson at the same address.
 */
import { resources, type Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import ListTree from 'lucide-react/icons/list-tree'
import { useTitleOf } from '../../fields/field-display.tsx'
import { useLocale, useT } from '../../lib/i18n.ts'
import { useNameRecord } from '../../lib/record-name.ts'
import { entryInLanguage } from '../../resource/entry-languages.ts'
import { FormScreen } from '../../resource/form/form-screen.tsx'
import { ListScreen } from '../../resource/list/list-screen.tsx'
import { RecordLoading, useRecord } from '../../resource/record/record-state.tsx'
import { recordAddress } from '../../resource/screen-address.ts'
import { buttonClass } from '../../ui/button.tsx'
import { lessonForm } from './lesson/lesson-form.tsx'
import { courseScreen } from './screens.ts'

export function CourseLessons({ screen, index = 'new' }: { screen: Screen; index?: string }) {
  if (index === 'new') return <FormScreen screen={screen} index="new" slots={lessonForm} />
  return <LessonsOfCourse screen={screen} index={index} />
}

function LessonsOfCourse({ screen, index }: { screen: Screen; index: string }) {
  const t = useT()
  const reader = useLocale()
  const titleOf = useTitleOf(resources.courses)
  const state = useRecord(resources.courses, index, reader)
  useNameRecord(state.record ? titleOf(entryInLanguage(state.record, reader)) : undefined)
  if (!state.record) return <RecordLoading screen={courseScreen} state={state} />
  const course = entryInLanguage(state.record, reader)
  const id = String(course.id)
  return (
    <ListScreen
      screen={screen}
      slots={{
        title: t('learning.lessonsOf', { name: titleOf(course) }),
        about: 'learning.lessonsOf.about',
        filters: { course: { $eq: id } },
        preset: { course: id },
        Actions: () => (
          <Link {...recordAddress(courseScreen, course.id)} className={buttonClass('plain')}>
            <ListTree size={18} aria-hidden />
            <span data-word="">{t('learning.toOutline')}</span>
          </Link>
        ),
      }}
    />
  )
}

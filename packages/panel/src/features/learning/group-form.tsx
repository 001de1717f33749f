/** Form of a lesson group, and below it the group's lessons in order. */
import type { Entry } from '@dala/model'
import { useLocale, useT } from '../../lib/i18n.ts'
import type { FormSlots } from '../../resource/screen-parts.ts'
import { courseHome } from './lesson/lesson-form.tsx'
import { courseOf } from './lesson/lesson-overview.tsx'
import { idInLanguage } from './lesson/texts.ts'
import { OutlineSheet } from './outline/outline.tsx'
import { ToCourse } from './to-course.tsx'

export const groupForm: FormSlots = {
  homeOf: courseHome,
  Actions: ToCourse,
  Below: GroupLessons,
}

function GroupLessons({ record }: { record: Entry | null }) {
  const t = useT()
  const reader = useLocale()
  const course = record ? courseOf(record) : undefined
  if (!record || !course) return <p className="mb-8 text-muted">{t('learning.groupAfterSave')}</p>
  return (
    <div className="mb-8">
      <OutlineSheet course={course.id} group={idInLanguage(record, reader)} />
    </div>
  )
}

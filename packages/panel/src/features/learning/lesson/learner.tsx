/** The published lesson for a learner: it continues where the learner stopped, and records progress. */
import type { Entry, Locale } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { viewedRole } from '../../../api/viewing.ts'
import { useT } from '../../../lib/i18n.ts'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { outlineQuery } from '../outline/api.ts'
import { LanguageScope } from './in-language.tsx'
import { LearnerPage } from './learner-page.tsx'
import { progressQuery } from './progress/api.ts'
import { useRecording } from './progress/use-recording.ts'
import { idInLanguage } from './texts.ts'

interface LessonForLearnerProps {
  record: Entry
  course: Entry | undefined
  language: Locale
}

export function LessonForLearner({ record, course, language }: LessonForLearnerProps) {
  const t = useT()
  const hasCourse = course !== undefined
  const outline = useQuery({ ...outlineQuery(course?.id ?? 0, language), enabled: hasCourse })
  const progressOptions = progressQuery(course?.id ?? 0, language)
  const progress = useQuery({ ...progressOptions, enabled: hasCourse })
  // No progress is recorded while the panel is viewed as another role.
  const isLearner = viewedRole() === undefined
  const { record: onProgress, isWaiting } = useRecording(
    idInLanguage(record, language),
    progressOptions.queryKey,
    isLearner,
  )
  // The video starts at the stored position, so the page waits for the learner's progress.
  if (progress.isLoading) {
    return (
      <DelayedContent>
        <Skeleton className="aspect-video w-full" />
      </DelayedContent>
    )
  }
  return (
    <div className="mb-8 grid gap-3">
      {isWaiting ? <output className="text-sm text-muted">{t('learning.progressWaits')}</output> : null}
      <LanguageScope language={language}>
        <LearnerPage
          record={record}
          course={course}
          language={language}
          outline={outline.data}
          onRetry={outline.isError ? () => void outline.refetch() : undefined}
          progress={progress.data}
          onProgress={onProgress}
          isPreview={false}
        />
      </LanguageScope>
    </div>
  )
}

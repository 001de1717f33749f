/** The page of a lesson as a learner sees it: content, link to the next lesson, and lessons of the course. */
import type { Entry, Locale } from '@dala/model'
import type { Outline } from '@dala/model/api/learning'
import type { CourseProgress } from '@dala/model/api/progress'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { formatPercent } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { lessonsOf, neighboursOf, placeOf } from '../outline/tree.ts'
import { useLessonAddress } from '../screens.ts'
import { Attachments } from './attachments.tsx'
import { LessonBody } from './body.tsx'
import { isLocked, LessonList } from './lesson-list.tsx'
import { Certificate, NextLesson, NextLessonOffer } from './next-lesson.tsx'
import type { RecordProgress } from './progress/use-recording.ts'
import { idInLanguage, textsOf } from './texts.ts'

export interface LearnerPageProps {
  record: Entry
  course: Entry | undefined
  language: Locale
  /** Outline of the course; undefined while it is loading, or when its request has failed. */
  outline: Outline | undefined
  /** Repeats the failed request of the outline. */
  onRetry: (() => void) | undefined
  progress: CourseProgress | undefined
  onProgress: RecordProgress | undefined
  isPreview: boolean
  /** Whether the page has the head that it has on a phone. */
  isPhone?: boolean
}

export function LearnerPage({ isPhone = false, ...props }: LearnerPageProps) {
  const { record, course, language, outline, onRetry, progress, onProgress, isPreview } = props
  const t = useT()
  const id = idInLanguage(record, language)
  const { next, previous } = outline ? neighboursOf(outline, id) : {}
  const isInOrder = course?.in_order === true && !isPreview
  const incompleteId = isInOrder ? progress?.lessons.find(({ completed }) => !completed)?.id : undefined
  const lockingLesson = outline && lessonsOf(outline).find((lesson) => lesson.id === incompleteId)
  const isClosed = outline !== undefined && isLocked(outline, lockingLesson, id)
  const isWholeDone = progress !== undefined && progress.certificate !== null
  return (
    <Sheet lang={language} className="@container min-w-0 overflow-clip">
      {isPhone ? <PhoneHead {...props} /> : null}
      <div className={course ? 'grid @min-[760px]:grid-cols-[minmax(0,1fr)_286px]' : 'grid'}>
        <div className="grid min-w-0 content-start gap-5 p-3.5 @min-[560px]:p-[22px]">
          {isClosed && lockingLesson ? (
            <LockedLesson lesson={lockingLesson} language={language} />
          ) : (
            <>
              <LessonBody
                record={record}
                language={language}
                progress={progress?.lessons.find((lesson) => lesson.id === id)}
                onProgress={onProgress}
                end={next ? <NextLessonOffer lesson={next} language={language} isAutomatic={!isPreview} /> : null}
              />
              <Attachments record={record} language={language} />
            </>
          )}
          {isWholeDone && !next && course ? <Certificate course={course.id} language={language} /> : null}
          {(next || previous) && !isClosed ? (
            <nav aria-label={t('learning.outline')} className="grid gap-2">
              {next ? <NextLesson lesson={next} language={language} /> : null}
              {previous ? <PreviousLesson lesson={previous} language={language} /> : null}
            </nav>
          ) : null}
        </div>
        {course ? (
          <aside
            aria-label={t('learning.outline')}
            className="border-t border-line p-5 @min-[760px]:border-s @min-[760px]:border-t-0"
          >
            {outline ? (
              <LessonList
                outline={outline}
                progress={progress}
                currentId={id}
                language={language}
                lockingLesson={lockingLesson}
              />
            ) : onRetry ? (
              <p role="alert" className="grid justify-items-start gap-1">
                <span className="text-danger-text">{t('learning.outlineFailed')}</span>
                <LinkButton onClick={onRetry}>{t('action.retry')}</LinkButton>
              </p>
            ) : (
              <DelayedContent>
                <div className="grid gap-3">
                  {[0, 1, 2, 3].map((row) => (
                    <Skeleton key={row} className="h-5 w-full" />
                  ))}
                </div>
              </DelayedContent>
            )}
          </aside>
        ) : null}
      </div>
    </Sheet>
  )
}

/** Head of a lesson's page on a phone: the course, its percentage, and the title of the lesson. */
function PhoneHead({ record, course, language, outline, progress }: LearnerPageProps) {
  const t = useT()
  const lessonPosition = outline && placeOf(outline, idInLanguage(record, language))
  const { title } = textsOf(record, language)
  return (
    <div className="border-b border-line px-3.5 py-2.5">
      <p className="flex items-baseline justify-between gap-3 font-semibold">
        <span className="min-w-0 truncate">{course ? String(course.title) : ''}</span>
        <span className="tabular-nums">{formatPercent(language, progress?.percent ?? 0)}</span>
      </p>
      <h2 lang={title.locale} className="text-lg font-semibold wrap-anywhere">
        {title.value}
      </h2>
      {lessonPosition?.group ? (
        <p lang={lessonPosition.group.locale} className="text-sm text-muted">
          {t('learning.placeInGroup', { group: lessonPosition.group.title, place: lessonPosition.index + 1 })}
        </p>
      ) : null}
    </div>
  )
}

type OtherLesson = Parameters<typeof NextLesson>[0]

function PreviousLesson({ lesson: { id, title, locale }, language }: OtherLesson) {
  const t = useT()
  const lessonAddress = useLessonAddress(language)
  return (
    <Link
      {...lessonAddress(id)}
      className="inline-flex min-h-9 items-center gap-2 justify-self-start text-brand-text hover:underline pointer-coarse:min-h-11"
    >
      <ArrowLeft size={16} aria-hidden className="mirrored shrink-0" />
      <span>
        {t('learning.previousLesson')} <span lang={locale}>{title}</span>
      </span>
    </Link>
  )
}

/**
 * Notice in a course with a fixed order: the learner must first complete another lesson, to which it links.
 */
function LockedLesson({ lesson: { id, title }, language }: OtherLesson) {
  const t = useT()
  const lessonAddress = useLessonAddress(language)
  return (
    <div className="grid gap-2">
      <h2 className="text-xl font-semibold">{t('learning.lockedTitle')}</h2>
      <p>{t('learning.lockedText', { name: title })}</p>
      <Link
        {...lessonAddress(id)}
        className="inline-flex min-h-6 items-center justify-self-start font-semibold text-brand-text hover:underline pointer-coarse:min-h-11"
      >
        {title}
      </Link>
    </div>
  )
}

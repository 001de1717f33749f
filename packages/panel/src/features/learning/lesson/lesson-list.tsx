/** The lessons of a course beside the lesson that is shown, with the learner's progress. */
import type { Locale } from '@dala/model'
import type { Outline, OutlineLesson } from '@dala/model/api/learning'
import type { CourseProgress } from '@dala/model/api/progress'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { formatPercent } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLessonAddress } from '../screens.ts'
import { lessonsOf } from '../outline/tree.ts'
import { clockText } from './player/times.ts'
import { StateMark, stateOf, type StudyState } from './progress/state-mark.tsx'

export interface LessonListProps {
  outline: Outline
  progress: CourseProgress | undefined
  /** Id of the lesson that the page shows. */
  currentId: number
  language: Locale
  /** First lesson that must be completed before later ones; undefined in a course without a fixed order. */
  lockingLesson: OutlineLesson | undefined
}

export function LessonList(props: LessonListProps) {
  const { outline, progress } = props
  return (
    <div className="grid gap-4">
      <CoursePercent outline={outline} progress={progress} language={props.language} />
      {outline.groups.map((group) =>
        group.lessons.length > 0 ? (
          <div key={group.id}>
            <h3 lang={group.locale} className="py-1 font-medium text-muted wrap-anywhere">
              {group.title}
            </h3>
            <Rows {...props} lessons={group.lessons} />
          </div>
        ) : null,
      )}
      <Rows {...props} lessons={outline.lessons} />
    </div>
  )
}

interface CoursePercentProps {
  outline: Outline
  progress: CourseProgress | undefined
  language: Locale
}

/** Percentage of the course, and the number of its completed lessons. */
function CoursePercent({ outline, progress, language }: CoursePercentProps) {
  const t = useT()
  const percent = progress?.percent ?? 0
  const completedCount = progress?.lessons.filter(({ completed }) => completed).length ?? 0
  const count = progress?.lessons.length ?? lessonsOf(outline).length
  // The number of completed lessons is announced only when it changes after the page has opened.
  const [firstDone] = useState(completedCount)
  const isComplete = progress !== undefined && progress.certificate !== null
  return (
    <div className="grid gap-1.5">
      <output className="sr-only">
        {completedCount === firstDone
          ? ''
          : `${t('learning.lessonsCompleted', { done: completedCount, count })}${isComplete ? ` ${t('learning.certificateText')}` : ''}`}
      </output>
      <p className="flex items-baseline justify-between gap-3">
        <span className="text-2xl leading-tight font-light tabular-nums">{formatPercent(language, percent)}</span>
        <span className="text-muted tabular-nums">{t('learning.lessonsDone', { done: completedCount, count })}</span>
      </p>
      <progress aria-label={t('learning.courseDone')} max={100} value={percent} className="progress-bar" />
    </div>
  )
}

function Rows({ lessons, ...list }: LessonListProps & { lessons: readonly OutlineLesson[] }) {
  if (lessons.length === 0) return null
  return (
    <ol>
      {lessons.map((lesson) => (
        <Row key={lesson.id} lesson={lesson} {...list} />
      ))}
    </ol>
  )
}

const stateLabels = {
  done: 'learning.lessonDone',
  started: 'learning.lessonStarted',
  open: 'learning.lessonOpen',
} as const

/** Whether a lesson comes after the one that must be completed first. */
export function isLocked(outline: Outline, barrier: OutlineLesson | undefined, id: number): boolean {
  if (!barrier) return false
  const ids = lessonsOf(outline).map((lesson) => lesson.id)
  return ids.indexOf(id) > ids.indexOf(barrier.id)
}

function Row({
  lesson,
  outline,
  progress,
  currentId,
  language,
  lockingLesson: barrier,
}: LessonListProps & { lesson: OutlineLesson }) {
  const t = useT()
  const lessonAddress = useLessonAddress(language)
  const { id, title, locale, duration_s: seconds } = lesson
  const isCurrent = id === currentId
  const percent = progress?.lessons.find((studiedLesson) => studiedLesson.id === id)?.percent ?? 0
  const isClosed = isLocked(outline, barrier, id)
  const state: StudyState = isClosed ? 'locked' : stateOf(percent, isCurrent)
  const content = (
    <>
      <StateMark state={state} />
      <span className="min-w-0 flex-1">
        <span lang={locale}>{title}</span>
        {state === 'locked' ? (
          <small className="block text-sm text-muted">
            {t('learning.lessonLocked', { name: barrier?.title ?? '' })}
          </small>
        ) : (
          <>
            {' '}
            <span className="sr-only">{t(stateLabels[state])}</span>
          </>
        )}
      </span>{' '}
      {seconds === null ? null : (
        <span className={cx('text-sm tabular-nums', !isCurrent && 'text-muted')}>{clockText(seconds)}</span>
      )}
    </>
  )
  const rowClass = 'flex min-h-9 items-center gap-3 px-5 py-1.5 wrap-anywhere pointer-coarse:min-h-11'
  return (
    <li className="-mx-5">
      {isClosed ? (
        <div className={rowClass}>{content}</div>
      ) : (
        <Link
          {...lessonAddress(id)}
          aria-current={isCurrent ? 'page' : undefined}
          className={cx(
            rowClass,
            'border-s-[3px] border-transparent ps-[17px] hover:bg-hover',
            isCurrent && 'border-brand-ui bg-brand-soft font-semibold text-on-brand-soft',
          )}
        >
          {content}
        </Link>
      )}
    </li>
  )
}

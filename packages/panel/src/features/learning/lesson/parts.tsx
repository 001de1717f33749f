/** The parts of a lesson: a list with marks of progress; one part is open. */
import type { Entry, Locale } from '@dala/model'
import type { LessonProgress } from '@dala/model/api/progress'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, useId, useState } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { MarkStudied, needsMark } from './progress/mark-studied.tsx'
import { StateMark, stateOf } from './progress/state-mark.tsx'
import type { RecordProgress } from './progress/use-recording.ts'
import { LessonText, OpenedPart, RecordedVideo } from './recorded.tsx'
import type { LessonPart } from './texts.ts'

interface LessonPartsProps {
  parts: readonly LessonPart[]
  lang: Locale
  record: Entry
  progress: LessonProgress | undefined
  onProgress: RecordProgress | undefined
  /** Content that covers the last part's video when the video has ended. */
  end: ReactNode
}

export function LessonParts({ parts, lang, record, progress, onProgress, end }: LessonPartsProps) {
  const stateOfPart = (id: string) => progress?.parts.find(({ part }) => part === id)
  const lastUsedPart = parts.find(({ id }) => id === progress?.part)
  const firstIncompletePart = parts.find(({ id }) => stateOfPart(id)?.completed !== true)
  const [openId, setOpenId] = useState((lastUsedPart ?? firstIncompletePart ?? parts[0])?.id)
  return (
    <ol className="border-b border-line">
      {parts.map((lessonPart, index) => (
        <LessonPartItem
          key={lessonPart.id}
          part={lessonPart}
          place={index + 1}
          isOpen={lessonPart.id === openId}
          onToggle={(isOpen) => setOpenId(isOpen ? lessonPart.id : undefined)}
          {...{ lang, record, onProgress }}
          progress={stateOfPart(lessonPart.id)}
          end={index === parts.length - 1 ? end : null}
        />
      ))}
    </ol>
  )
}

interface PartProps {
  part: LessonPart
  place: number
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  lang: Locale
  record: Entry
  progress: LessonProgress['parts'][number] | undefined
  onProgress: RecordProgress | undefined
  end: ReactNode
}

function LessonPartItem({ part, place, isOpen, onToggle, lang, record, progress, onProgress, end }: PartProps) {
  const t = useT()
  const panel = useId()
  const { id, title, content, videourl, video } = part
  const address = videourl || fileAddress(video?.file)
  const isDone = progress?.completed === true
  const state = stateOf(progress?.percent ?? 0, isOpen)
  return (
    <li className="border-t border-line">
      <h2 className="text-lg leading-tight font-semibold">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={() => onToggle(!isOpen)}
          className="flex min-h-12 w-full items-center gap-3 py-2 text-start wrap-anywhere hover:bg-hover"
        >
          <StateMark state={state} />
          <span className="flex-1">
            <span className="me-1 font-light text-muted">{t('learning.part', { place })}</span>{' '}
            <span lang={lang}>{title}</span>
          </span>
          {isDone ? <span className="sr-only">{t('learning.partDone')}</span> : null}
          <ChevronDown size={18} aria-hidden className={cx('shrink-0 text-muted', isOpen && 'rotate-180')} />
        </button>
      </h2>
      {isOpen ? (
        <div id={panel} className="grid gap-4 pb-5">
          <OpenedPart part={id} onProgress={onProgress} />
          {address ? (
            <RecordedVideo
              key={address}
              part={id}
              startSecond={progress?.position_s}
              isCompleted={isDone}
              onProgress={onProgress}
              address={address}
              title={title}
              small={fileAddress(video?.small)}
              poster={fileAddress(video?.poster)}
              language={lang}
              end={end}
            />
          ) : null}
          {content ? <LessonText html={content} lang={lang} /> : null}
          {needsMark(record, video, Boolean(address)) ? (
            <MarkStudied part={id} isDone={isDone} onProgress={onProgress} />
          ) : null}
        </div>
      ) : null}
    </li>
  )
}

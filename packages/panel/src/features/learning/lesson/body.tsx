/**
 * The content of a lesson: its video and text, or its parts in order; texts of another language are marked.
 */
import { type Entry, type Locale, localeNames } from '@dala/model'
import type { LessonProgress } from '@dala/model/api/progress'
import type { ReactNode } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { useT } from '../../../lib/i18n.ts'
import { FurtherLink } from './further-link.tsx'
import { LessonParts } from './parts.tsx'
import { MarkStudied, needsMark } from './progress/mark-studied.tsx'
import type { RecordProgress } from './progress/use-recording.ts'
import { LessonText, OpenedPart, RecordedVideo } from './recorded.tsx'
import { textsOf } from './texts.ts'

export interface LessonBodyProps {
  record: Entry
  /** Requested language of the lesson. */
  language: Locale
  /** Stored progress of the learner in the lesson. */
  progress: LessonProgress | undefined
  /** Records progress of a learner; undefined when an author previews the lesson. */
  onProgress: RecordProgress | undefined
  /** Content that covers the lesson's last video when the video has ended. */
  end?: ReactNode
}

export function LessonBody({ record, language, progress, onProgress, end }: LessonBodyProps) {
  const t = useT()
  const texts = textsOf(record, language)
  const { title, description, content, video, own, link, parts } = texts
  const isEmpty = !content && !video && !parts
  const wholeProgress = progress?.parts.find(({ part }) => part === '')
  return (
    <div className="grid gap-5">
      <OtherLanguage locale={title.locale} language={language} />
      {isEmpty ? <p className="text-muted">{t('learning.nothingToShow')}</p> : null}
      {video ? (
        <RecordedVideo
          key={video.value}
          part=""
          startSecond={wholeProgress?.position_s}
          isCompleted={wholeProgress?.completed === true}
          onProgress={onProgress}
          address={video.value}
          title={title.value}
          small={fileAddress(own?.video.small)}
          poster={fileAddress(own?.video.poster)}
          {...(own && { subtitles: own.subtitles })}
          // A lesson shown entirely in another language is marked once.
          language={title.locale}
          spokenLocale={video.locale}
          end={end}
        />
      ) : null}
      {parts ? null : <OpenedPart part="" onProgress={onProgress} />}
      {description ? (
        <p lang={description.locale} className="max-w-[68ch] text-lg leading-read text-muted">
          {description.value}
        </p>
      ) : null}
      {content ? <LessonText html={content.value} lang={content.locale} /> : null}
      {parts ? (
        <LessonParts
          parts={parts.value}
          lang={parts.locale}
          record={record}
          progress={progress}
          onProgress={onProgress}
          end={end}
        />
      ) : needsMark(record, own?.video, video !== undefined) ? (
        <MarkStudied part="" isDone={wholeProgress?.completed === true} onProgress={onProgress} />
      ) : null}
      {link ? (
        <p className="flex flex-wrap gap-x-2">
          <span className="text-muted">{t('learning.furtherReading')}:</span>
          <FurtherLink address={link.value} />
        </p>
      ) : null}
    </div>
  )
}

/** Note above a text of the lesson that is not in the requested language. */
function OtherLanguage({ locale, language }: { locale: Locale; language: Locale }) {
  const t = useT()
  if (locale === language) return null
  return <p className="text-sm text-warning-text">{t('learning.shownIn', { language: localeNames[locale] })}</p>
}

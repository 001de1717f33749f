/**
 * The content of a lesson: its video and text, or its parts in order; texts of another language are marked.
 */
import { type Locale, localeNames } from '@dala/model'
import { useT } from '../../../lib/i18n.ts'
import { RichText } from '../../../ui/rich-text.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { OwnVideoPlayer } from './files/own-video-player.tsx'
import { FurtherLink } from './further-link.tsx'
import type { LessonPart, LessonTexts } from './texts.ts'
import { LessonVideo } from './video.tsx'

interface LessonBodyProps {
  texts: LessonTexts
  /** Requested language of the lesson. */
  language: Locale
}

export function LessonBody({ texts, language }: LessonBodyProps) {
  const t = useT()
  const { title, description, content, video, own, link, parts } = texts
  const isEmpty = !content && !video && !parts
  return (
    <Sheet padded className="grid gap-5">
      <OtherLanguage locale={title.locale} language={language} />
      {description ? (
        <p lang={description.locale} className="max-w-[68ch] text-lg leading-read text-muted">
          {description.value}
        </p>
      ) : null}
      {isEmpty ? <p className="text-muted">{t('learning.nothingToShow')}</p> : null}
      {video ? (
        <div className="grid gap-1.5">
          {/* A lesson shown entirely in another language is marked once. */}
          {video.locale === title.locale ? null : <OtherLanguage locale={video.locale} language={language} />}
          {own ? (
            <OwnVideoPlayer key={video.value} {...own} title={title.value} />
          ) : (
            <LessonVideo key={video.value} address={video.value} title={title.value} />
          )}
        </div>
      ) : null}
      {content ? <RichText html={content.value} lang={content.locale} /> : null}
      {parts ? (
        <ol className="grid gap-8">
          {parts.value.map((part, index) => (
            <Part key={part.id} part={part} place={index + 1} lang={parts.locale} />
          ))}
        </ol>
      ) : null}
      {link ? (
        <p className="flex flex-wrap gap-x-2">
          <span className="text-muted">{t('learning.furtherReading')}:</span>
          <FurtherLink address={link.value} />
        </p>
      ) : null}
    </Sheet>
  )
}

function Part({ part, place, lang }: { part: LessonPart; place: number; lang: Locale }) {
  const t = useT()
  const { title, content, videourl } = part
  return (
    <li className="grid gap-3.5 not-first:border-t not-first:border-line not-first:pt-6">
      <h2 className="text-xl leading-tight font-semibold wrap-anywhere">
        <span className="me-1 font-light text-muted">{t('learning.part', { place })}</span>{' '}
        <span lang={lang}>{title}</span>
      </h2>
      {videourl ? <LessonVideo key={videourl} address={videourl} title={title} /> : null}
      {content ? <RichText html={content} lang={lang} /> : null}
    </li>
  )
}

/** Mark of a text in another language than the requested one. */
function OtherLanguage({ locale, language }: { locale: Locale; language: Locale }) {
  const t = useT()
  if (locale === language) return null
  return <p className="text-sm text-warning-text">{t('learning.shownIn', { language: localeNames[locale] })}</p>
}

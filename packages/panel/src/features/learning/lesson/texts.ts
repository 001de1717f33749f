/** The texts of a lesson in a language, with their fallbacks (e-learning §4). */
import { type Entry, isLocale, type Locale, locales } from '@dala/model'
import { fileAddress } from '../../../api/client.ts'
import { type OwnVideo, ownVideoOf } from './files/own-video.ts'

/** Text or video of a lesson with its language. */
interface ShownTexts<V> {
  value: V
  locale: Locale
}

export interface LessonPart {
  id: string
  title: string
  content: string
  videourl: string
  /** Uploaded video file of the lesson's part. */
  video?: OwnVideo
}

export interface LessonTexts {
  title: ShownTexts<string>
  description: ShownTexts<string> | undefined
  content: ShownTexts<string> | undefined
  video: ShownTexts<string> | undefined
  /** Uploaded video file with its poster, and the subtitles of each language that has some. */
  own: { video: OwnVideo; subtitles: readonly ShownTexts<string>[] } | undefined
  link: ShownTexts<string> | undefined
  parts: ShownTexts<readonly LessonPart[]> | undefined
}

export const languageOfEntry = (entry: Entry): Locale | undefined => (isLocale(entry.locale) ? entry.locale : undefined)

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns whether markup has text or a picture; markup without both counts as empty. */
const hasContent = (html: string): boolean => /<img\b/i.test(html) || html.replace(/<[^>]*>|&nbsp;/g, '').trim() !== ''

/** Parses the stored list of a lesson's parts; invalid items are dropped. */
export function partsOf(value: unknown): LessonPart[] {
  const list: unknown[] = Array.isArray(value) ? value : []
  return list.flatMap((listedPart, index) => {
    if (typeof listedPart !== 'object' || listedPart === null) return []
    const { id, title, content, videourl, video }: Record<string, unknown> = { ...listedPart }
    const file = ownVideoOf(video)
    const key = typeof id === 'string' || typeof id === 'number' ? String(id) : `part-${index}`
    return [
      {
        id: key,
        title: textOf(title),
        content: textOf(content),
        videourl: textOf(videourl),
        ...(file && { video: file }),
      },
    ]
  })
}

/** Localizations of a record by language. */
function entriesOf(record: Entry): Map<Locale, Entry> {
  const translations: unknown[] = Array.isArray(record.localizations) ? record.localizations : []
  const allEntries = [record, ...translations].filter(isEntry)
  return new Map(allEntries.flatMap((entry) => (isLocale(entry.locale) ? [[entry.locale, entry] as const] : [])))
}

/** Returns the addresses of subtitles, those of the wanted language first. */
const subtitlesOf = (entries: ReadonlyMap<Locale, Entry>, language: Locale): ShownTexts<string>[] =>
  order(language).flatMap((locale) => {
    const value = textOf(entries.get(locale)?.subtitles)
    return value ? [{ value, locale }] : []
  })

/**
 * Returns the languages in the order in which they are tried: the wanted one, then the others in a fixed
 * order.
 */
const order = (language: Locale): Locale[] => [language, ...locales.filter((otherLocale) => otherLocale !== language)]

/** Returns the id that a record has in the outline of a language. */
export function idInLanguage(record: Entry, language: Locale): number {
  const entries = entriesOf(record)
  return order(language).flatMap((locale) => entries.get(locale)?.id ?? [])[0] ?? record.id
}

/**
 * Returns the texts of a lesson. A missing localization is replaced by the next existing one; within an
 * existing one only a missing video is.
 *
 * @param record - The lesson with its localizations.
 * @param language - The wanted language.
 * @returns Each text with its language.
 */
export function textsOf(record: Entry, language: Locale): LessonTexts {
  const entries = entriesOf(record)
  const locale = order(language).find((candidate) => entries.has(candidate)) ?? language
  const entry = entries.get(locale) ?? record
  const text = (name: string): ShownTexts<string> | undefined => {
    const value = textOf(entry[name])
    return hasContent(value) ? { value, locale } : undefined
  }
  const firstVideo = order(locale).flatMap((candidate) => {
    const value = textOf(entries.get(candidate)?.videourl)
    return value ? [{ value, locale: candidate }] : []
  })[0]
  const file = ownVideoOf(record.video)
  // An uploaded video file belongs to all languages of a lesson, and is spoken in the first one.
  const [spokenEntry] = [...entries.values()].toSorted((one, other) => one.id - other.id)
  const spokenLocale = (spokenEntry && languageOfEntry(spokenEntry)) ?? locale
  const ownParts = partsOf(entry.parts)
  const isMulti = record.kind === 'multi'
  return {
    title: { value: textOf(entry.title), locale },
    description: text('description'),
    content: isMulti ? undefined : text('content'),
    video: isMulti
      ? undefined
      : (firstVideo ?? (file ? { value: fileAddress(file.file) ?? '', locale: spokenLocale } : undefined)),
    own: isMulti || firstVideo || !file ? undefined : { video: file, subtitles: subtitlesOf(entries, locale) },
    link: text('link'),
    parts: isMulti && ownParts.length > 0 ? { value: ownParts, locale } : undefined,
  }
}

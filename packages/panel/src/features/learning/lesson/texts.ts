/** What a lesson shows in a language, and what stands in where it has nothing in it (e-learning §4). */
import { type Entry, isLocale, type Locale, locales } from '@dala/model'

/** A value in the language it was found in. */
interface Shown<V> {
  value: V
  locale: Locale
}

export interface LessonPart {
  id: string
  title: string
  content: string
  videourl: string
}

export interface LessonTexts {
  title: Shown<string>
  description: Shown<string> | undefined
  content: Shown<string> | undefined
  video: Shown<string> | undefined
  link: Shown<string> | undefined
  parts: Shown<readonly LessonPart[]> | undefined
}

export const languageOfEntry = (entry: Entry): Locale | undefined => (isLocale(entry.locale) ? entry.locale : undefined)

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Markup without a word or a picture in it is no text. */
const hasWords = (html: string): boolean => /<img\b/i.test(html) || html.replace(/<[^>]*>|&nbsp;/g, '').trim() !== ''

/** The parts of a stored list; what is no part is left out. */
export function partsOf(value: unknown): LessonPart[] {
  const list: unknown[] = Array.isArray(value) ? value : []
  return list.flatMap((part, index) => {
    if (typeof part !== 'object' || part === null) return []
    const { id, title, content, videourl }: Record<string, unknown> = { ...part }
    const key = typeof id === 'string' || typeof id === 'number' ? String(id) : `part-${index}`
    return [{ id: key, title: textOf(title), content: textOf(content), videourl: textOf(videourl) }]
  })
}

/** The path of a lesson's own video file. */
function fileOf(video: unknown): string {
  const file = typeof video === 'object' && video !== null && 'file' in video ? textOf(video.file) : ''
  return file ? `/${file.replace(/^\/+/, '')}` : ''
}

/** The entries of a record by language. */
function entriesOf(record: Entry): Map<Locale, Entry> {
  const others: unknown[] = Array.isArray(record.localizations) ? record.localizations : []
  const all = [record, ...others].filter(isEntry)
  return new Map(all.flatMap((entry) => (isLocale(entry.locale) ? [[entry.locale, entry] as const] : [])))
}

/** The languages in which something is looked for: the wanted one, then the others in their fixed order. */
const order = (language: Locale): Locale[] => [language, ...locales.filter((other) => other !== language)]

/** The id by which the outline in a language names the record. */
export function idIn(record: Entry, language: Locale): number {
  const entries = entriesOf(record)
  return order(language).flatMap((locale) => entries.get(locale)?.id ?? [])[0] ?? record.id
}

/**
 * The texts of a lesson for a reader.
 *
 * In: the record with its languages, the wanted language. Out: each text with its language. A language that the lesson
 * does not have is stood in for by the next that it has; within one that it has, only a missing video is.
 */
export function textsOf(record: Entry, language: Locale): LessonTexts {
  const entries = entriesOf(record)
  const locale = order(language).find((candidate) => entries.has(candidate)) ?? language
  const entry = entries.get(locale) ?? record
  const text = (name: string): Shown<string> | undefined => {
    const value = textOf(entry[name])
    return hasWords(value) ? { value, locale } : undefined
  }
  const firstVideo = order(locale).flatMap((candidate) => {
    const value = textOf(entries.get(candidate)?.videourl)
    return value ? [{ value, locale: candidate }] : []
  })[0]
  const file = fileOf(record.video)
  const own = partsOf(entry.parts)
  const isMulti = record.kind === 'multi'
  return {
    title: { value: textOf(entry.title), locale },
    description: text('description'),
    content: isMulti ? undefined : text('content'),
    video: isMulti ? undefined : (firstVideo ?? (file ? { value: file, locale } : undefined)),
    link: text('link'),
    parts: isMulti && own.length > 0 ? { value: own, locale } : undefined,
  }
}

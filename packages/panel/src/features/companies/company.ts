/** Reads the fields of a company record. */
import { type Entry, type Locale, locales } from '@dala/model'

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function entryOf(value: unknown): Entry | undefined {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
    ? { ...value, id: value.id }
    : undefined
}

export function entriesOf(value: unknown): Entry[] {
  return Array.isArray(value) ? value.flatMap((rawEntry: unknown) => entryOf(rawEntry) ?? []) : []
}

/** Text of a company record, with its language. */
export interface ShownText {
  text: string
  lang: Locale
}

/** Text of a field in a language, otherwise in the first other language that has one (contract §8). */
export function textIn(record: Entry, name: string, preferredLocale: Locale): ShownText | undefined {
  const languageVersions = [record, ...entriesOf(record.localizations)]
  for (const locale of new Set([preferredLocale, ...locales])) {
    const text = textOf(languageVersions.find((entry) => entry.locale === locale)?.[name])
    if (text !== '') return { text, lang: locale }
  }
  return undefined
}

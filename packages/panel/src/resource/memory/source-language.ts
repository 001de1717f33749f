/** The language that a text is translated from. */
import { type Locale, locales } from '@dala/model'
import { hasText, type Values } from '../form/values.ts'

type Texts = Partial<Record<Locale, Values>>

/** Languages of a record that a text can be translated from. */
export function sourcesOf(texts: Texts, target: Locale): Locale[] {
  return locales.filter((locale) => locale !== target && hasText(texts[locale]))
}

/**
 * Source language of a translation at first: the chosen one, the user's, Russian, or the first that has a
 * text.
 */
export function sourceOf(texts: Texts, target: Locale, reader: Locale, preferredLocale?: Locale): Locale | undefined {
  const sourceLanguages = sourcesOf(texts, target)
  const availableLocale = [preferredLocale, reader, 'ru'].find((locale) =>
    sourceLanguages.some((source) => source === locale),
  )
  return sourceLanguages.find((source) => source === availableLocale) ?? sourceLanguages[0]
}

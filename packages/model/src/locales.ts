/** The four languages of content and interface (requirements §9). */

export const locales = ['en', 'ru', 'uz', 'kaa'] as const
export type Locale = (typeof locales)[number]

/**
 * The language of content without a named language (requirements §9), and the first fallback for a missing
 * one.
 */
export const defaultLocale: Locale = 'en'

/** Ids of the languages on the wire (contract §8): 1 to 3 are given by the spec, which has no id for kaa. */
export const localeIds: Readonly<Record<Locale, number>> = { uz: 1, ru: 2, en: 3, kaa: 4 }

/** Each language in its own language; names of interface languages are never translated. */
export const localeNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  ru: 'Русский',
  uz: 'Oʻzbekcha',
  kaa: 'Qaraqalpaqsha',
}

/**
 * Tells whether a value is the code of a language.
 *
 * @example
 * isLocale('de') // false
 */
export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && (locales as readonly string[]).includes(value)
}

/** One text in several languages; a plain string is the text of all of them (contract §8). */
export type Translations = Partial<Record<Locale, string>>

/**
 * Returns the languages in fallback order, the wanted ones first (contract §8).
 *
 * @example
 * fallbackOrder('uz') // ['uz', 'en', 'ru', 'kaa']
 */
export function fallbackOrder(...wantedLocales: readonly Locale[]): Locale[] {
  return [...new Set([...wantedLocales, ...locales])]
}

/**
 * Returns the text that a user of `locale` sees: current → en → ru → uz → kaa (contract §8).
 *
 * @example
 * readTranslations({ ru: 'Хлопок' }, 'uz') // 'Хлопок'
 */
export function readTranslations(value: Translations | string | null | undefined, locale: Locale): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  for (const candidate of fallbackOrder(locale)) {
    const text = value[candidate]
    if (text) return text
  }
  return null
}

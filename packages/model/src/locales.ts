/** The four languages of content and interface (requirements §9). */

export const locales = ['en', 'ru', 'uz', 'kaa'] as const
export type Locale = (typeof locales)[number]

/** Content without a named language is English (requirements §9), and it is the first to stand in for a missing one. */
export const defaultLocale: Locale = 'en'

/** Ids of the languages on the wire (contract §8): 1 to 3 are the spec's, kaa has none there. */
export const localeIds: Readonly<Record<Locale, number>> = { uz: 1, ru: 2, en: 3, kaa: 4 }

/** Each language in its own words; interface languages are never translated. */
export const localeNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  ru: 'Русский',
  uz: 'Oʻzbekcha',
  kaa: 'Qaraqalpaqsha',
}

export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && (locales as readonly string[]).includes(value)
}

/** One text in several languages; a plain string is the same text for all of them (contract §8). */
export type Translations = Partial<Record<Locale, string>>

/** Order in which languages stand in for each other when `wanted` is missing (contract §8). */
export function fallbackOrder(...wanted: readonly Locale[]): Locale[] {
  return [...new Set([...wanted, ...locales])]
}

/** The text a reader of `locale` sees: current → en → ru → uz → kaa → whatever there is (contract §8). */
export function readTranslations(value: Translations | string | null | undefined, locale: Locale): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  for (const candidate of fallbackOrder(locale)) {
    const text = value[candidate]
    if (text) return text
  }
  return null
}

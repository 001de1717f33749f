/** The scripts that Uzbek and Karakalpak are written in, and the languages of the interface with their script. */
import { isLocale, type Locale, localeNames } from '../../locales.ts'

export const scripts = ['latin', 'cyrillic'] as const
export type Script = (typeof scripts)[number]

/** Languages with two scripts; their catalogues and seed texts are in Latin. */
export const scriptLocales = ['uz', 'kaa'] as const
export type ScriptLocale = (typeof scriptLocales)[number]

/**
 * Tells whether a language has two scripts.
 *
 * @example
 * isScriptLocale('ru') // false
 */
export function isScriptLocale(value: unknown): value is ScriptLocale {
  return typeof value === 'string' && (scriptLocales as readonly string[]).includes(value)
}

/**
 * Tells whether a value is the name of a script.
 *
 * @example
 * isScript('cyrillic') // true
 */
export function isScript(value: unknown): value is Script {
  return typeof value === 'string' && (scripts as readonly string[]).includes(value)
}

/**
 * The languages of the interface, each with its script: the names that browsers know (BCP 47), Latin without a
 * mark.
 */
export const writtenLocales = ['en', 'ru', 'uz', 'uz-Cyrl', 'kaa', 'kaa-Cyrl'] as const
export type WrittenLocale = (typeof writtenLocales)[number]

/** Each language of the interface in its own script. */
export const writtenLocaleNames: Readonly<Record<WrittenLocale, string>> = {
  ...localeNames,
  'uz-Cyrl': 'Ўзбекча',
  'kaa-Cyrl': 'Қарақалпақша',
}

/**
 * Tells whether a value names a language of the interface.
 *
 * @example
 * isWrittenLocale('uz-Cyrl') // true
 */
export function isWrittenLocale(value: unknown): value is WrittenLocale {
  return typeof value === 'string' && (writtenLocales as readonly string[]).includes(value)
}

/**
 * Returns the language of the interface for a language and a script; a language with one script has its own.
 *
 * @example
 * writtenLocale('kaa', 'cyrillic') // 'kaa-Cyrl'
 */
export const writtenLocale = (locale: Locale, script: Script | null | undefined): WrittenLocale =>
  script === 'cyrillic' && isScriptLocale(locale) ? `${locale}-Cyrl` : locale

/**
 * Returns the language of content that belongs to a language of the interface.
 *
 * @example
 * localeOf('uz-Cyrl') // 'uz'
 */
export function localeOf(written: WrittenLocale): Locale {
  const [language] = written.split('-')
  return isLocale(language) ? language : 'en'
}

/**
 * Returns the script of a language of the interface; Latin where a language has no choice.
 *
 * @example
 * scriptOf('uz-Cyrl') // 'cyrillic'
 */
export const scriptOf = (written: WrittenLocale): Script => (written.endsWith('-Cyrl') ? 'cyrillic' : 'latin')

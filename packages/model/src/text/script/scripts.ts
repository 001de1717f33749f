/** The scripts that Uzbek and Karakalpak are written in. */

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

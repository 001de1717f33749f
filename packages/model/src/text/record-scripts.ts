/** The texts of a record that have a script, and their conversion (docs/spec/scripts.md). */
import type { Field } from '../fields/field.ts'
import { convertMarkup, inScript } from './script/convert.ts'
import type { Script, ScriptLocale } from './script/scripts.ts'

const scriptKinds: ReadonlySet<string> = new Set(['text', 'longText', 'rich'])

/**
 * Tells whether the values of a field are converted between scripts: translated texts are; slugs, links and
 * all that the languages share are not.
 *
 * @example
 * hasScripts(resources.news.fields.title) // true
 */
export const hasScripts = (field: Field): boolean =>
  field.localized === true && field.readOnly !== true && scriptKinds.has(field.kind)

/**
 * Returns the value of a field in a script; rich text keeps its tags.
 *
 * @example
 * fieldInScript(resources.news.fields.title, 'Paxta', 'uz', 'cyrillic') // 'Пахта'
 */
export const fieldInScript = (field: Field, text: string, locale: ScriptLocale, script: Script): string =>
  field.kind === 'rich' ? convertMarkup(text, locale, script) : inScript(text, locale, script)

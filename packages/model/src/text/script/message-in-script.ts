/** Converts messages of the catalogues, which have placeholders and plurals, between scripts. */
import { findClosingBrace } from '../message.ts'
import { inScript } from './convert.ts'
import type { Script, ScriptLocale } from './scripts.ts'

/** Converts the cases of a plural or a selection; their keys stay. */
function casesInScript(cases: string, locale: ScriptLocale, script: Script): string {
  let converted = ''
  let start = 0
  for (let open = cases.indexOf('{'); open !== -1; open = cases.indexOf('{', start)) {
    const close = findClosingBrace(cases, open)
    const caseText = messageInScript(cases.slice(open + 1, close), locale, script)
    converted += `${cases.slice(start, open)}{${caseText}}`
    start = close + 1
  }
  return converted + cases.slice(start)
}

/**
 * Returns a message of a catalogue in a script: its literal text is converted, placeholders, plural keywords
 * and selectors stay.
 *
 * @example
 * messageInScript('{count, plural, one {# kun} other {# kun}}', 'uz', 'cyrillic')
 * // '{count, plural, one {# кун} other {# кун}}'
 */
export function messageInScript(message: string, locale: ScriptLocale, script: Script): string {
  let converted = ''
  let start = 0
  for (let open = message.indexOf('{'); open !== -1; open = message.indexOf('{', start)) {
    const close = findClosingBrace(message, open)
    const argument = message.slice(open + 1, close)
    const [head] = /^[^,]*,[^,]*,/.exec(argument) ?? [argument]
    converted += `${inScript(message.slice(start, open), locale, script)}{${head}${casesInScript(argument.slice(head.length), locale, script)}}`
    start = close + 1
  }
  return converted + inScript(message.slice(start), locale, script)
}

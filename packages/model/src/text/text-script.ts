/** Finds the script of a text, and its language where nothing else names it. */
import type { Locale } from '../locales.ts'
import { inScript } from './script/convert.ts'
import { isScriptLocale, type Script, type ScriptLocale } from './script/scripts.ts'

/**
 * Returns the script that most letters of a text have; undefined for a text without letters of either.
 *
 * @example
 * scriptOfText('Пахта, PDF') // 'cyrillic'
 */
export function scriptOfText(text: string): Script | undefined {
  const countOf = (letters: RegExp) => text.match(letters)?.length ?? 0
  const [latin, cyrillic] = [countOf(/\p{Script=Latin}/gu), countOf(/\p{Script=Cyrillic}/gu)]
  if (latin === 0 && cyrillic === 0) return undefined
  return cyrillic > latin ? 'cyrillic' : 'latin'
}

const karakalpakLetters = /[әөүңӘӨҮҢáóúńǵıÁÓÚŃǴ]/u
/** Letters that both languages have and Russian lacks; with ы, which Uzbek lacks, a text is Karakalpak. */
const sharedLetters = /[қғҳўҚҒҲЎ]/u
const uzbekLetters = /[og]['‘’`ʻʼ´](?=\p{L})/iu

/**
 * Returns the language of a text with two scripts: the known one, or the one that its letters show.
 *
 * @param text - The text.
 * @param known - Language of its room or its author, if there is one.
 * @returns Undefined where no letter tells: the text may be in any language.
 * @example
 * scriptLocaleOf('Ғўза қачон экилади?', 'ru') // 'uz'
 */
export function scriptLocaleOf(text: string, known?: Locale | null): ScriptLocale | undefined {
  if (isScriptLocale(known)) return known
  const composedText = text.normalize('NFC')
  if (karakalpakLetters.test(composedText)) return 'kaa'
  if (sharedLetters.test(composedText)) return /[ыЫ]/u.test(composedText) ? 'kaa' : 'uz'
  return uzbekLetters.test(composedText) ? 'uz' : undefined
}

/** A text in its other script. */
export interface OtherScript {
  text: string
  locale: ScriptLocale
  script: Script
}

/**
 * Returns a text in its other script; undefined where its language is unknown, or nothing would change.
 *
 * @see scriptLocaleOf
 * @example
 * otherScriptOf('Paxta', 'uz') // { text: 'Пахта', locale: 'uz', script: 'cyrillic' }
 */
export function otherScriptOf(text: string, known?: Locale | null): OtherScript | undefined {
  const locale = scriptLocaleOf(text, known)
  const current = scriptOfText(text)
  if (!locale || !current) return undefined
  const script = current === 'latin' ? 'cyrillic' : 'latin'
  const converted = inScript(text, locale, script)
  return converted === text ? undefined : { text: converted, locale, script }
}

/** Converts Uzbek and Karakalpak texts between the Latin and the Cyrillic script. */
import { toKarakalpakCyrillic, toKarakalpakLatin } from './karakalpak.ts'
import { smallWord } from './orthography.ts'
import {
  apostropheEntityPattern,
  entityWordPattern,
  protectedMarkupPattern,
  protectedPattern,
  wordPattern,
} from './protected.ts'
import type { Script, ScriptLocale } from './scripts.ts'
import { isForeignToUzbek, toUzbekCyrillic, toUzbekLatin } from './uzbek.ts'

type ConvertWord = (word: string) => string

const converters: Readonly<Record<ScriptLocale, Readonly<Record<Script, ConvertWord>>>> = {
  uz: {
    cyrillic: (word) => (isForeignToUzbek(smallWord(word)) ? word : toUzbekCyrillic(word)),
    latin: toUzbekLatin,
  },
  kaa: { cyrillic: toKarakalpakCyrillic, latin: toKarakalpakLatin },
}

const lettersOf: Readonly<Record<Script, RegExp>> = { latin: /\p{Script=Cyrillic}/u, cyrillic: /\p{Script=Latin}/u }

/** Converts the words of a text outside its protected parts; words are composed first, for у with a breve is ў. */
function convertParts(text: string, parts: RegExp, locale: ScriptLocale, script: Script): string {
  const hasForeignLetters = lettersOf[script]
  if (!hasForeignLetters.test(text)) return text
  const convertWord = converters[locale][script]
  const convertWords = (part: string) =>
    part.replace(wordPattern, (word) => (hasForeignLetters.test(word) ? convertWord(word.normalize('NFC')) : word))
  let converted = ''
  let start = 0
  for (const { 0: part, index } of text.matchAll(parts)) {
    converted += convertWords(text.slice(start, index)) + part
    start = index + part.length
  }
  return converted + convertWords(text.slice(start))
}

/**
 * Returns a text in a script. Letters that already have it stay, and so do addresses, codes, foreign names,
 * keys and placeholders.
 *
 * @param text - Plain text; `convertMarkup` takes rich text, `messageInScript` takes messages.
 * @see docs/spec/scripts.md
 * @example
 * inScript('Oʻzbekiston, 2-bosqich', 'uz', 'cyrillic') // 'Ўзбекистон, 2-босқич'
 */
export const inScript = (text: string, locale: ScriptLocale, script: Script): string =>
  convertParts(text, protectedPattern, locale, script)

/**
 * Returns a text in Cyrillic.
 *
 * @example
 * toCyrillic('Qaraqalpaqsha', 'kaa') // 'Қарақалпақша'
 */
export const toCyrillic = (text: string, locale: ScriptLocale): string => inScript(text, locale, 'cyrillic')

/**
 * Returns a text in Latin letters.
 *
 * @example
 * toLatin('Ўзбекча', 'uz') // 'Oʻzbekcha'
 */
export const toLatin = (text: string, locale: ScriptLocale): string => inScript(text, locale, 'latin')

const tagPattern = /<(\/?)(?:([a-z][a-z\d]*)(?![a-z\d]))?[^<>]*>/gi
/** Elements whose text is code or a key. */
const codeElements: ReadonlySet<string> = new Set(['code', 'kbd', 'pre', 'samp', 'script', 'style'])

/** Converts text between tags: an entity stays, unless it is the apostrophe of a word to convert. */
function convertMarkupText(text: string, locale: ScriptLocale, script: Script): string {
  const source = text.replace(entityWordPattern, (part: string, word: string | undefined) => {
    const readableWord = word?.replace(apostropheEntityPattern, 'ʼ')
    return readableWord && lettersOf[script].test(readableWord) ? readableWord : part
  })
  return convertParts(source, protectedMarkupPattern, locale, script)
}

/**
 * Returns rich text in a script: only the text between tags is converted, outside `code`, `kbd` and `pre`.
 *
 * @example
 * convertMarkup('<p title="a">Salom</p>', 'uz', 'cyrillic') // '<p title="a">Салом</p>'
 */
export function convertMarkup(html: string, locale: ScriptLocale, script: Script): string {
  const convertText = (text: string) => (codeDepth > 0 ? text : convertMarkupText(text, locale, script))
  let converted = ''
  let start = 0
  let codeDepth = 0
  for (const { 0: tag, 1: slash, 2: element, index } of html.matchAll(tagPattern)) {
    converted += convertText(html.slice(start, index)) + tag
    if (element && codeElements.has(element)) codeDepth = Math.max(0, codeDepth + (slash ? -1 : 1))
    start = index + tag.length
  }
  return converted + convertText(html.slice(start))
}

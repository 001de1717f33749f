/**
 * Decides whether texts in Karakalpak, Uzbek and Russian are spelled by the rules of the languages.
 *
 * @see languages §2
 */
import { filledIn, type CheckedLocale, type SpelledText } from './texts.ts'
import { findDiscord, findUzbekDiscord, karakalpakEndings, uzbekEndings } from './harmony.ts'
import { wrongWords, type WrongWord } from './words.ts'

/** Fault of a word. */
interface Finding {
  word: string
  fault: string
}

type Rule = (text: SpelledText) => Finding[]

const wordPattern = /[\p{L}\p{M}'’‘`ʻʼ]+/gu
const wordsIn = (text: string) => [...text.matchAll(wordPattern)].map(([word]) => word)

const patterns = new Map<WrongWord, RegExp>(
  wrongWords.map((wrongWord) => {
    const { wrong, except, onlyAlone } = wrongWord
    const continuation = except === undefined ? '' : `(?!${except})`
    const source = onlyAlone ? `^${wrong}$` : `(?<![\\p{L}ʻʼ])${wrong}${continuation}[\\p{L}ʻʼ]*`
    return [wrongWord, new RegExp(source, 'gu')]
  }),
)

/** One word and one spelling for each idea. */
const findWrongWords: Rule = ({ locale, text, isInterface }) =>
  [...patterns].flatMap(([{ locale: language, right, onlyInterface }, pattern]) =>
    language !== locale || (onlyInterface && !isInterface)
      ? []
      : [...text.replaceAll('Í', 'ı').toLowerCase().matchAll(pattern)].map(({ 0: small, index }) => ({
          word: text.slice(index, index + small.length),
          fault: `write ${right}`,
        })),
  )

/** Endings agree with their stems. */
const findDiscords: Rule = ({ locale, text }) => {
  if (locale === 'ru') return []
  const find = locale === 'kaa' ? findDiscord : findUzbekDiscord
  return wordsIn(text).flatMap((word) => {
    const discord = find(word)
    return discord === undefined ? [] : [{ word, fault: `the ending disagrees with its stem: ${discord}` }]
  })
}

const endings: Readonly<Record<Exclude<CheckedLocale, 'ru'>, readonly string[]>> = {
  kaa: karakalpakEndings,
  uz: uzbekEndings,
}
const makeHungPattern = (list: readonly string[]) =>
  new RegExp(
    String.raw`${filledIn}[»”"]?(?:[\p{L}ʻʼ]+|[\s\u00A0]?[-‑–]?[\s\u00A0]?(?:${list.join('|')})(?![\p{L}ʻʼ]))`,
    'gu',
  )
const hungPatterns = { kaa: makeHungPattern(endings.kaa), uz: makeHungPattern(endings.uz) }

/** No ending follows a placeholder. */
const findHungEndings: Rule = ({ locale, text }) =>
  locale === 'ru'
    ? []
    : [...text.matchAll(hungPatterns[locale])].map(([hung]) => ({
        word: hung.replaceAll(filledIn, '{…}'),
        fault: 'an ending follows a placeholder: put a noun between them',
      }))

/** Signs that a language does not use, with what it uses instead. */
const signs: Readonly<Record<CheckedLocale, readonly (readonly [RegExp, string])[]>> = {
  kaa: [
    [/[\p{L}'’‘`ʻʼ]*['’‘`ʻʼ][\p{L}'’‘`ʻʼ]*/gu, 'the alphabet of 2016 has no apostrophe'],
    [/[\p{L}]*[ğñģşçöüŋÿĞÑĢŞÇÖÜŊ][\p{L}]*/gu, 'a letter of another alphabet'],
    [/[“”„"]/gu, 'quotation marks are « »'],
  ],
  uz: [
    [/[\p{L}'’‘`]*['’‘`][\p{L}'’‘`]*/gu, 'oʻ and gʻ have U+02BB, the tutuq belgisi is U+02BC'],
    [/[\p{L}ʻ]*(?<![oOgG])ʻ[\p{L}ʻ]*/gu, 'U+02BB follows o and g only; the tutuq belgisi is U+02BC'],
    [/[\p{L}]*[áóúńǵığñģşçöüÁÓÚŃǴÍ][\p{L}]*/gu, 'a letter of another alphabet'],
    [/[«»„"]/gu, 'quotation marks are “ ”'],
  ],
  ru: [],
}

const findSigns: Rule = ({ locale, text }) =>
  signs[locale].flatMap(([pattern, fault]) => [...text.matchAll(pattern)].map(([word]) => ({ word, fault })))

/** No letter of another alphabet inside a word, and no Cyrillic word in the languages that are written in Latin. */
const findForeignLetters: Rule = ({ locale, text }) =>
  wordsIn(text)
    .filter((word) => {
      const hasCyrillic = /\p{Script=Cyrillic}/u.test(word)
      return hasCyrillic && (locale !== 'ru' || /\p{Script=Latin}/u.test(word))
    })
    .map((word) => ({ word, fault: locale === 'ru' ? 'Latin and Cyrillic letters in one word' : 'Cyrillic letters' }))

/** A Karakalpak ending after digits has a hyphen. */
const findLooseEndings: Rule = ({ locale, text }) =>
  locale === 'kaa'
    ? [...text.matchAll(/\d (?:[tdn][ae]n|[ǵq]a|[gk]e|[dt][ae]|[ndt][ıi]ń|[ndt][ıi])(?!\p{L})/gu)].map(([word]) => ({
        word,
        fault: 'an ending after digits has a hyphen',
      }))
    : []

const rules: readonly Rule[] = [
  findWrongWords,
  findDiscords,
  findHungEndings,
  findSigns,
  findForeignLetters,
  findLooseEndings,
]

/**
 * Finds what the rules refuse in texts.
 *
 * @param texts - Texts with their files and keys.
 * @returns A line for each finding: file, key, word, and what is wrong; equal lines once.
 */
export const findMisspellings = (texts: readonly SpelledText[]): string[] => [
  ...new Set(
    texts.flatMap((text) =>
      rules.flatMap((rule) => rule(text).map(({ word, fault }) => `${text.file} ${text.key}: "${word}": ${fault}`)),
    ),
  ),
]

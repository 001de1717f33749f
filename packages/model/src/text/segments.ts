/**
 * Segments of texts: the parts that the translation memory compares. A short text is one segment, longer ones are
 * cut into lines and sentences, and rich texts lose their markup first.
 */
import type { Locale } from '../locales.ts'
import { editDistance } from './edit-distance.ts'
import { searchKey } from './fold.ts'

/** Tags that end a block of a rich text; all others are within a line. */
const blockTag =
  /<\/?(?:p|h[1-6]|ul|ol|li|blockquote|hr|pre|figure|figcaption|table|thead|tbody|tr|th|td|div|br)\b[^>]*>/gi
const anyTag = /<[^>]*>/g
const namedSigns: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', nbsp: ' ', apos: "'" }

const toSign = (sign: string, name: string): string => {
  const known = namedSigns[name.toLowerCase()]
  if (known !== undefined || !name.startsWith('#')) return known ?? sign
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : sign
}

/** Returns the lines of a text as a reader sees them: without markup, with single spaces. */
function linesOf(text: string, isRich: boolean): string[] {
  const plainText = isRich
    ? text
        .replace(/\s+/g, ' ')
        .replace(blockTag, '\n')
        .replace(anyTag, '')
        .replace(/&(#?\w{1,8});/g, toSign)
    : text
  return plainText
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
}

/** Pattern of the space after a sentence: an end, and a capital letter or a number behind it. */
const sentenceGap = /(?<=[.!?…]["»”’)\]]{0,2}) (?=["«“‘([]{0,2}[\p{Lu}\p{N}])/gu
/** Words before a full stop that does not end a sentence; shorter ones are abbreviations as well. */
const abbreviations =
  /(?:^|[\s(«"])(?:\p{L}{1,2}|тыс|млн|млрд|обл|руб|стр|рис|тел|mln|mlrd|shah|tum|vil|approx|etc)\.$/u

function sentencesOf(line: string): string[] {
  const sentences: string[][] = []
  let formerPart: string | undefined
  for (const part of line.split(sentenceGap)) {
    // An abbreviation is the last word of a part, so the sentence before it need not be read again.
    if (formerPart !== undefined && abbreviations.test(formerPart)) sentences.at(-1)?.push(part)
    else sentences.push([part])
    formerPart = part
  }
  return sentences.map((parts) => parts.join(' '))
}

/**
 * Cuts a text into blocks of sentences, always in the same way.
 *
 * @param text - The text of a field.
 * @param isRich - Whether it has the markup of a rich text.
 * @returns The sentences of each line, without markup.
 * @example
 * segmentsOf('<p>Salı. Paxta!</p><p>Suw</p>', true) // [['Salı.', 'Paxta!'], ['Suw']]
 */
export const segmentsOf = (text: string, isRich: boolean): string[][] => linesOf(text, isRich).map(sentencesOf)

/**
 * Returns a segment as the translation memory compares it: plain small letters of one alphabet, no punctuation.
 *
 * @example
 * segmentKey('Салы, пахта!') === segmentKey('Salı paxta') // true
 */
export const segmentKey = (text: string): string =>
  searchKey(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Number of letters by which words are looked up: their endings differ, their beginnings seldom. */
const stemLength = 5

/**
 * Returns the beginnings of the words of a segment, by which similar segments are found.
 *
 * @param key - The key of the segment.
 * @param locale - Its language, which each stem begins with.
 * @returns The stems, each once; numbers have none, because they differ between similar segments.
 * @example
 * stemsOf('paxta paxtadan 2026', 'kaa') // ['kaa paxta']
 */
export const stemsOf = (key: string, locale: Locale): string[] => [
  ...new Set(
    key
      .split(' ')
      .filter((word) => /^\D{2,}/.test(word))
      .map((word) => `${locale} ${[...word].slice(0, stemLength).join('')}`),
  ),
]

/**
 * Returns how similar two segments are, in percent. 100 is the same text, 99 differs in letter case, alphabet or
 * punctuation alone.
 *
 * @param text - A segment.
 * @param otherText - The segment it is compared with.
 * @param leastShare - The share below which the result is 0.
 * @example
 * shareOf('Paxta baǵası', 'paxta baǵası!', 60) // 99
 */
export function shareOf(text: string, otherText: string, leastShare: number): number {
  const [plainText, otherPlainText] = [text, otherText].map((part) => part.normalize('NFC').replace(/\s+/g, ' ').trim())
  if (plainText === otherPlainText) return 100
  const [key, otherKey] = [segmentKey(text), segmentKey(otherText)]
  if (key === otherKey) return 99
  const length = Math.max(key.length, otherKey.length)
  const limit = Math.floor((length * (100 - leastShare)) / 100) + 1
  const distance = editDistance(key, otherKey, limit)
  return distance >= limit ? 0 : Math.min(98, Math.floor(100 - (distance * 100) / length))
}

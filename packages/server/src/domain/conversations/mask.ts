/**
 * Masks personal data in a text: contacts, cards and documents, links with keys, and the person's name in
 * either alphabet and any case (chat §2, checklist §2). Pure; it masks too much rather than too little.
 */
import { searchKey, searchNeedles } from '@dala/model'

/** The replacement for masked text, in every language. */
export const maskText = '•••'

// Pattern of one sign between groups of digits in phone and card numbers, or of none.
const gap = String.raw`[ \u00a0.\-–—]?`
const phoneCode = (digits: string) => String.raw`\(?(?:${digits})\)?`
const numberStart = String.raw`(?<![\p{L}\d])`
const numberEnd = String.raw`(?!\d)`
const joinDigitGroups = (...groups: string[]) => groups.join(gap)
const twoDigits = String.raw`\d{2}`
const threeDigits = String.raw`\d{3}`

/** Dialling codes of operators and cities of Uzbekistan. */
const operators = '20|33|50|55|61|62|65|66|67|69|7[0-9]|88|9[0-9]'

const numbers = [
  // Patterns of bank cards, with and without groups, of accounts and of personal numbers.
  joinDigitGroups(...Array.from({ length: 4 }, () => String.raw`\d{4}`)),
  String.raw`\d{12,}`,
  // Patterns of phone numbers: of Uzbekistan, of its neighbours, of any country with a plus; local ones by
  // their hyphens.
  joinDigitGroups(String.raw`\+?${phoneCode('998')}`, phoneCode(twoDigits), threeDigits, twoDigits, twoDigits),
  joinDigitGroups(String.raw`\+?${phoneCode('[78]')}`, phoneCode(threeDigits), threeDigits, twoDigits, twoDigits),
  joinDigitGroups(String.raw`\+\d{1,3}`, phoneCode(String.raw`\d{2,4}`), String.raw`\d{2,4}`, String.raw`\d{2,4}`) +
    String.raw`(?:${gap}\d{2,4}){0,2}`,
  joinDigitGroups(phoneCode(operators), threeDigits, twoDigits, twoDigits),
  String.raw`\d{3}-\d{2}-\d{2}`,
  // Patterns of documents: tax numbers, and passports of neighbouring countries.
  String.raw`\d{9}`,
  String.raw`\d{4} \d{6}`,
].map((form) => new RegExp(`${String.raw`(?<![\p{L}\d+])`}${form}${numberEnd}`, 'gu'))

const letters = [
  // The pattern of an e-mail address has bounded lengths, because a long text without `@` would be scanned
  // again from each letter.
  /[\p{L}\d._%+-]{1,64}@[\p{L}\d.-]{1,255}\.\p{L}{2,}/gu,
  // Names of users in messengers.
  /(?<![\p{L}\d])@[A-Za-z]\w{3,}/gu,
  /\b(?:https?:\/\/)?(?:t|wa)\.me\/\S+/giu,
  // Patterns of Uzbek passports: AA1234567, AA 1234567, AA № 1234567.
  new RegExp(`${numberStart}(?:${String.raw`\p{Lu}{2}\s?№?\s?|\p{L}{2}`})\\d{7}${numberEnd}`, 'gu'),
]

/** Addresses that contain a key: a query, a fragment, a user name and password. */
const link = /\b(?:https?:\/\/|www\.)\S+/giu
/**
 * A whole long word of an address, so that its length
 * costs no time; a file name is followed by its extension.
 */
const longTokenPattern = /(?<![\w-])[\w-]{20,}(?![\w-])(?!\.\w)/u
const isPlainLink = (text: string) =>
  !/[?#@]/u.test(text) && !longTokenPattern.test(text.replace(/^https?:\/\/[^/]*/iu, ''))
/** Secret keys outside addresses: long words of letters and digits. */
const key = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}(?:\.[\w-]+)*/gu

/** Pattern of a word with the signs that are letters in Uzbek. */
const wordPattern = /\p{L}[\p{L}\p{M}ʻʼ'‘’`´]*/gu
/** Maximum number of letters that a grammatical ending adds to a name. */
const longestEnding = 6

/** The beginnings that all forms of a name share, as search keys; the last vowel changes with the case. */
function stemsOf(names: readonly string[]): string[] {
  const nameParts = names.flatMap((name) => name.split(/[\s\-_.]+/u)).filter((name) => searchKey(name).length >= 3)
  const stems = nameParts
    .flatMap(searchNeedles)
    .map((name) => (name.length >= 5 ? name.replace(/[aeiouy]$/u, '') : name))
  return [...new Set(stems)]
}

function isName(text: string, stems: readonly string[]): boolean {
  const foundKey = searchKey(text)
  // Short names begin many words, so they are masked only in capitalised words.
  const isWrittenAsName = /^\p{Lu}/u.test(text)
  return stems.some(
    (stem) =>
      foundKey.startsWith(stem) &&
      foundKey.length - stem.length <= longestEnding &&
      (stem.length > 4 || isWrittenAsName),
  )
}

/**
 * Masks the private parts of a text.
 *
 * @param text - The text.
 * @param names - The names of the people it is about.
 * @returns The masked text.
 */
export function maskPrivate(text: string, names: readonly string[]): string {
  const stems = stemsOf(names)
  let maskedText = text
    .replaceAll(link, (address) => (isPlainLink(address) ? address : maskText))
    .replaceAll(key, maskText)
  for (const form of [...letters, ...numbers]) maskedText = maskedText.replaceAll(form, maskText)
  return maskedText.replaceAll(wordPattern, (foundWord) => (isName(foundWord, stems) ? maskText : foundWord))
}

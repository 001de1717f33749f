/**
 * Normalises letters for comparing, sorting and searching; the database has the same tables as SQL functions.
 */

// Explicit tables instead of the runtime's case mapping: the runtime maps ı and i to the same capital,
// differs between machines, and does not know Karakalpak, where Í is the capital of ı (data notes, alphabet).
const capitalLetters =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZÁǴÍŃÓÚİíÀÂÃÄÅÆÇÈÉÊËÌÎÏÑÒÔÕÖØÙÛÜÝÞĞŞ' + 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯӘҒҚҢӨҮЎҲҰҺІЇЄҐ'
const smallLetters =
  'abcdefghijklmnopqrstuvwxyzáǵıńóúiıàâãäåæçèéêëìîïñòôõöøùûüýþğş' + 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяәғқңөүўҳұһіїєґ'

// Spellings that readers treat as equal: е for ё, plain letters for accented ones, any apostrophe or none.
const variants = 'ёáǵıńóú'
const unaccentedLetters = 'еaginou'
const apostrophes = "'‘’`ʻʼ´"

/**
 * Maps letters of `from` to letters of `to`; letters beyond the end of `to` are dropped (as SQL `translate`).
 */
export interface FoldTable {
  from: string
  to: string
}
export const caseTable: FoldTable = { from: capitalLetters, to: smallLetters }
export const searchTable: FoldTable = { from: variants + apostrophes, to: unaccentedLetters }

function toLetterMap({ from, to }: FoldTable): ReadonlyMap<string, string> {
  const target = [...to]
  return new Map([...from].map((letter, index) => [letter, target[index] ?? '']))
}

const caseMap = toLetterMap(caseTable)
const searchMap = toLetterMap(searchTable)

function replaceLetters(text: string, map: ReadonlyMap<string, string>): string {
  let replaced = ''
  for (const letter of text) replaced += map.get(letter) ?? letter
  return replaced
}

/**
 * Returns the text in lower case, for case-insensitive operators (contract §6).
 *
 * @example
 * foldCase('QÍZÍL') // 'qızıl'
 */
export function foldCase(text: string): string {
  return replaceLetters(text, caseMap)
}

const spellings = new Map<string, string>()
for (const [capital, smallLetter] of caseMap)
  spellings.set(smallLetter, (spellings.get(smallLetter) ?? smallLetter) + capital)

/**
 * Returns the letters that `foldCase` makes equal to a letter.
 *
 * @param letter - A letter in its folded form.
 * @returns All letters that are folded to it, itself first.
 * @example
 * spellingsOf('a') // 'aA'
 */
export function spellingsOf(letter: string): string {
  return spellings.get(letter) ?? letter
}

/**
 * Returns the text as sorting compares it: lower case, one spelling for variants, no apostrophes.
 *
 * @example
 * searchKeyOf('Oʻzbek') // 'ozbek'
 */
export function searchKeyOf(text: string): string {
  return replaceLetters(foldCase(text), searchMap)
}

/**
 * Letters and the plain letter that a search treats them as. ш, ч, ю and я need two letters, which are filled
 * in last.
 */
const lookAlikes: readonly (readonly [letters: string, plain: string])[] = [
  ['аáàâãäåә', 'a'],
  ['б', 'b'],
  ['ç', 'c'],
  ['д', 'd'],
  ['еёэéèêëє', 'e'],
  ['ф', 'f'],
  ['гǵғґğ', 'g'],
  ['ҳһ', 'h'],
  ['иыıíìîïії', 'i'],
  ['ж', 'j'],
  ['кқq', 'k'],
  ['л', 'l'],
  ['м', 'm'],
  ['нńңñ', 'n'],
  ['оóòôõöøўө', 'o'],
  ['п', 'p'],
  ['р', 'r'],
  ['сцş', 's'],
  ['т', 't'],
  ['уúùûüұү', 'u'],
  ['в', 'v'],
  ['х', 'x'],
  ['йý', 'y'],
  ['з', 'z'],
  ['щ', 'ш'],
]
/**
 * Letters that a search key leaves out: apostrophes, the hard and soft signs, the stress mark, and the
 * separator of a stored key.
 */
const silentLetters = `${apostrophes}ъьЪЬ\u0301\u001f`
const emptyMark = '\u001f'

const plainSmallLetters = new Map(
  lookAlikes.flatMap(([letters, plainLetter]) => [...letters].map((letter) => [letter, plainLetter])),
)
const plainLetters = new Map([
  ...plainSmallLetters,
  ...[...caseMap].map(([capital, smallLetter]): [string, string] => [
    capital,
    plainSmallLetters.get(smallLetter) ?? smallLetter,
  ]),
  ...Array.from(silentLetters).map((letter): [string, string] => [letter, emptyMark]),
])
// Frequent letters are listed first, because `translate` scans the list for every letter: three times faster.
const frequentLetters = ' aаieоnиoеrнtтlрsслdmвuкмkhдgпbуyя.,ʻzыvpбqь<>/йзгxчjхfcжwшю-цщэф0123456789"=:;()\n'
const keyLetters = [...new Set([...Array.from(frequentLetters), ...plainLetters.keys()])]

export const keyTable: FoldTable = {
  from: keyLetters.join(''),
  to: keyLetters.map((letter) => plainLetters.get(letter) ?? letter).join(''),
}
/** Replacements of letters after the search table: letters that become two letters or none. */
const keyReplacements: Readonly<Record<string, string>> = { ш: 'sh', ч: 'ch', ю: 'yu', я: 'ya', [emptyMark]: '' }

const keyMap = new Map(
  [...toLetterMap(keyTable)].map(([letter, plainLetter]) => [letter, keyReplacements[plainLetter] ?? plainLetter]),
)

/**
 * Returns the text as a search compares it: lower-case plain Latin letters where they exist, so that Cyrillic
 * and Latin spellings of Uzbek and Karakalpak are equal (chat §7). It works letter by letter, so a part of a
 * text has a part of its key.
 *
 * @example
 * searchKey('Ўзбек') === searchKey('Oʻzbek') // both 'ozbek'
 */
export function searchKey(text: string): string {
  return replaceLetters(text, keyMap)
}

type Spelling = readonly (readonly [RegExp, string])[]

// Spellings of a query in the other alphabet, where letters do not correspond one to one. т and с stay apart
// in сүўретсиз, and are ц in a loan.
const apartSpelling: Spelling = [
  [/y[eo]/g, 'e'],
  [/w/g, 'o'],
]
const cyrillicSpelling: Spelling = [...apartSpelling, [/ts|c(?!h)/g, 's']]
// Uzbek months lost a soft vowel with the Latin script: октябрь, oktabr.
const latinMonths: Spelling = [[/tyabr/g, 'tabr']]
const cyrillicMonths: Spelling = [[/tabr/g, 'tyabr']]
const yoSpelling: Spelling = [
  [/(?<=[аоуэеиўюяёәөү])е/g, 'ye'],
  [/ё/g, 'yo'],
]
// е at the head of an Uzbek word is ye: ер, yer.
const uzbekSpelling: Spelling = [[/(?<!\p{L})е/gu, 'ye'], ...yoSpelling, [/ц/g, 'ts']]
// ў is a vowel of Uzbek and a consonant of Karakalpak: әўели, áweli.
const karakalpakSpelling: Spelling = [[/ў/g, 'w'], ...yoSpelling, [/ц/g, 'c']]

// ń and ң in Karakalpak are ng on keyboards without that letter, and in Uzbek: Qońırat, Qongirat, Qoʻngʻirot.
const nasalSpelling: Spelling = [[/[ńң]/g, 'ng']]

const respellText = (text: string, spelling: Spelling) =>
  spelling.reduce((respelledText, [letters, replacement]) => respelledText.replace(letters, replacement), text)

/**
 * The keys to search for: the key of the text first, then those of its other spellings that differ.
 *
 * @example
 * searchNeedles('Қоңырат') // ['konirat', 'kongirat']
 */
export function searchNeedles(text: string): string[] {
  const foldedText = foldCase(text)
  const spellings = [
    searchKey(foldedText),
    respellText(searchKey(foldedText), cyrillicSpelling),
    respellText(searchKey(foldedText), apartSpelling),
    respellText(searchKey(foldedText), latinMonths),
    respellText(searchKey(foldedText), cyrillicMonths),
    searchKey(respellText(foldedText, uzbekSpelling)),
    searchKey(respellText(foldedText, karakalpakSpelling)),
    searchKey(respellText(foldedText, nasalSpelling)),
  ]
  return [...new Set(spellings.flatMap((key) => [key, key.replaceAll('ng', 'n')]))]
}

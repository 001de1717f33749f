/** Folding of letters for comparing, sorting and searching; the database has the same tables as SQL functions. */

// Explicit tables instead of the runtime's case mapping: that one turns ı and i into the same capital, differs
// between machines, and knows nothing of Karakalpak, where Í is the capital of ı (data notes, alphabet).
const capitals =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZÁǴÍŃÓÚİíÀÂÃÄÅÆÇÈÉÊËÌÎÏÑÒÔÕÖØÙÛÜÝÞĞŞ' + 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯӘҒҚҢӨҮЎҲҰҺІЇЄҐ'
const smalls =
  'abcdefghijklmnopqrstuvwxyzáǵıńóúiıàâãäåæçèéêëìîïñòôõöøùûüýþğş' + 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяәғқңөүўҳұһіїєґ'

// Spellings that readers take for the same: е for ё, plain letters for accented ones, any apostrophe or none.
const variants = 'ёáǵıńóú'
const plains = 'еaginou'
const apostrophes = "'‘’`ʻʼ´"

/** From → to, letter by letter; letters of `from` beyond the end of `to` are dropped (as SQL `translate`). */
export interface FoldTable {
  from: string
  to: string
}
export const caseTable: FoldTable = { from: capitals, to: smalls }
export const searchTable: FoldTable = { from: variants + apostrophes, to: plains }

function toMap({ from, to }: FoldTable): ReadonlyMap<string, string> {
  const target = [...to]
  return new Map([...from].map((letter, index) => [letter, target[index] ?? '']))
}

const caseMap = toMap(caseTable)
const searchMap = toMap(searchTable)

const translate = (text: string, map: ReadonlyMap<string, string>) =>
  Array.from(text, (letter) => map.get(letter) ?? letter).join('')

/** The text in small letters, for operators that do not mind case (contract §6). */
export function foldCase(text: string): string {
  return translate(text, caseMap)
}

const spellings = new Map<string, string>()
for (const [capital, small] of caseMap) spellings.set(small, (spellings.get(small) ?? small) + capital)

/**
 * The letters that `foldCase` makes one.
 *
 * @param letter A letter that is folded already.
 * @returns All letters that are folded to it, itself among them.
 */
export function spellingsOf(letter: string): string {
  return spellings.get(letter) ?? letter
}

/** The text as sorting sees it: small letters, one spelling for variants, no apostrophes. */
export function foldSearch(text: string): string {
  return translate(foldCase(text), searchMap)
}

/** Letters → the plain one that they count as in a search. ш, ч, ю and я need two, and are plain until the end. */
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
/** Nothing in the end: apostrophes, the hard and the soft sign, the stress mark, and what parts the texts of a stored key. */
const unspoken = `${apostrophes}ъьЪЬ\u0301\u001f`
const nothing = '\u001f'

const plainSmalls = new Map(lookAlikes.flatMap(([letters, plain]) => [...letters].map((letter) => [letter, plain])))
const plainLetters = new Map([
  ...plainSmalls,
  ...[...caseMap].map(([capital, small]): [string, string] => [capital, plainSmalls.get(small) ?? small]),
  ...Array.from(unspoken).map((letter): [string, string] => [letter, nothing]),
])
// PostgreSQL's `translate` looks through the list from its front for every letter, and to its end for one that is not
// there. What texts are mostly made of stands first, counting as itself where it is plain: search keys of rich texts
// are made three times faster by this order.
const frequent = ' aаieоnиoеrнtтlрsслdmвuкмkhдgпbуyя.,ʻzыvpбqь<>/йзгxчjхfcжwшю-цщэф0123456789"=:;()\n'
const keyLetters = [...new Set([...Array.from(frequent), ...plainLetters.keys()])]

export const keyTable: FoldTable = {
  from: keyLetters.join(''),
  to: keyLetters.map((letter) => plainLetters.get(letter) ?? letter).join(''),
}
/** What stands for two letters, and for none, after the table. */
const keySpellings: Readonly<Record<string, string>> = { ш: 'sh', ч: 'ch', ю: 'yu', я: 'ya', [nothing]: '' }

const keyMap = new Map([...toMap(keyTable)].map(([letter, plain]) => [letter, keySpellings[plain] ?? plain]))

/**
 * The text as a search sees it: small plain Latin letters where there are any, so that Cyrillic and Latin spellings of
 * Uzbek and Karakalpak meet (chat §7). Letter by letter: a part of a text has a part of its key.
 */
export function searchKey(text: string): string {
  return translate(text, keyMap)
}

type Spelling = readonly (readonly [RegExp, string])[]

// Where the two alphabets do not match letter by letter, what is looked for is spelled in the other one as well.
const asInCyrillic: Spelling = [
  [/y[eo]/g, 'e'],
  [/ts|c(?!h)/g, 's'],
  [/w/g, 'o'],
]
const yotted: Spelling = [
  [/(?<=[аоуэеиўюяёәөү])е/g, 'ye'],
  [/ё/g, 'yo'],
]
const asInUzbekLatin: Spelling = [...yotted, [/ц/g, 'ts']]
const asInKarakalpakLatin: Spelling = [...yotted, [/ц/g, 'c'], [/ў/g, 'w']]

// What is ń and ң in Karakalpak is ng where a keyboard has no such letter, and in Uzbek: Qońırat, Qongirat, Qoʻngʻirot.
const nasal: Spelling = [[/[ńң]/g, 'ng']]

const respell = (text: string, spelling: Spelling) =>
  spelling.reduce((changed, [letters, others]) => changed.replace(letters, others), text)

/** The keys to look for: the text's own first, then those of its other spellings that differ. */
export function searchNeedles(text: string): string[] {
  const small = foldCase(text)
  const spelled = [
    searchKey(small),
    respell(searchKey(small), asInCyrillic),
    searchKey(respell(small, asInUzbekLatin)),
    searchKey(respell(small, asInKarakalpakLatin)),
    searchKey(respell(small, nasal)),
  ]
  return [...new Set(spelled.flatMap((key) => [key, key.replaceAll('ng', 'n')]))]
}

/** Folding of letters for comparing and searching; the database has the same tables as SQL functions. */

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

/** The text as a search sees it: small letters, one spelling for variants, no apostrophes. */
export function foldSearch(text: string): string {
  return translate(foldCase(text), searchMap)
}

/** Parses the text of a query as values of a column, ready to be bound. */
import {
  fault,
  foldCase,
  isStorable,
  maxInteger,
  searchKey,
  searchNeedles,
  spellingsOf,
  type Storage,
  toMoment,
} from '@dala/model'
import type { CaseFolding, Comparison } from './query.ts'

const truthValues: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  '1': true,
  false: false,
  f: false,
  '0': false,
}
const maxBigint = 9_223_372_036_854_775_807n

const badValue = (key: string) => fault('query.value', { params: { key } })

/** Returns a boolean in any spelling of contract §6; throws 400 for anything else. */
export function readBoolean(value: unknown, key: string): boolean {
  const booleanValue = typeof value === 'string' && Object.hasOwn(truthValues, value) ? truthValues[value] : value
  if (typeof booleanValue !== 'boolean') throw badValue(key)
  return booleanValue
}

/** Returns an id of a query; throws 400 for anything else. */
export function readId(value: unknown, key: string): number {
  const text = readText(value, key)
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > maxInteger) throw badValue(key)
  return id
}

/** Returns a single text of a query; throws 400 for objects, lists and characters that cannot be stored. */
export function readText(value: unknown, key: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || !isStorable(value)) throw badValue(key)
  return value
}

/** Returns one value in the form of a column; throws 400 for a text that is not valid. */
export function readValue(value: unknown, storage: Storage, key: string): string | boolean {
  if (storage === 'boolean') return readBoolean(value, key)
  const text = readText(value, key)
  if (storage === 'integer') {
    if (!/^[+-]?\d{1,19}$/.test(text) || BigInt(text) > maxBigint || BigInt(text) < -maxBigint) throw badValue(key)
    return BigInt(text).toString()
  }
  if (storage === 'decimal') {
    if (!/^[+-]?\d{1,30}(\.\d{1,30})?$/.test(text)) throw badValue(key)
    return text
  }
  if (storage === 'date' || storage === 'timestamp') {
    const moment = toMoment(text)
    if (moment === undefined) throw badValue(key)
    return storage === 'date' ? moment.slice(0, 10) : moment
  }
  return text
}

/** Returns the PostgreSQL type that values of a storage are bound as. */
export const boundTypes: Readonly<Record<Storage, string>> = {
  text: 'text',
  integer: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  json: 'text',
}

/** Makes `%`, `_` and `\` literal in a LIKE pattern (contract §6). */
export function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`)
}

const asciiPattern = /^[\0-\x7f]*$/
/**
 * Maximum length of a text that a regular expression finds: for longer texts, evaluating the expression takes
 * longer than it saves.
 */
const longestPattern = 100

/**
 * Chooses the method of a case-insensitive comparison.
 *
 * @param text - The text to search for.
 * @returns The cheapest method with the same result as comparing both in lower case.
 */
export function foldingOf(text: string): CaseFolding {
  const foldedText = foldCase(text)
  if (asciiPattern.test(foldedText)) return 'ascii'
  return foldedText.length <= longestPattern ? 'pattern' : 'table'
}

/** Returns a regular expression that matches a text in any case. */
function casePattern(text: string): string {
  return Array.from(foldCase(text), (letter) => {
    const spellings = spellingsOf(letter)
    if (spellings.length > 1) return `[${spellings}]`
    return /[!-/:-@[-`{-~]/.test(letter) ? `\\${letter}` : letter
  }).join('')
}

/** Wildcards around the text of each comparison, and whether it is case-insensitive. */
interface TextShape {
  isOpening: boolean
  isClosing: boolean
  isFolded: boolean
}
const shape = (isOpening: boolean, isClosing: boolean, isFolded: boolean): TextShape => ({
  isOpening,
  isClosing,
  isFolded,
})
const textShapes: Readonly<Partial<Record<Comparison, TextShape>>> = {
  $contains: shape(true, true, false),
  $notContains: shape(true, true, false),
  $containsi: shape(true, true, true),
  $notContainsi: shape(true, true, true),
  $startsWith: shape(false, true, false),
  $startsWithi: shape(false, true, true),
  $endsWith: shape(true, false, false),
  $endsWithi: shape(true, false, true),
  $eqi: shape(false, false, true),
  $nei: shape(false, false, true),
}

/** Tells whether a comparison is case-insensitive. */
export const isFolded = (comparison: Comparison): boolean => textShapes[comparison]?.isFolded === true

/**
 * Returns the bound form of the value in a text comparison: a pattern, a regular expression, or the text
 * itself.
 *
 * @param comparison - The operator.
 * @param text - The text to search for.
 * @param folding - The method of folding case where the operator is case-insensitive.
 * @returns The text to bind.
 */
export function toOperand(comparison: Comparison, text: string, folding: CaseFolding = 'table'): string {
  const { isOpening, isClosing, isFolded } = textShapes[comparison] ?? shape(false, false, false)
  if (isFolded && folding === 'pattern') return `${isOpening ? '' : '^'}${casePattern(text)}${isClosing ? '' : '$'}`
  const operand = isFolded ? foldCase(text) : text
  return isOpening || isClosing ? `${isOpening ? '%' : ''}${escapePattern(operand)}${isClosing ? '%' : ''}` : operand
}

const positiveComparisons: ReadonlySet<Comparison> = new Set([
  '$eq',
  '$eqi',
  '$contains',
  '$containsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
])

/**
 * Returns the pattern that the search keys of matching texts fit.
 *
 * @param comparison - The operator.
 * @param text - The text to search for.
 * @returns The pattern; undefined where the operator or too few letters determine nothing about the key.
 */
export function toKeyPattern(comparison: Comparison, text: string): string | undefined {
  const key = searchKey(text)
  return positiveComparisons.has(comparison) && /[a-z0-9]{3}/.test(key) ? `%${escapePattern(key)}%` : undefined
}

/**
 * The patterns of `_q` in search keys: that of the text, and those of its spellings in the other alphabet.
 */
export function toSearchPatterns(text: string): string[] {
  return searchNeedles(text).map((needle) => `%${escapePattern(needle)}%`)
}

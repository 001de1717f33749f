/** Reads the text of a query as values of a column, ready to be bound. */
import { fault, foldCase, isStorable, maxInteger, searchNeedles, type Storage, toMoment } from '@dala/model'
import type { Comparison } from './query.ts'

const truths: Readonly<Record<string, boolean>> = { true: true, t: true, '1': true, false: false, f: false, '0': false }
const maxBigint = 9_223_372_036_854_775_807n

const badValue = (key: string) => fault('query.value', { params: { key } })

/** A truth in any spelling of contract §6; 400 for anything else. */
export function readTruth(value: unknown, key: string): boolean {
  const truth = typeof value === 'string' && Object.hasOwn(truths, value) ? truths[value] : value
  if (typeof truth !== 'boolean') throw badValue(key)
  return truth
}

/** A single text of a query; 400 for objects, lists and characters that cannot be stored. */
export function readText(value: unknown, key: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || !isStorable(value)) throw badValue(key)
  return value
}

/** One value of a column's storage; 400 when the text spells none. */
export function readValue(value: unknown, storage: Storage, key: string): string | boolean {
  if (storage === 'boolean') return readTruth(value, key)
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

/** PostgreSQL type that values of a storage are bound as. */
export const boundAs: Readonly<Record<Storage, string>> = {
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

/** The value of a text comparison in the form its SQL compares with: folded, or a pattern. */
export function toOperand(comparison: Comparison, text: string): string {
  switch (comparison) {
    case '$eqi':
    case '$nei':
      return foldCase(text)
    case '$contains':
    case '$notContains':
      return `%${escapePattern(text)}%`
    case '$containsi':
    case '$notContainsi':
      return `%${escapePattern(foldCase(text))}%`
    case '$startsWith':
      return `${escapePattern(text)}%`
    case '$startsWithi':
      return `${escapePattern(foldCase(text))}%`
    case '$endsWith':
      return `%${escapePattern(text)}`
    case '$endsWithi':
      return `%${escapePattern(foldCase(text))}`
    default:
      return text
  }
}

/** The patterns that `_q` looks for in search keys: the text's own, and those of its spellings in the other alphabet. */
export function toSearchPatterns(text: string): string[] {
  return searchNeedles(text).map((needle) => `%${escapePattern(needle)}%`)
}

/** A whole number from 0 on of the query. Throws 400 for anything else. */
export function readWhole(value: unknown, key: string): number {
  const text = readText(value, key)
  const number = /^\d{1,10}$/.test(text) ? Number(text) : -1
  if (number < 0 || number > maxInteger) throw fault('query.value', { params: { key } })
  return number
}

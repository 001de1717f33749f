/** Whether a record matches the filter of a grant, as far as its loaded values show. */
import { type RoleType, rolesBelow, type RowFilter } from '@dala/model'
import { isObject } from '../lib/is-object.ts'

interface Reader {
  id: number
  role: RoleType
}

/** Values of the filter that stand for the user's own. */
function resolve(wanted: unknown, reader: Reader): unknown {
  if (wanted === '$caller.id') return reader.id
  return wanted === '$caller.rolesBelow' ? rolesBelow(reader.role) : wanted
}

const plain = (value: unknown) => (isObject(value) && 'id' in value ? value.id : value)

/** Links that were not loaded count as matching: the server knows them, and refuses if not. */
export function isWithin(rows: RowFilter, record: Readonly<Record<string, unknown>>, reader: Reader): boolean {
  return Object.entries(rows).every(([key, wanted]) => {
    if (key === '$or' || key === '$and') {
      const all = Array.isArray(wanted) ? wanted.filter(isRows) : []
      const one = (rule: RowFilter) => isWithin(rule, record, reader)
      return key === '$or' ? all.some(one) : all.every(one)
    }
    const value = record[key]
    return value === undefined || agrees(wanted, value, reader)
  })
}

const isRows = (value: unknown): value is RowFilter => isObject(value)

function agrees(wanted: RowFilter[string], value: unknown, reader: Reader): boolean {
  if (!isRows(wanted)) return plain(value) === resolve(wanted, reader)
  return Object.entries(wanted).every(([key, operand]) => {
    const expected = resolve(operand, reader)
    if (key === '$null') return (plain(value) === null) === expected
    if (key === '$ne') return plain(value) !== expected
    if (key === '$in') return Array.isArray(expected) && expected.includes(plain(value))
    if (key.startsWith('$')) return true
    return isObject(value) && (value[key] === undefined || agrees(operand, value[key], reader))
  })
}

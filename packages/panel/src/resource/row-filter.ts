/** Whether a record matches the filter of a grant, as far as its loaded values show. */
import { type RoleType, rolesBelow, type RowFilter } from '@dala/model'
import { isObject } from '../lib/is-object.ts'

interface Reader {
  id: number
  role: RoleType
}

/** Replaces values in a grant's filter that mean the user's own id. */
function resolveOwnId(value: unknown, reader: Reader): unknown {
  if (value === '$caller.id') return reader.id
  return value === '$caller.rolesBelow' ? rolesBelow(reader.role) : value
}

const idOrValue = (value: unknown) => (isObject(value) && 'id' in value ? value.id : value)

/** Links of a record that were not loaded count as matching: the server knows them, and refuses if not. */
export function isWithin(rows: RowFilter, record: Readonly<Record<string, unknown>>, reader: Reader): boolean {
  return Object.entries(rows).every(([key, expected]) => {
    if (key === '$or' || key === '$and') {
      const rules = Array.isArray(expected) ? expected.filter(isRowFilter) : []
      const matchesRule = (rule: RowFilter) => isWithin(rule, record, reader)
      return key === '$or' ? rules.some(matchesRule) : rules.every(matchesRule)
    }
    const value = record[key]
    return value === undefined || matches(expected, value, reader)
  })
}

const isRowFilter = (value: unknown): value is RowFilter => isObject(value)

function matches(expected: RowFilter[string], value: unknown, reader: Reader): boolean {
  if (!isRowFilter(expected)) return idOrValue(value) === resolveOwnId(expected, reader)
  return Object.entries(expected).every(([key, operand]) => {
    const expectedValue = resolveOwnId(operand, reader)
    if (key === '$null') return (idOrValue(value) === null) === expectedValue
    if (key === '$ne') return idOrValue(value) !== expectedValue
    if (key === '$in') return Array.isArray(expectedValue) && expectedValue.includes(idOrValue(value))
    if (key.startsWith('$')) return true
    return isObject(value) && (value[key] === undefined || matches(operand, value[key], reader))
  })
}

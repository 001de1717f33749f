/** The changes of a write: values compared with the stored ones, in the form that history stores. */
import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '@dala/model'
import { columnFields } from '../../db/schema.ts'
import type { Change } from '../history/history.ts'

export type Values = Record<string, unknown>
type StoredValues = Readonly<Record<string, unknown>>

/** Splits the values of a write into those of one language and those that all languages share. */
export function splitByLanguage(resource: Resource, values: Values): { shared: Values; localized: Values } {
  const sharedValues: Values = {}
  const localizedValues: Values = {}
  for (const [name, value] of Object.entries(values)) {
    if (resource.fields[name]?.localized) localizedValues[name] = value
    else sharedValues[name] = value
  }
  return { shared: sharedValues, localized: localizedValues }
}

function isPrivate(resource: Resource, name: string): boolean {
  return resource.fields[name]?.private === true
}

/** Returns a record's values as changes from nothing, for its first revision. */
export function firstChanges(resource: Resource, values: Values): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value !== null && !isPrivate(resource, name))
      .map(([name, value]) => [name, { before: null, after: value }]),
  )
}

/** Returns the values of a write that differ from the stored ones, as changes. */
export function differences(resource: Resource, values: Values, storedValues: StoredValues): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => isPrivate(resource, name) || !isDeepStrictEqual(value, storedValues[name] ?? null))
      .map(([name, value]) => [name, { before: storedValues[name] ?? null, after: value }]),
  )
}

/** Returns the values of a record's fields after their changes. */
export const valuesOf = (changes: Record<string, Change>): Values =>
  Object.fromEntries(Object.entries(changes).map(([name, { after }]) => [name, after]))

/** Returns the changes of a record without private fields, as history may show them. */
export const shownChanges = (resource: Resource, changes: Record<string, Change>): Record<string, Change> =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => !isPrivate(resource, name)))

/** Returns values as changes to nothing, for the last revision of a record or of its shared part. */
export function lastChanges(
  resource: Resource,
  storedValues: StoredValues,
  localized: boolean,
): Record<string, Change> {
  return Object.fromEntries(
    columnFields(resource, localized)
      .filter(([name, field]) => !field.private && storedValues[name] !== null && storedValues[name] !== undefined)
      .map(([name]) => [name, { before: storedValues[name], after: null }]),
  )
}

/**
 * The private values of a deleted record: a restore needs
 * them, and nobody is shown them. Passwords are left out.
 *
 * @param resource - The resource of the record.
 * @param storedValues - Its stored values by field.
 * @param localized - True for the values of one language, false for those that all languages share.
 * @returns `private` with the values by field, or nothing.
 */
export function privateValues(
  resource: Resource,
  storedValues: StoredValues,
  localized: boolean,
): { private?: Readonly<Record<string, unknown>> } {
  const foundFields = columnFields(resource, localized)
    .filter(([, field]) => field.private && field.kind !== 'password')
    .flatMap(([name]): [string, unknown][] => {
      const value = storedValues[name] ?? null
      return value === null ? [] : [[name, value]]
    })
  return foundFields.length > 0 ? { private: Object.fromEntries(foundFields) } : {}
}

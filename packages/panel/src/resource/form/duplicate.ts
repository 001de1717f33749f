/** Makes a new record with the values of another one, in all its languages. */
import { type Entry, type Field, type Resource } from '@dala/model'
import { type FormValues, toFormValues, type Values } from './values.ts'

/**
 * Fields that a duplicate does not copy: they must differ between two records, or belong to one record alone.
 */
function isOwnField(resource: Resource, name: string): boolean {
  const field: Field | undefined = resource.fields[name]
  if (!field || field.private || field.kind === 'slug' || field.kind === 'password') return true
  // A duplicated record starts in the first state, so a field with transitions is not copied.
  return ('unique' in field && field.unique === true) || (field.kind === 'choice' && field.transitions !== undefined)
}

/**
 * Copies the values of a record for the form of its duplicate.
 *
 * @param resource - The resource with the fields that the user writes.
 * @param record - The record to copy.
 * @returns Its values without those that belong to it alone.
 */
export function duplicateOf(resource: Resource, record: Entry): FormValues {
  const { shared, texts } = toFormValues(resource, record)
  const listCopyableValues = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !isOwnField(resource, name)))
  return {
    shared: listCopyableValues(shared),
    texts: Object.fromEntries(Object.entries(texts).map(([locale, values]) => [locale, listCopyableValues(values)])),
  }
}

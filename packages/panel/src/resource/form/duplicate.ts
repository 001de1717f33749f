/** A new record that begins with the values of another one, in all its languages. */
import { type Entry, type Field, type Resource } from '@dala/model'
import { type FormValues, toFormValues, type Values } from './values.ts'

/** What two records must not share, or what only its own record can say. */
function isOwn(resource: Resource, name: string): boolean {
  const field: Field | undefined = resource.fields[name]
  if (!field || field.private || field.kind === 'slug' || field.kind === 'password') return true
  // A state begins anew.
  return ('unique' in field && field.unique === true) || (field.kind === 'choice' && field.steps !== undefined)
}

/** In: the resource with the fields that the reader writes, and the record. Out: its values without what is its own. */
export function duplicateOf(resource: Resource, record: Entry): FormValues {
  const { shared, texts } = toFormValues(resource, record)
  const rest = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !isOwn(resource, name)))
  return {
    shared: rest(shared),
    texts: Object.fromEntries(Object.entries(texts).map(([locale, values]) => [locale, rest(values)])),
  }
}

/**
 * Turns constraint errors of the database into refusals:
 * unique values, links, required columns (checklist §6).
 */
import { type Fault, fault, type Issue, isToOne, type Resource, validationFault } from '@dala/model'
import { columnOf, documentTable, textTable } from '../../db/schema.ts'

/** Makes the issue for a unique value that another record has (contract §4). */
export const uniqueIssue = (field: string): Issue => ({ path: [field], code: 'validation.unique', params: { field } })

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/**
 * Whether the database ended a transaction because of a deadlock. Nothing was written, so it may run again.
 */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01'
}

/** Returns the fields of a unique constraint; empty for other constraints. */
export function fieldsOfConstraint(resource: Resource, constraint: string): string[] {
  const [documents, texts] = [documentTable(resource), textTable(resource)]
  const field = Object.keys(resource.fields).find((name) =>
    [`${documents}_${name}_key`, `${texts}_${name}_key`].includes(constraint),
  )
  if (field !== undefined) return [field]
  const fieldNames = resource.uniqueTogether?.find((names) => `${documents}_${names.join('_')}_key` === constraint)
  return [...(fieldNames ?? [])]
}

/** Returns the refusal for a violated constraint; undefined for any other error. */
export function constraintFault(error: unknown, resource: Resource): Fault | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const [code, constraint] = [codeOf(error), 'constraint' in error ? String(error.constraint) : '']
  if (code === '23505') {
    const fields = fieldsOfConstraint(resource, constraint)
    if (fields.length > 0) return validationFault(fields.map(uniqueIssue))
    // A concurrent write added the same language, or the only document of a single resource.
    if ([`${textTable(resource)}_document_id_locale_key`, `${documentTable(resource)}_single_key`].includes(constraint))
      return fault('locale.used')
  }
  if (code === '23503') {
    // The target of a link was deleted between the look-up and the write.
    return fault('record.in-use', {
      params: { count: 1, resource: resource.wire },
      details: { resource: resource.wire, count: 1 },
    })
  }
  if (code === '23502' && 'column' in error) {
    // A rule of the resource emptied a required value, which the body could not have set.
    const column = String(error.column)
    const field = Object.entries(resource.fields).find(
      ([name, declaredField]) => (isToOne(declaredField) ? columnOf(resource, name) : name) === column,
    )?.[0]
    if (field !== undefined) return validationFault([{ path: [field], code: 'validation.required', params: { field } }])
  }
  return undefined
}

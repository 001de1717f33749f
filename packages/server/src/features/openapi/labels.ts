/** Finds English labels of the declared resources and fields, for readers of the OpenAPI document. */
import { type Field, fieldLabel, type Resource, resourceSingular, resourceTitle } from '@dala/model'
import { labelsOf } from '../../resources/labels.ts'

const catalogue: Readonly<Record<string, string>> = labelsOf('en')

/** Returns the first English label that exists, or the key when none does. */
const wordOf = (candidates: readonly string[], fallback: string): string =>
  candidates.map((key) => catalogue[key]).find((foundLabel) => foundLabel !== undefined) ?? fallback

/** Returns the plural label of a resource: "Regions". */
export const pluralLabel = (resource: Resource): string => wordOf([resourceTitle(resource)], resource.wire)
/** Returns the singular label of a resource: "Region". */
export const singularLabel = (resource: Resource): string => wordOf([resourceSingular(resource)], resource.wire)

/**
 * Describes what a field's schema does not show.
 *
 * @param resource - The resource.
 * @param name - The field's name.
 * @param field - The field's declaration.
 * @returns The description.
 */
export function describeField(resource: Resource, name: string, field: Field): string {
  const notes = [
    wordOf(fieldLabel(resource, name), name),
    ...(field.localized ? ['has its own value in each language'] : []),
    ...(field.unique ? ['unique'] : []),
    ...(field.readOnly ? ['read-only'] : []),
  ]
  return notes.join('; ')
}

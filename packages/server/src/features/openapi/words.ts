/** English names of what the model declares, for the readers of the document. */
import { type Field, fieldLabel, type Resource, resourceSingular, resourceTitle } from '@dala/model'
import { labelsOf } from '../../resources/labels.ts'

const words: Readonly<Record<string, string>> = labelsOf('en')

/** The first word that exists; the key of the last resort when none does. */
const wordOf = (candidates: readonly string[], otherwise: string): string =>
  candidates.map((key) => words[key]).find((word) => word !== undefined) ?? otherwise

/** "Regions". */
export const manyOf = (resource: Resource): string => wordOf([resourceTitle(resource)], resource.wire)
/** "Region". */
export const oneOf = (resource: Resource): string => wordOf([resourceSingular(resource)], resource.wire)

/** What a reader should know of a field beside its form. */
export function describeField(resource: Resource, name: string, field: Field): string {
  const notes = [
    wordOf(fieldLabel(resource, name), name),
    ...(field.localized ? ['has its own value in each language'] : []),
    ...(field.unique ? ['unique'] : []),
    ...(field.readOnly ? ['read-only'] : []),
  ]
  return notes.join('; ')
}

/** Where the words of a declaration stand in the catalogues: by convention, never written twice. */
import type { Resource } from '../declaration/define-resource.ts'

/** Every key of the catalogues; the four have the same ones. */
export type MessageId = keyof typeof import('./en.json', { with: { type: 'json' } })

/** Keys to look under, the first one that exists wins. */
export type MessageCandidates = readonly string[]

/** "Regions" and "Region". */
export const resourceTitle = (resource: Resource): string => `${resource.name}.many`
export const resourceSingular = (resource: Resource): string => `${resource.name}.one`

/** The name of a field: the resource's own word, else the shared one. */
export function fieldLabel(resource: Resource, field: string): MessageCandidates {
  return [`${resource.name}.fields.${field}`, `field.${field}`]
}

/** The word for a code of a choice field. */
export function choiceLabel(resource: Resource, field: string, value: string): MessageCandidates {
  return [`${resource.name}.values.${field}.${value}`, `value.${field}.${value}`]
}

/** The title of a group of form fields. */
export function sectionLabel(resource: Resource, section: string): MessageCandidates {
  return [`${resource.name}.sections.${section}`, `form.sections.${section}`]
}

/** Help below a field; many fields have none. */
export function fieldHelp(resource: Resource, field: string): MessageCandidates {
  return [`${resource.name}.help.${field}`, `help.${field}`]
}

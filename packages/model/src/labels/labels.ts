/** Message keys of a declaration, which follow from a convention and are never declared. */
import type { Resource } from '../declaration/define-resource.ts'

/** Every key of the message catalogues; all four catalogues have the same keys. */
export type MessageId = keyof typeof import('./en.json', { with: { type: 'json' } })

/** Message keys to try in order; the first key that exists wins. */
export type MessageCandidates = readonly string[]

/**
 * Returns the message key of a resource's plural name: "Regions".
 *
 * @example
 * resourceTitle(resources.regions) // 'regions.many'
 */
export const resourceTitle = (resource: Resource): string => `${resource.name}.many`
/**
 * Returns the message key of a resource's singular name: "Region".
 *
 * @example
 * resourceSingular(resources.regions) // 'regions.one'
 */
export const resourceSingular = (resource: Resource): string => `${resource.name}.one`

/**
 * Returns the message keys of a field's name: the resource's own key, then the shared one.
 *
 * @example
 * fieldLabel(resources.regions, 'code') // ['regions.fields.code', 'field.code']
 */
export function fieldLabel(resource: Resource, field: string): MessageCandidates {
  return [`${resource.name}.fields.${field}`, `field.${field}`]
}

/**
 * The keys of the label for a value of a choice field.
 *
 * @example
 * choiceLabel(resources.news, 'kind', 'event') // ['news.values.kind.event', 'value.kind.event']
 */
export function choiceLabel(resource: Resource, field: string, value: string): MessageCandidates {
  return [`${resource.name}.values.${field}.${value}`, `value.${field}.${value}`]
}

/**
 * Returns the message keys of a form section's title.
 *
 * @example
 * sectionLabel(resources.news, 'main') // ['news.sections.main', 'form.sections.main']
 */
export function sectionLabel(resource: Resource, section: string): MessageCandidates {
  return [`${resource.name}.sections.${section}`, `form.sections.${section}`]
}

/**
 * The keys of the help text below a field; many fields have none.
 *
 * @example
 * fieldHelp(resources.regions, 'code') // ['regions.help.code', 'help.code']
 */
export function fieldHelp(resource: Resource, field: string): MessageCandidates {
  return [`${resource.name}.help.${field}`, `help.${field}`]
}

/**
 * Finds the links that show records to a caller: a record that is shown by a readable one is readable itself
 * (contract §10).
 */
import type { Caller, Resource, RowFilter } from '@dala/model'
import { documentTable, inboundLinks, type InboundLink } from '../../db/schema.ts'
import { attributeOf, resources, viewOfResource } from '../attributes.ts'
import { mentioningFields, mentionTable } from '../mentions.ts'
import type { Condition, MentionedBy, HolderLink } from './query.ts'

/**
 * The query that the condition of shown records becomes a part of: its caller, its dependencies, and its way
 * of parsing rules.
 */
export interface ShowingContext {
  readonly caller: Caller
  readonly dependsOn: Set<string>
  scopeOf: (resource: Resource, rows: RowFilter | undefined) => Condition | undefined
}

/**
 * The links that show records of a resource. A link between two records of the resource shows nothing: a user
 * who sees a cut of a picture does not see the whole picture.
 *
 * @param target - The resource whose records are shown.
 * @returns The links of all other resources that point at it.
 */
export function showingLinks(target: Resource): InboundLink[] {
  return inboundLinks(target, resources).filter(({ resource }) => documentTable(resource) !== documentTable(target))
}

/**
 * The declared links that show records: the holder's rows that the caller may see, through visible fields.
 */
function linkSources(target: Resource, context: ShowingContext): HolderLink[] {
  return showingLinks(target).flatMap(({ resource, field }): HolderLink[] => {
    const view = viewOfResource(resource, context.caller, 'get')
    if (!view || attributeOf(resource, view, field) === undefined) return []
    context.dependsOn.add(documentTable(resource))
    const scope = context.scopeOf(resource, view.rows)
    return [{ resource: resource.name, field, ...(scope && { scope }) }]
  })
}

/** Texts and structures that name files: the entry's rows that the caller may see, through visible fields. */
function mentionSources(target: Resource, context: ShowingContext): MentionedBy[] {
  if (target.filesPath === undefined) return []
  context.dependsOn.add(mentionTable)
  return Object.values(resources).flatMap((resource) => {
    const view = resource.storedAs === undefined ? viewOfResource(resource, context.caller, 'get') : undefined
    if (!view || documentTable(resource) === documentTable(target)) return []
    return [false, true].flatMap((localized): MentionedBy[] => {
      const fields = mentioningFields(resource, localized).filter((name) => attributeOf(resource, view, name))
      if (fields.length === 0) return []
      context.dependsOn.add(documentTable(resource))
      const scope = context.scopeOf(resource, view.rows)
      return [{ resource: resource.name, fields, localized, ...(scope && { scope }) }]
    })
  })
}

/**
 * Makes the condition that a record is shown to the caller.
 *
 * @param target - The resource of the records.
 * @param context - The query that the condition becomes a part of; its caller decides.
 * @returns A condition on entries of the resource.
 */
export function shownCondition(target: Resource, context: ShowingContext): Condition {
  return { shown: linkSources(target, context), mentioned: mentionSources(target, context) }
}

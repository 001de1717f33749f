/** Links of a write: converts ids of any language to documents and computes the new lists of both sides. */
import { isToMany, type Issue, type LinkChange, type LinkTarget, type Resource } from '@dala/model'
import type { LinkStorage } from '../../db/schema.ts'
import { columnOf } from '../../db/schema.ts'
import { type LinkAttribute, linkOf } from '../attributes.ts'
import { type WriteFindings, keyOfTarget } from './examine.ts'
import type { Change } from '../history/history.ts'

/** A change of a link whose targets are known as documents. */
export interface ResolvedLink {
  attribute: LinkAttribute
  change: { set: number[] } | { connect: number[]; disconnect: number[] }
}

/** The new content of a list link that is about to be stored. */
export interface ListChange {
  place: LinkStorage & { in: 'table' }
  documentsAfter: readonly number[]
  /** Whether the document of the links is new and has no links yet. */
  isNew: boolean
}

/**
 * Converts the ids of checked link changes to documents.
 *
 * @returns The changes by field, and an issue for each field with a target that does not exist (contract §4).
 */
export function resolveLinks(
  resource: Resource,
  links: Readonly<Record<string, LinkChange>>,
  { targets }: WriteFindings,
): { resolved: Map<string, ResolvedLink>; issues: Issue[] } {
  const resolvedLinks = new Map<string, ResolvedLink>()
  const issues: Issue[] = []
  for (const [name, change] of Object.entries(links)) {
    const attribute = linkOf(resource, name)
    const documentsByKey = targets.get(name) ?? new Map<string, number>()
    const toDocuments = (linkTargets: readonly LinkTarget[]) => [
      ...new Set(linkTargets.flatMap((target) => documentsByKey.get(keyOfTarget(target)) ?? [])),
    ]
    const linkTargets = 'set' in change ? change.set : change.connect
    const missingCount = linkTargets.filter((target) => !documentsByKey.has(keyOfTarget(target))).length
    if (missingCount > 0) {
      const type = attribute.target.wire
      issues.push({
        path: [name],
        code: 'validation.relationMissing',
        params: { field: name, count: missingCount, type },
      })
    }
    resolvedLinks.set(name, {
      attribute,
      change:
        'set' in change
          ? { set: toDocuments(change.set) }
          : { connect: toDocuments(change.connect), disconnect: toDocuments(change.disconnect) },
    })
  }
  return { resolved: resolvedLinks, issues }
}

/** Returns the list of a link's documents after a change. */
function nextList(currentList: readonly number[], change: ResolvedLink['change'], isMany: boolean): number[] {
  if ('set' in change) return change.set
  const remainingDocuments = currentList.filter((id) => !change.disconnect.includes(id) && !change.connect.includes(id))
  const list = [...remainingDocuments, ...change.connect]
  return isMany ? list : list.slice(-1)
}

const areEqual = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id, index) => id === b[index])

/** Returns the documents of a record's to-one links by field, after the changes. */
export function toOneValues(
  links: ReadonlyMap<string, ResolvedLink>,
  valuesBefore: Readonly<Record<string, unknown>>,
): Record<string, number | null> {
  const values: Record<string, number | null> = {}
  for (const [name, { attribute, change }] of links) {
    if (attribute.place.in !== 'column') continue
    const currentDocuments = valuesBefore[name]
    values[name] = nextList(typeof currentDocuments === 'number' ? [currentDocuments] : [], change, false)[0] ?? null
  }
  return values
}

/** Returns the columns of the document that store to-one links. */
export function linkColumns(resource: Resource, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [columnOf(resource, name), value]))
}

/** Returns the lists of links that change, and their values before and after for the history. */
export function listChanges(
  links: ReadonlyMap<string, ResolvedLink>,
  { lists }: WriteFindings,
  isNew: boolean,
): { lists: ListChange[]; changes: Record<string, Change> } {
  const result: { lists: ListChange[]; changes: Record<string, Change> } = { lists: [], changes: {} }
  for (const [name, { attribute, change }] of links) {
    const { place } = attribute
    if (place.in !== 'table') continue
    const documentsBefore = lists.get(name) ?? []
    const documentsAfter = nextList(documentsBefore, change, true)
    if (areEqual(documentsBefore, documentsAfter)) continue
    result.lists.push({ place, documentsAfter, isNew })
    result.changes[name] = { before: documentsBefore, after: documentsAfter }
  }
  return result
}

/** Returns issues for lists of links that would become empty or too long (contract §4). */
export function listIssues(resource: Resource, changes: Readonly<Record<string, Change>>): Issue[] {
  return Object.entries(changes).flatMap(([name, { after }]): Issue[] => {
    const field = resource.fields[name]
    if (!field || !isToMany(field) || !Array.isArray(after)) return []
    if (field.required && after.length === 0) {
      return [{ path: [name], code: field.message ?? 'validation.required', params: { field: name } }]
    }
    const isTooLong = field.maxItems !== undefined && after.length > field.maxItems
    return isTooLong
      ? [{ path: [name], code: 'validation.maxItems', params: { field: name, max: field.maxItems ?? 0 } }]
      : []
  })
}

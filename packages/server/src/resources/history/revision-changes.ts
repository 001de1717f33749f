/** Presents revisions to a caller: the fields they may see, with links as the named records. */
import type { Queries } from '../../db/database.ts'
import { type Caller, type Field, isLink, isScalar, isToOne, kindOf, type Locale, type Resource } from '@dala/model'
import { attributeOf, linkOf, relatedViewOf, type View } from '../attributes.ts'
import type { Change } from './history.ts'
import type { QueryContext } from '../read/context.ts'
import { findNames, type NamedRecord } from '../read/record-names.ts'

/** Changes of a revision by field, as history stores them. */
export type Changes = Readonly<Record<string, Change>>

/**
 * Fields that history stores and this caller may read. Links are included only if their targets are readable.
 */
export function historyFields(resource: Resource, caller: Caller, view: View): string[] {
  return Object.entries<Field>(resource.fields).flatMap(([name, field]) => {
    if (!attributeOf(resource, view, name)) return []
    if (isScalar(field)) return field.computed || ('from' in field && field.from) ? [] : [name]
    if (!isLink(field)) return []
    const { place, target } = linkOf(resource, name)
    return place.in !== 'mirror' && relatedViewOf(target, caller) ? [name] : []
  })
}

/** Documents in a stored link value: one for a to-one link, a list in the revision of a delete. */
export function documentsOf(value: unknown): number[] {
  if (value === null || value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map(Number)
}

/**
 * Resolves the record names in some changes of one resource, in one statement; none runs without links.
 *
 * @returns The changes as the wire has them, in the order of the declaration.
 */
export async function resolveChanges(
  runner: Pick<Queries, 'query' | 'parts'>,
  context: QueryContext,
  resource: Resource,
  revisionChanges: readonly Changes[],
  locale: Locale,
): Promise<(changes: Changes) => Record<string, Change>> {
  const nameOf = await findNames(runner, context, linkedDocumentsOf(resource, revisionChanges), locale)
  return (changes) => describeValue(resource, changes, nameOf)
}

/** Returns the targets of links in the changes of revisions. */
function linkedDocumentsOf(resource: Resource, revisionChanges: readonly Changes[]): Map<string, Set<number>> {
  const linkedByField = new Map<string, Set<number>>()
  for (const changes of revisionChanges) {
    for (const [name, { before, after }] of Object.entries(changes)) {
      const field = resource.fields[name]
      if (!field || isScalar(field)) continue
      const ids = linkedByField.get(field.target) ?? new Set()
      for (const id of [...documentsOf(before), ...documentsOf(after)]) ids.add(id)
      linkedByField.set(field.target, ids)
    }
  }
  return linkedByField
}

function describeValue(
  { fields }: Resource,
  changes: Changes,
  nameOf: (resource: string, document: number) => NamedRecord,
): Record<string, Change> {
  const value = (field: Field, storedValue: unknown): unknown => {
    if (isScalar(field)) {
      const isNumber = kindOf(field).storage === 'decimal' && typeof storedValue === 'string'
      return isNumber ? Number(storedValue) : (storedValue ?? null)
    }
    const namedLinks = documentsOf(storedValue).map((document) => nameOf(field.target, document))
    return isToOne(field) ? (namedLinks[0] ?? null) : namedLinks
  }
  return Object.fromEntries(
    Object.entries<Field>(fields).flatMap(([name, field]) => {
      const change = changes[name]
      return change ? [[name, { before: value(field, change.before), after: value(field, change.after) }]] : []
    }),
  )
}

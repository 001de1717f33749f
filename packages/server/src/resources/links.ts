/** Writes links: ids of any language become documents, lists become rows, and both sides stay the same data. */
import { type Field, isLink, type Issue, type LinkChange, type LinkTarget, type Resource } from '@dala/model'
import { sql } from 'kysely'
import type { Transaction } from '../db/database.ts'
import { inboundLinks, textTable } from '../db/schema.ts'
import { type Attribute, attributeOf, resources } from './attributes.ts'
import type { Change } from './history.ts'

type LinkAttribute = Extract<Attribute, { is: 'link' }>

/** A link change whose targets are documents. */
export interface ResolvedLink {
  attribute: LinkAttribute
  change: { set: number[] } | { connect: number[]; disconnect: number[] }
}

function linkOf(resource: Resource, name: string): LinkAttribute {
  const attribute = attributeOf(resource, {}, name)
  if (attribute?.is !== 'link') throw new Error(`${resource.name}.${name} is no link`)
  return attribute
}

/**
 * Turns the ids of checked link changes into documents.
 *
 * Out: the changes by field, and an issue for each field with a target that does not exist (contract §4).
 */
export async function resolveLinks(
  trx: Transaction,
  resource: Resource,
  links: Readonly<Record<string, LinkChange>>,
): Promise<{ resolved: Map<string, ResolvedLink>; issues: Issue[] }> {
  const resolved = new Map<string, ResolvedLink>()
  const issues: Issue[] = []
  for (const [name, change] of Object.entries(links)) {
    const attribute = linkOf(resource, name)
    const wanted = 'set' in change ? change.set : change.connect
    const known = await documentsOf(trx, attribute.target, 'set' in change ? wanted : [...wanted, ...change.disconnect])
    const toDocuments = (targets: LinkTarget[]) => [
      ...new Set(targets.flatMap((target) => known.get(keyOf(target)) ?? [])),
    ]
    const missing = wanted.filter((target) => !known.has(keyOf(target))).length
    if (missing > 0) {
      const type = attribute.target.wire
      issues.push({ path: [name], code: 'validation.relationMissing', params: { field: name, count: missing, type } })
    }
    resolved.set(name, {
      attribute,
      change:
        'set' in change
          ? { set: toDocuments(change.set) }
          : { connect: toDocuments(change.connect), disconnect: toDocuments(change.disconnect) },
    })
  }
  return { resolved, issues }
}

const keyOf = (target: LinkTarget): string => (typeof target === 'number' ? String(target) : lastSegment(target.url))
const lastSegment = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** Wire ids (or file paths) → documents; what does not exist is absent. */
async function documentsOf(trx: Transaction, target: Resource, targets: LinkTarget[]): Promise<Map<string, number>> {
  const ids = targets.filter((item) => typeof item === 'number')
  const urls = targets.flatMap((item) => (typeof item === 'number' ? [] : [`/uploads/${lastSegment(item.url)}`]))
  const found = new Map<string, number>()
  if (ids.length > 0) {
    // Documents are locked, never their entries: a delete holds the document before it comes to the entries.
    const rows = await trx.query(
      target.localized
        ? sql<{ id: number; document: number }>`
          select t.id, d.id as document from ${sql.table(textTable(target))} t join ${sql.table(target.name)} d on d.id = t.document_id
           where t.id = any(${ids}::int[]) order by d.id for key share of d`
        : sql<{ id: number; document: number }>`
          select id, id as document from ${sql.table(target.name)} where id = any(${ids}::int[]) order by id for key share`,
    )
    for (const row of rows) found.set(String(row.id), row.document)
  }
  if (urls.length > 0) {
    const rows = await trx.query(sql<{ id: number; url: string }>`
      select id, url from uploads where url = any(${urls}::text[])`)
    for (const row of rows) found.set(lastSegment(row.url), row.id)
  }
  return found
}

/** The list a change leads to, from the list there is. */
function nextList(current: readonly number[], change: ResolvedLink['change'], many: boolean): number[] {
  if ('set' in change) return change.set
  const kept = current.filter((id) => !change.disconnect.includes(id) && !change.connect.includes(id))
  const list = [...kept, ...change.connect]
  return many ? list : list.slice(-1)
}

const same = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id, index) => id === b[index])

/** The documents a link of `document` holds, in order. */
async function currentList(
  trx: Transaction,
  resource: Resource,
  document: number,
  { place }: LinkAttribute,
): Promise<number[]> {
  if (place.in === 'column') {
    const rows = await trx.query(sql<{ id: number | null }>`
      select ${sql.ref(place.column)} as id from ${sql.table(resource.name)} where id = ${document}`)
    return rows.flatMap(({ id }) => id ?? [])
  }
  if (place.in !== 'table') return []
  const rows = await trx.query(sql<{ id: number }>`
    select ${sql.ref(place.other)} as id from ${sql.table(place.table)} where ${sql.ref(place.own)} = ${document}
     order by ${sql.ref(place.position)}, ${sql.ref(place.other)}`)
  return rows.map(({ id }) => id)
}

/**
 * Writes the resolved links of a document.
 *
 * Out: before and after of every link that changed, by field. Links that stay as they are are not touched.
 */
export async function writeLinks(
  trx: Transaction,
  resource: Resource,
  document: number,
  links: ReadonlyMap<string, ResolvedLink>,
): Promise<Record<string, Change>> {
  const changes: Record<string, Change> = {}
  for (const [name, { attribute, change }] of links) {
    const before = await currentList(trx, resource, document, attribute)
    const after = nextList(before, change, attribute.many)
    if (same(before, after)) continue
    await storeList(trx, resource, document, attribute, after)
    changes[name] = attribute.many ? { before, after } : { before: before[0] ?? null, after: after[0] ?? null }
    trx.changed(attribute.target.name)
  }
  return changes
}

async function storeList(
  trx: Transaction,
  resource: Resource,
  document: number,
  { place }: LinkAttribute,
  after: number[],
) {
  if (place.in === 'column') {
    await trx.query(
      sql`update ${sql.table(resource.name)} set ${sql.ref(place.column)} = ${after[0] ?? null} where id = ${document}`,
    )
  }
  if (place.in !== 'table') return
  const [table, own, other, position] = [
    sql.table(place.table),
    sql.ref(place.own),
    sql.ref(place.other),
    sql.ref(place.position),
  ]
  await trx.query(sql`delete from ${table} where ${own} = ${document} and not (${other} = any(${after}::int[]))`)
  await trx.query(sql`insert into ${table} (${own}, ${other}, ${position})
    select ${document}, id, place from unnest(${after}::int[]) with ordinality as listed(id, place)
    on conflict (holder_id, target_id) do update set ${position} = excluded.${position}`)
}

/**
 * The links of a document that is about to go, in both directions, so that a restore can put them back
 * (architecture.md, trash). Out: own links by field, inbound ones as `resource.field`.
 */
export async function linksAround(
  trx: Transaction,
  resource: Resource,
  document: number,
): Promise<Record<string, Change>> {
  const changes: Record<string, Change> = {}
  const note = (key: string, before: readonly number[]) => {
    if (before.length > 0) changes[key] = { before, after: null }
  }
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (isLink(field)) note(name, await currentList(trx, resource, document, linkOf(resource, name)))
  }
  for (const { resource: holder, field, storage } of inboundLinks(resource, resources)) {
    const rows = await trx.query(
      storage.in === 'column'
        ? sql<{ id: number }>`select id from ${sql.table(holder.name)} where ${sql.ref(storage.column)} = ${document}`
        : sql<{
            id: number
          }>`select ${sql.ref(storage.own)} as id from ${sql.table(storage.table)} where ${sql.ref(storage.other)} = ${document}`,
    )
    note(
      `${holder.name}.${field}`,
      rows.map(({ id }) => id),
    )
  }
  return changes
}

/** To-one links stand in columns of the document, which must have them from the start when they are required. */
export function linkColumns(links: ReadonlyMap<string, ResolvedLink>): {
  columns: Record<string, unknown>
  targets: Record<string, unknown>
} {
  const columns: Record<string, number | null> = {}
  const targets: Record<string, number | null> = {}
  for (const [name, { attribute, change }] of links) {
    if (attribute.place.in !== 'column') continue
    const target = ('set' in change ? change.set : change.connect).at(-1) ?? null
    columns[attribute.place.column] = target
    targets[name] = target
  }
  return { columns, targets }
}

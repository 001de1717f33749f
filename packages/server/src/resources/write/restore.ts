/**
 * Restores a deleted record from its last revision, with
 * the links whose other end still exists (contract §4).
 */
import { fault, type Field, hasTrash, isLink, isScalar, type Resource } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { columnFields, documentTable, inboundLinks, textTable } from '../../db/schema.ts'
import { linkOf, resourceNamed, resources } from '../attributes.ts'
import { lockEntry } from './examine.ts'
import type { Revision } from '../history/history.ts'
import { fieldsOfConstraint } from './integrity.ts'
import { formerTargets, lockTargetsFirst } from './lock-order.ts'
import { canReturnSql } from '../mentions.ts'
import { isObject } from '../read/context.ts'
import { makeRestoredPrivate, existingTargets } from './private-files.ts'
import { restoreRemovedRows } from './removed-rows.ts'
import { assertMayRestore, type RemovedPart, settleRestoredParts } from './settle-restored.ts'
import { restoreDocument, restoreText } from './store.ts'
import { runInTransaction, type WriteContext } from './write.ts'

export { hasTrash }

/** Number of days during which a deleted record can be restored. */
export const trashDays = 30

/**
 * Restores the entry of a wire id with everything that the same delete took: other languages, parts, and the
 * rows that the database deleted with them. It is a write like any other: rights, rules and behaviours apply,
 * and the values they return are written too.
 *
 * @param context - The author of the restore; with `isTrusted` the server itself, without checks of rights.
 * @param resource - The resource of the entry.
 * @param id - The wire id, which the entry gets again.
 * @throws 404 when no delete of the last 30 days took it or it is outside the caller's rows; 403 when the
 *   caller may not write it today; 409 when a unique value or the language is taken, or something it needs is
 *   deleted; 422 as any write.
 */
export async function restoreEntry(context: WriteContext, resource: Resource, id: number): Promise<void> {
  if (!hasTrash(resource)) throw fault('record.not-found')
  await runInTransaction(context, resource, async (trx) => {
    const removedRows = await readRemovedRecords(trx, resource, id)
    if (removedRows.length === 0) throw fault('record.not-found')
    for (const [name, parts] of Map.groupBy(removedRows, ({ resource: resourceName }) => resourceName)) {
      const partResource = resourceNamed(name)
      await lockTargetsFirst(trx, partResource, {
        targets: parts.flatMap(({ changes }) => formerTargets(trx.parts, partResource, changes)),
      })
    }
    const restoredParts: RemovedPart[] = []
    for (const removedPart of removedRows) {
      const partResource = resourceNamed(removedPart.resource)
      if (await runOrConflict(partResource, restorePart(trx, context, partResource, removedPart)))
        restoredParts.push(removedPart)
      trx.changed(documentTable(partResource))
    }
    // Stored rows may refer to several of the restored records, so all records are restored first.
    for (const { removal, resource: name, document, locale } of restoredParts) {
      if (locale !== null) continue
      const partResource = resourceNamed(name)
      await runOrConflict(partResource, restoreRemovedRows(trx, { removal, resource: partResource, document }))
    }
    // A restored record outside the caller's rows is rolled back, so that it does not exist for them.
    if (!(await lockEntry(trx, resource, id, context))) throw fault('record.not-found')
    await assertMayRestore(trx, context, resource, id, restoredParts)
    await settleRestoredParts(trx, context, restoredParts)
  })
}

/** Returns the result of a restore's work; constraint errors become the contract's 409. */
async function runOrConflict<T>(resource: Resource, restoreTask: Promise<T>): Promise<T> {
  try {
    return await restoreTask
  } catch (error) {
    throw conflictOf(error, resource) ?? error
  }
}

/**
 * The revisions of the delete that took the entry: wholes
 * before their parts, documents before their languages.
 */
async function readRemovedRecords(trx: Transaction, resource: Resource, id: number): Promise<RemovedPart[]> {
  const name = documentTable(resource)
  const table = sql.table(resource.localized ? textTable(resource) : name)
  const columnsSql = sql`select removal::text, resource, document_id as document, locale, changes, kept`
  const group = await trx.query(sql<RemovedPart>`
    with last as (
      select removal, document_id from revisions
       where resource = ${name} and operation = 'remove' and kept ->> 'entry' = ${String(id)}
         and created_at > now() - ${`${trashDays} days`}::interval and not exists (select 1 from ${table} where id = ${id})
         and ${canReturnSql(resource, sql`document_id`)}
       order by id desc limit 1
    )
    ${columnsSql} from revisions where removal = (select removal from last) and operation = 'remove' and kept is not null
     order by document_id = (select document_id from last) and resource = ${name} desc, locale nulls first, id desc`)
  const [firstPart] = group
  if (
    !firstPart ||
    !resource.localized ||
    group.some(({ locale, resource: resourceName }) => locale === null && resourceName === name)
  ) {
    return group
  }
  // If the document of a deleted language was deleted later, the restore brings its shared part back as well.
  const sharedRemovals = await trx.query(sql<RemovedPart>`
    ${columnsSql} from revisions where resource = ${name} and document_id = ${firstPart.document} and locale is null
       and operation = 'remove' and kept is not null and not exists (select 1 from ${sql.table(name)} where id = ${firstPart.document})
     order by id desc limit 1`)
  return [...sharedRemovals, ...group]
}

/**
 * Restores the record or language that one revision describes.
 *
 * @returns False when another restore has already restored it.
 */
async function restorePart(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  removedPart: RemovedPart,
): Promise<boolean> {
  const trace = (revision: Revision) => ({
    author: context.author,
    resource,
    operation: 'restore' as const,
    revisions: [revision],
  })
  const returnedValues = Object.fromEntries(
    Object.entries(removedPart.changes).map(([name, { before }]) => [name, { before: null, after: before }]),
  )
  const hiddenValues = isObject(removedPart.kept.private) ? removedPart.kept.private : {}
  const valueBefore = (name: string): unknown => removedPart.changes[name]?.before ?? hiddenValues[name] ?? null
  if (removedPart.locale !== null) {
    await restoreText(trx, {
      resource,
      document: removedPart.document,
      locale: removedPart.locale,
      restoredValues: removedPart.kept,
      values: Object.fromEntries(columnFields(resource, true).map(([name]) => [name, valueBefore(name)])),
      trace: trace({ locale: removedPart.locale, changes: returnedValues }),
    })
    return true
  }
  if (await isStored(trx, resource, removedPart.document)) return false
  const { columns, lists } = storedLinks(resource, removedPart)
  await restoreDocument(trx, {
    resource,
    document: removedPart.document,
    restoredValues: removedPart.kept,
    values: Object.fromEntries(
      columnFields(resource, false)
        .filter(([name, field]) => isScalar(field) && valueBefore(name) !== null)
        .map(([name]) => [name, valueBefore(name)]),
    ),
    links: columns,
    statementsAfter: [...lists, ...inboundSql(resource, removedPart)],
    trace: trace({ changes: returnedValues }),
  })
  const linkedIds = Object.fromEntries(
    Object.entries(removedPart.changes).map(([name, change]) => [name, idsOf(change.before)]),
  )
  await makeRestoredPrivate(trx, resource, linkedIds)
  for (const key of Object.keys(removedPart.changes)) {
    const [holder = '', field] = key.split('.')
    if (field !== undefined && resources[holder]) trx.changed(holder)
  }
  return true
}

async function isStored(trx: Transaction, resource: Resource, document: number): Promise<boolean> {
  const rows = await trx.query(sql`select 1 from ${sql.table(documentTable(resource))} where id = ${document}`)
  return rows.length > 0
}

const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

/** Own links of a restored record: to-one links whose target still exists as columns, lists as statements. */
function storedLinks(resource: Resource, { changes, kept }: RemovedPart) {
  const columns: Record<string, Template<unknown>> = {}
  const lists: ((document: Template<unknown>) => Template<unknown>)[] = []
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    const ids = idsOf(changes[name]?.before)
    if (!isLink(field) || ids.length === 0) continue
    const { place, target } = linkOf(resource, name)
    const targets = existingTargets(resource, name, target)
    if (place.in === 'column')
      columns[place.column] = sql`(select target.id from ${targets} as target where target.id = ${ids[0]})`
    if (place.in !== 'table') continue
    const { table, ownColumn, otherColumn, position } = place
    const placedLinks = placesOf(kept, name)
    lists.push((document) =>
      placedLinks
        ? placedLinksSql(placedLinks, { table, ownColumn, otherColumn, document, existingSql: targets })
        : sql`insert into ${sql.table(table)} (${sql.ref(ownColumn)}, ${sql.ref(otherColumn)}, ${sql.ref(position)})
            select ${document}, listed.id, listed.place from unnest(${ids}::int[]) with ordinality as listed(id, place)
              join ${targets} as target on target.id = listed.id on conflict do nothing`,
    )
  }
  return { columns, lists }
}

/**
 * Positions of a restored record's links in the lists of both sides, as the delete stored them; undefined for
 * deletes of older versions.
 */
function placesOf(keptValues: RemovedPart['kept'], key: string): unknown[] | undefined {
  const { places } = keptValues
  const foundPlaces = isObject(places) ? places[key] : undefined
  return Array.isArray(foundPlaces) ? foundPlaces : undefined
}

interface PlacedLink {
  table: string
  ownColumn: string
  otherColumn: string
  document: Template<unknown>
  /** SQL of the targets of restored links that still exist; deleted ones are left out. */
  existingSql: Template<unknown>
}

/**
 * Restores links of a record at their former positions.
 *
 * @param placedValues - `[document, position, inverse_position]` of each other end.
 */
export function placedLinksSql(
  placedValues: readonly unknown[],
  { table, ownColumn, otherColumn, document, existingSql: documentsSql }: PlacedLink,
) {
  return sql`insert into ${sql.table(table)} (${sql.ref(ownColumn)}, ${sql.ref(otherColumn)}, position, inverse_position)
    select ${document}, (item ->> 0)::int, (item ->> 1)::int, (item ->> 2)::int
      from jsonb_array_elements(${JSON.stringify(placedValues)}::jsonb) as item join ${documentsSql} as target on target.id = (item ->> 0)::int
        on conflict do nothing`
}

/** Statements that restore links of other records that point nowhere by now. */
function inboundSql(resource: Resource, { changes, kept }: RemovedPart) {
  return inboundLinks(resource, resources).flatMap(({ resource: holder, field, storage }) => {
    const key = `${holder.name}.${field}`
    const ids = idsOf(changes[key]?.before)
    if (ids.length === 0) return []
    const holders = sql.table(documentTable(holder))
    const placedLinks = placesOf(kept, key)
    if (placedLinks && storage.in === 'table') {
      const { table, ownColumn, otherColumn } = storage
      return [
        (document: Template<unknown>) =>
          placedLinksSql(placedLinks, {
            table,
            ownColumn: otherColumn,
            otherColumn: ownColumn,
            document,
            existingSql: holders,
          }),
      ]
    }
    return [
      (document: Template<unknown>) =>
        storage.in === 'column'
          ? sql`update ${holders} set ${sql.ref(storage.column)} = ${document}
              where id = any(${ids}::int[]) and ${sql.ref(storage.column)} is null`
          : sql`insert into ${sql.table(storage.table)} (${sql.ref(storage.ownColumn)}, ${sql.ref(storage.otherColumn)})
              select id, ${document} from ${holders} where id = any(${ids}::int[]) on conflict do nothing`,
    ]
  })
}

/** Returns the 409 for a constraint that prevents the restore of a record. */
function conflictOf(error: unknown, resource: Resource) {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const conflict = (code: 'record.taken' | 'record.incomplete', field: string) =>
    fault(code, { params: { field }, details: { field } })
  if (error.code === '23505' && 'constraint' in error) {
    const [field] = fieldsOfConstraint(resource, String(error.constraint))
    return conflict('record.taken', field ?? 'locale')
  }
  if (error.code === '23502' && 'column' in error)
    return conflict('record.incomplete', String(error.column).replace(/_id$/, ''))
  if (error.code === '23503' && 'constraint' in error && 'table' in error) {
    const field = String(error.constraint).slice(String(error.table).length + 1)
    return conflict('record.incomplete', field.replace(/(_id)?_fkey$/, ''))
  }
  return undefined
}

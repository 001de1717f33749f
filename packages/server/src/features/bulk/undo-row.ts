/** Undoes a bulk job's change of one record, unless somebody has changed it since. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Fault,
  fault,
  type Field,
  type Issue,
  isScalar,
  isToMany,
  isToOne,
  type Locale,
  type Resource,
} from '@dala/model'
import { compile, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { linkOf } from '../../resources/attributes.ts'
import { differences, shownChanges } from '../../resources/write/changes.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import type { Change } from '../../resources/history/history.ts'
import { linkColumns } from '../../resources/write/links.ts'
import { formerTargets, lockTargetsFirst } from '../../resources/write/lock-order.ts'
import { placedSql, restoreEntry } from '../../resources/write/restore.ts'
import { changeEntry } from '../../resources/write/store.ts'
import { applyRulesToUndo } from '../../resources/write/undo-rules.ts'
import { inTransaction, type WriteContext } from '../../resources/write/write.ts'

/**
 * Data that the undo of a bulk edit's row needs besides the values: `lists` are `[document, position,
 * inverse_position]` of each link.
 */
export interface UndoData {
  document?: number
  locale?: Locale | null
  /** Former counts of translations (docs/architecture.md, Translations). */
  seen?: number | null
  source?: number | null
  lists?: Readonly<Record<string, readonly (readonly [number, number, number])[]>>
  /** Last revision that the bulk job created. */
  revision?: number
}

export interface RowToUndo {
  /** Whether the bulk edit deleted the record, so that the undo restores it from the trash. */
  removed: boolean
  changes: Readonly<Record<string, Change>>
  kept: UndoData
  /** Ids of the bulk job to undo, and of the job that undoes it. */
  job: number
  undo: number
}

/** Result of undoing one row of a bulk edit. */
export interface UndoResult {
  outcome: 'changed' | 'unchanged'
  /** Refusal of the fields that the caller may no longer write and that keep the bulk job's values. */
  left?: Fault
}

/**
 * Undoes one row of a bulk job in the transaction of its context.
 *
 * @returns `unchanged` when another language has restored the record already.
 * @throws 404 outside the caller's rows; 409 when somebody has changed the record since, whose work is never
 *   overwritten; 403 when the caller may no longer write any of its fields; errors of an update where today's
 *   rules refuse the former values.
 */
export async function undoRow(
  context: WriteContext & { trx: Transaction },
  resource: Resource,
  entry: number,
  undoing: RowToUndo,
): Promise<UndoResult> {
  const { trx } = context
  const author = { ...context.author, job: undoing.undo }
  if (undoing.removed) {
    const restorer = await findRestoration(trx, resource, entry, undoing.undo)
    if (restorer === 'ours') return { outcome: 'unchanged' }
    if (restorer === 'theirs') throw fault('bulk.changed-since')
    await restoreEntry({ ...context, author }, resource, entry)
    return { outcome: 'changed' }
  }
  const { changes, left } = withinRights(context, resource, undoing.changes)
  await inTransaction(context, resource, async (part) => {
    await lockTargetsFirst(part, resource, {
      ids: [entry],
      targets: formerTargets(part.parts, resource, undoing.changes),
    })
    const stored = await lockEntry(part, resource, entry, { ...context, author })
    if (!stored) throw fault('record.not-found')
    const now = await readPresentValues(part, resource, stored, Object.keys(undoing.changes))
    const isSame = Object.entries(undoing.changes).every(([name, { after }]) => isDeepStrictEqual(now[name], after))
    if (!isSame || (await wasChangedSince(part, resource, stored, undoing))) throw fault('bulk.changed-since')
    await restoreValues(part, { ...context, author }, resource, stored, { ...undoing, changes }, now)
  })
  return left ? { outcome: 'changed', left } : { outcome: 'changed' }
}

/**
 * Selects the changes of a bulk edit that the caller may undo today, with values that the server itself has
 * set.
 *
 * @throws 403 when none of the requested changes is left.
 */
function withinRights({ view: { writable } }: WriteContext, { fields }: Resource, changes: RowToUndo['changes']) {
  const isAsked = (name: string) => fields[name]?.readOnly !== true && fields[name]?.private !== true
  const isForbidden = (name: string) => writable !== undefined && isAsked(name) && !writable.includes(name)
  const forbidden = Object.keys(changes).filter(isForbidden)
  if (forbidden.length === 0) return { changes }
  const issues = forbidden.map((field): Issue => ({ path: [field], code: 'access.denied', params: { field } }))
  const left = fault('access.denied', { issues })
  const permitted = Object.entries(changes).filter(([name]) => !isForbidden(name))
  if (!permitted.some(([name]) => isAsked(name))) throw left
  return { changes: Object.fromEntries(permitted), left }
}

/** Finds whether a deleted record exists again, and whether this bulk job restored it. */
async function findRestoration(trx: Transaction, resource: Resource, entry: number, undo: number) {
  const [table, document] = resource.localized ? [textTable(resource), 'document_id'] : [documentTable(resource), 'id']
  const [found] = await trx.query(sql<{ ours: boolean }>`
    select exists (select 1 from revisions r where r.job = ${undo} and r.resource = ${documentTable(resource)}
                     and r.document_id = t.${sql.ref(document)} and r.operation = 'restore') as ours
      from ${sql.table(table)} t where t.id = ${entry}`)
  if (!found) return undefined
  return found.ours ? 'ours' : 'theirs'
}

/** Reads the present values of a record's fields in the form of the history: links as documents. */
async function readPresentValues(
  trx: Transaction,
  resource: Resource,
  { document, values }: StoredEntry,
  names: readonly string[],
): Promise<Record<string, unknown>> {
  const now: Record<string, unknown> = {}
  for (const name of names) {
    const field: Field | undefined = resource.fields[name]
    const place = field && isToMany(field) ? linkOf(resource, name).place : undefined
    if (place?.in !== 'table') {
      now[name] = values[name] ?? null
      continue
    }
    const rows = await trx.rows(
      compile(sql`select ${sql.ref(place.otherColumn)} from ${sql.table(place.table)} where ${sql.ref(place.ownColumn)} = ${document}
        order by ${sql.ref(place.position)}, ${sql.ref(place.otherColumn)}`),
    )
    now[name] = rows.map(([id]) => Number(id))
  }
  return now
}

const isListField = ({ fields }: Resource, name: string) => {
  const field = fields[name]
  return field !== undefined && !isScalar(field) && !isToOne(field)
}
const isLocalized = (resource: Resource, name: string) => resource.fields[name]?.localized === true

/** Finds whether anybody changed the part of the record that the bulk job wrote; undone jobs do not count. */
async function wasChangedSince(
  trx: Transaction,
  resource: Resource,
  { document, locale }: StoredEntry,
  { changes, kept, job, undo }: RowToUndo,
): Promise<boolean> {
  const names = Object.keys(changes)
  const ofFamily = names.some((name) => !isLocalized(resource, name))
  const ofText = names.some((name) => isLocalized(resource, name))
  const found = await trx.query(sql`
    select 1 from revisions r where r.resource = ${documentTable(resource)} and r.document_id = ${document} and r.id > ${kept.revision ?? 0}
       and ((${ofFamily} and r.locale is null) or (${ofText} and r.locale = ${locale ?? null}::text))
       and r.changes <> '{}'::jsonb
       and (r.job is null or (r.job <> ${job} and r.job <> ${undo} and not exists (
             select 1 from bulk_jobs j where j.id = r.job and (j.state in ('undone', 'undoing') or j.undoes is not null)))) limit 1`)
  return found.length > 0
}

async function restoreValues(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  stored: StoredEntry,
  { changes, kept }: RowToUndo,
  now: Readonly<Record<string, unknown>>,
): Promise<void> {
  const existingFields = Object.entries(changes).filter(([name]) => resource.fields[name])
  const lists = existingFields.map(([name]) => name).filter((name) => isListField(resource, name))
  const former = Object.fromEntries(
    existingFields.filter(([name]) => !isListField(resource, name)).map(([name, { before }]) => [name, before]),
  )
  const values = await applyRulesToUndo(trx, context, resource, stored, { values: former, lists })
  const shared: Record<string, unknown> = {}
  const links: Record<string, unknown> = {}
  const localized: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field: Field | undefined = resource.fields[name]
    if (field && isToOne(field)) links[name] = value
    else if (field?.localized) localized[name] = value
    else shared[name] = value
  }
  const restoredChanges: Record<string, Change> = {
    ...Object.fromEntries(lists.map((name) => [name, { before: now[name], after: changes[name]?.before }])),
    ...differences(resource, values, stored.values),
  }
  const part = (ofText: boolean) =>
    shownChanges(
      resource,
      Object.fromEntries(Object.entries(restoredChanges).filter(([name]) => isLocalized(resource, name) === ofText)),
    )
  const writesText = Object.keys(localized).length > 0
  const isSource = stored.locale === stored.sourceLocale
  await changeEntry(trx, {
    resource,
    document: stored.document,
    entry: stored.entry,
    shared,
    links: linkColumns(resource, links),
    localized,
    familyMoves: Object.keys(part(false)).length > 0,
    sourceMoves: false,
    seenChanges: writesText && !isSource ? (kept.seen ?? undefined) : undefined,
    ...(writesText && isSource && typeof kept.source === 'number' && { sourceChanges: kept.source }),
    lists: [],
    trace: {
      author: context.author,
      resource,
      operation: 'update',
      revisions: [{ changes: part(false) }, ...(stored.locale ? [{ locale: stored.locale, changes: part(true) }] : [])],
    },
  })
  for (const name of lists) await writeList(trx, resource, stored.document, name, kept)
  for (const name of [...lists, ...Object.keys(links)]) trx.changed(documentTable(linkOf(resource, name).target))
}

/** Restores a list of links on both of its sides, without records that no longer exist. */
async function writeList(trx: Transaction, resource: Resource, document: number, name: string, { lists }: UndoData) {
  const { place, target } = linkOf(resource, name)
  if (place.in !== 'table') return
  const { table, ownColumn, otherColumn } = place
  await trx.query(sql`delete from ${sql.table(table)} where ${sql.ref(ownColumn)} = ${document}`)
  const existing = sql.table(documentTable(target))
  await trx.query(
    placedSql(lists?.[name] ?? [], { table, ownColumn, otherColumn, document: sql`${document}::int`, existing }),
  )
}

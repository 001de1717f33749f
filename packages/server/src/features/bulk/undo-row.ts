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
import { compileTemplate, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { linkOf } from '../../resources/attributes.ts'
import { differences, shownChanges } from '../../resources/write/changes.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import type { Change } from '../../resources/history/history.ts'
import { linkColumns } from '../../resources/write/links.ts'
import { formerTargets, lockTargetsFirst } from '../../resources/write/lock-order.ts'
import { placedLinksSql, restoreEntry } from '../../resources/write/restore.ts'
import { changeEntry } from '../../resources/write/store.ts'
import { applyRulesToUndo } from '../../resources/write/undo-rules.ts'
import { runInTransaction, type WriteContext } from '../../resources/write/write.ts'

/**
 * Data that the undo of a bulk edit's row needs besides the values: `lists` are `[document, position,
 * inverse_position]` of each link.
 */
export interface UndoData {
  document?: number
  locale?: Locale | null
  /** Former counts of translations (docs/architecture.md, Translations), of a job that may have changed them. */
  seen?: number | null
  source?: number | null
  lists?: Readonly<Record<string, readonly (readonly [number, number, number])[]>>
  /** Last revision that the bulk job created. */
  revision?: number
}

export interface RowToUndo {
  /** Whether the bulk edit deleted the record, so that the undo restores it from the trash. */
  isRemoved: boolean
  changes: Readonly<Record<string, Change>>
  kept: UndoData
  /** Ids of the bulk job to undo, and of the job that undoes it. */
  job: number
  undoJob: number
}

/** Result of undoing one row of a bulk edit. */
export interface UndoResult {
  outcome: 'changed' | 'unchanged'
  /** Refusal of the fields that the caller may no longer write and that keep the bulk job's values. */
  leftFault?: Fault
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
  undoneRow: RowToUndo,
): Promise<UndoResult> {
  const { trx } = context
  const author = { ...context.author, job: undoneRow.undoJob }
  if (undoneRow.isRemoved) {
    const restoringJob = await findRestoration(trx, resource, entry, undoneRow.undoJob)
    if (restoringJob === 'ours') return { outcome: 'unchanged' }
    if (restoringJob === 'theirs') throw fault('bulk.changed-since')
    await restoreEntry({ ...context, author }, resource, entry)
    return { outcome: 'changed' }
  }
  const { changes, left: leftFault } = findForbiddenFields(context, resource, undoneRow.changes)
  await runInTransaction(context, resource, async (savepoint) => {
    await lockTargetsFirst(savepoint, resource, {
      ids: [entry],
      targets: formerTargets(savepoint.parts, resource, undoneRow.changes),
    })
    const storedEntry = await lockEntry(savepoint, resource, entry, { ...context, author })
    if (!storedEntry) throw fault('record.not-found')
    const now = await readPresentValues(savepoint, resource, storedEntry, Object.keys(undoneRow.changes))
    const isSame = Object.entries(undoneRow.changes).every(([name, { after }]) => isDeepStrictEqual(now[name], after))
    if (!isSame || (await wasChangedSince(savepoint, resource, storedEntry, undoneRow)))
      throw fault('bulk.changed-since')
    await restoreValues(savepoint, { ...context, author }, resource, storedEntry, { ...undoneRow, changes }, now)
  })
  return leftFault ? { outcome: 'changed', leftFault } : { outcome: 'changed' }
}

/**
 * Selects the changes of a bulk edit that the caller may undo today, with values that the server itself has
 * set.
 *
 * @throws 403 when none of the requested changes is left.
 */
function findForbiddenFields(
  { view: { writableNames } }: WriteContext,
  { fields }: Resource,
  changes: RowToUndo['changes'],
) {
  const isAsked = (name: string) => fields[name]?.readOnly !== true && fields[name]?.private !== true
  const isForbidden = (name: string) => writableNames !== undefined && isAsked(name) && !writableNames.includes(name)
  const forbiddenNames = Object.keys(changes).filter(isForbidden)
  if (forbiddenNames.length === 0) return { changes }
  const issues = forbiddenNames.map((field): Issue => ({ path: [field], code: 'access.denied', params: { field } }))
  const accessFault = fault('access.denied', { issues })
  const permittedChanges = Object.entries(changes).filter(([name]) => !isForbidden(name))
  if (!permittedChanges.some(([name]) => isAsked(name))) throw accessFault
  return { changes: Object.fromEntries(permittedChanges), left: accessFault }
}

/** Finds whether a deleted record exists again, and whether this bulk job restored it. */
async function findRestoration(trx: Transaction, resource: Resource, entry: number, undo: number) {
  const [table, document] = resource.localized ? [textTable(resource), 'document_id'] : [documentTable(resource), 'id']
  const [foundChange] = await trx.query(sql<{ ours: boolean }>`
    select exists (select 1 from revisions r where r.job = ${undo} and r.resource = ${documentTable(resource)}
                     and r.document_id = t.${sql.ref(document)} and r.operation = 'restore') as ours
      from ${sql.table(table)} t where t.id = ${entry}`)
  if (!foundChange) return undefined
  return foundChange.ours ? 'ours' : 'theirs'
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
    const linkPlace = field && isToMany(field) ? linkOf(resource, name).place : undefined
    if (linkPlace?.in !== 'table') {
      now[name] = values[name] ?? null
      continue
    }
    const rows = await trx.rows(
      compileTemplate(sql`select ${sql.ref(linkPlace.otherColumn)} from ${sql.table(linkPlace.table)} where ${sql.ref(linkPlace.ownColumn)} = ${document}
        order by ${sql.ref(linkPlace.position)}, ${sql.ref(linkPlace.otherColumn)}`),
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
  { changes, kept, job, undoJob }: RowToUndo,
): Promise<boolean> {
  const names = Object.keys(changes)
  const hasSharedChange = names.some((name) => !isLocalized(resource, name))
  const hasTextChange = names.some((name) => isLocalized(resource, name))
  const foundRows = await trx.query(sql`
    select 1 from revisions r where r.resource = ${documentTable(resource)} and r.document_id = ${document} and r.id > ${kept.revision ?? 0}
       and ((${hasSharedChange} and r.locale is null) or (${hasTextChange} and r.locale = ${locale ?? null}::text))
       and r.changes <> '{}'::jsonb
       and (r.job is null or (r.job <> ${job} and r.job <> ${undoJob} and not exists (
             select 1 from bulk_jobs j where j.id = r.job and (j.state in ('undone', 'undoing') or j.undoes is not null)))) limit 1`)
  return foundRows.length > 0
}

async function restoreValues(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  storedEntry: StoredEntry,
  { changes, kept }: RowToUndo,
  now: Readonly<Record<string, unknown>>,
): Promise<void> {
  const existingFields = Object.entries(changes).filter(([name]) => resource.fields[name])
  const lists = existingFields.map(([name]) => name).filter((name) => isListField(resource, name))
  const formerValues = Object.fromEntries(
    existingFields.filter(([name]) => !isListField(resource, name)).map(([name, { before }]) => [name, before]),
  )
  const values = await applyRulesToUndo(trx, context, resource, storedEntry, { values: formerValues, lists })
  const sharedValues: Record<string, unknown> = {}
  const links: Record<string, unknown> = {}
  const localizedValues: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field: Field | undefined = resource.fields[name]
    if (field && isToOne(field)) links[name] = value
    else if (field?.localized) localizedValues[name] = value
    else sharedValues[name] = value
  }
  const changesToRestore: Record<string, Change> = {
    ...Object.fromEntries(lists.map((name) => [name, { before: now[name], after: changes[name]?.before }])),
    ...differences(resource, values, storedEntry.values),
  }
  const changesOf = (ofText: boolean) =>
    shownChanges(
      resource,
      Object.fromEntries(Object.entries(changesToRestore).filter(([name]) => isLocalized(resource, name) === ofText)),
    )
  const hasTextWrite = Object.keys(localizedValues).length > 0
  const isSource = storedEntry.locale === storedEntry.sourceLocale
  await changeEntry(trx, {
    resource,
    document: storedEntry.document,
    entry: storedEntry.entry,
    sharedValues,
    links: linkColumns(resource, links),
    localized: localizedValues,
    familyMoves: Object.keys(changesOf(false)).length > 0,
    sourceMoves: false,
    seenChanges: hasTextWrite && !isSource ? (kept.seen ?? undefined) : undefined,
    ...(hasTextWrite && isSource && typeof kept.source === 'number' && { sourceChanges: kept.source }),
    lists: [],
    trace: {
      author: context.author,
      resource,
      operation: 'update',
      revisions: [
        { changes: changesOf(false) },
        ...(storedEntry.locale ? [{ locale: storedEntry.locale, changes: changesOf(true) }] : []),
      ],
    },
  })
  for (const name of lists) await writeList(trx, resource, storedEntry.document, name, kept)
  for (const name of [...lists, ...Object.keys(links)]) trx.changed(documentTable(linkOf(resource, name).target))
}

/** Restores a list of links on both of its sides, without records that no longer exist. */
async function writeList(trx: Transaction, resource: Resource, document: number, name: string, { lists }: UndoData) {
  const { place, target } = linkOf(resource, name)
  if (place.in !== 'table') return
  const { table, ownColumn, otherColumn } = place
  await trx.query(sql`delete from ${sql.table(table)} where ${sql.ref(ownColumn)} = ${document}`)
  const targetTable = sql.table(documentTable(target))
  await trx.query(
    placedLinksSql(lists?.[name] ?? [], {
      table,
      ownColumn,
      otherColumn,
      document: sql`${document}::int`,
      existingSql: targetTable,
    }),
  )
}

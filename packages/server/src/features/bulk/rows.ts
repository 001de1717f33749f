/** Processes some rows of a bulk job, each through the write path, and returns the outcome of each. */
import {
  type ErrorBody,
  Fault,
  type Field,
  fieldInScript,
  isLink,
  type Locale,
  type Resource,
  toErrorBody,
} from '@dala/model'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { columnOf, documentTable, textTable } from '../../db/schema.ts'
import { linkOf } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import type { Change } from '../../resources/history/history.ts'
import { lockTargetsFirst } from '../../resources/write/lock-order.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { runInSavepoint } from '../../resources/write/savepoints.ts'
import { Aliases, comparedSql, entriesFrom } from '../../resources/read/sql-entry.ts'
import type { WriteContext } from '../../resources/write/write.ts'
import type { EntryWriters } from '../../resources/write/writers.ts'
import type { JobAction, Job } from './job.ts'
import { type UndoData, type RowToUndo, type UndoResult, undoRow } from './undo-row.ts'

export interface Row {
  place: number
  entry: number
  draft: Readonly<Record<string, unknown>> | null
  name: string | null
}

type RowIssues = ErrorBody['error']['details']['errors']

/** Outcome of a row of a bulk edit. */
export interface Outcome {
  place: number
  outcome: 'changed' | 'unchanged' | 'refused'
  name: string | null
  refusal?: { code: string; message: string; params: Fault['params']; issues: RowIssues }
  changes?: Readonly<Record<string, Change>>
  kept?: UndoData
}

export interface JobSetting {
  job: Job
  resource: Resource
  writers: EntryWriters
  context: WriteContext
}

/** Record of a bulk edit's row before its write. */
interface FormerRecord {
  entry: number
  document: number
  locale: Locale | null
  seen: number | null
  source: number | null
  name: string | null
  /** Links as `[document, position, inverse_position]`, by the list that the bulk job changes. */
  lists: Readonly<Record<string, readonly (readonly [number, number, number])[]>>
  /** Texts that the bulk job converts to another script, by field. */
  texts: Readonly<Record<string, string | null>>
}

/** Finds the lists of links that drafts of a bulk edit contain, with their places of storage. */
function listsOf(resource: Resource, names: Iterable<string>) {
  return [...new Set(names)].flatMap((name) => {
    const field: Field | undefined = resource.fields[name]
    const linkPlace = field && isLink(field) ? linkOf(resource, name).place : undefined
    return linkPlace?.in === 'table' ? [{ name, place: linkPlace }] : []
  })
}

/**
 * Locks the documents of a bulk edit's rows until the end of the transaction: the writes find the values that
 * are read next. Only documents the caller may write are locked, so that others need not wait for them.
 */
async function lockDocuments(trx: Transaction, { resource, context }: JobSetting, rows: readonly Row[]): Promise<void> {
  const { caller } = context.author
  const aliases = new Aliases(trx)
  const entry = aliases.entry(resource)
  const query = new QueryContext(caller)
  const scope = scopeOf(query, resource, context.view.rows)
  const scopeSql = scope ? sql` and ${conditionSql(scope, entry, caller.language, aliases)}` : sql``
  await runStatement(
    trx,
    query,
    sql`select 1 from ${entriesFrom(entry)} where ${sql.ref(`${entry.text}.id`)} = any(${rows.map((row) => row.entry)}::int[])${scopeSql}
     order by ${entry.documentId} for update of ${sql.ref(entry.document)}`,
  )
}

/** Reads the records of rows of a bulk edit, in one statement; unknown records are missing. */
async function readRowsBefore(
  trx: Transaction,
  { job: { action }, resource, context }: JobSetting,
  rows: readonly Row[],
  names: Iterable<string>,
): Promise<Map<number, FormerRecord>> {
  const aliases = new Aliases(trx)
  const entry = aliases.entry(resource)
  const { document, text, documentId } = entry
  const lists = listsOf(resource, names).map(
    ({ name, place }) => sql`${sql.lit(name)}::text, (
      select coalesce(json_agg(json_build_array(${sql.ref(place.otherColumn)}, position, inverse_position) order by ${sql.ref(place.position)}, ${sql.ref(place.otherColumn)}), '[]')
        from ${sql.table(place.table)} where ${sql.ref(place.ownColumn)} = ${documentId})`,
  )
  const texts = (action.kind === 'script' ? action.fields : []).map(
    (field) => sql`${sql.lit(field)}::text, ${sql.ref(`${text}.${columnOf(resource, field)}`)}`,
  )
  const textCondition: Template<unknown> = resource.localized
    ? sql`${sql.ref(`${text}.locale`)} as locale, ${sql.ref(`${text}.seen_changes`)} as seen, ${sql.ref(`${document}.source_changes`)} as source`
    : sql`null as locale, null as seen, null as source`
  const name = comparedSql(entry, resource.title, context.author.caller.language)
  const foundRecords = await trx.query(sql<FormerRecord>`
    select ${sql.ref(`${text}.id`)} as entry, ${documentId} as document, ${textCondition}, (${name})::text as name, json_build_object(${sql.join(lists)}) as lists,
           json_build_object(${sql.join(texts)}) as texts
      from ${entriesFrom(entry)} where ${sql.ref(`${text}.id`)} = any(${rows.map((row) => row.entry)}::int[])`)
  return new Map(foundRecords.map((foundRecord) => [foundRecord.entry, foundRecord]))
}

/** Reads the documents of wire ids of any language. */
async function documentsOf(trx: Transaction, target: Resource, ids: readonly number[]): Promise<Map<number, number>> {
  const [table, column] = target.localized ? [textTable(target), 'document_id'] : [documentTable(target), 'id']
  const rows = await trx.rows(
    compileTemplate(sql`select id, ${sql.ref(column)} from ${sql.table(table)} where id = any(${[...ids]}::int[])`),
  )
  return new Map(rows.map(([id, document]) => [Number(id), Number(document)]))
}

/** Builds the body of each write of a bulk edit. Links that a list already contains keep their position. */
async function makeDrafts(trx: Transaction, resource: Resource, action: JobAction) {
  if (action.kind === 'set') return () => action.values
  if (action.kind === 'disconnect') return () => ({ [action.field]: { disconnect: [...action.ids] } })
  if (action.kind === 'script')
    return (_row: Row, formerRecord: FormerRecord | undefined) => draftInScript(resource, action, formerRecord)
  if (action.kind !== 'connect') return ({ draft }: Row) => draft ?? {}
  const { field, ids } = action
  const documents = await documentsOf(trx, linkOf(resource, field).target, ids)
  return (_row: Row, formerRecord: FormerRecord | undefined) => {
    const linkedDocuments = new Set(formerRecord?.lists[field]?.map(([document]) => document))
    return { [field]: { connect: ids.filter((id) => !linkedDocuments.has(documents.get(id) ?? 0)) } }
  }
}

/**
 * Builds the body of a write that converts texts to another script: those that it changes, none for a record
 * without the language.
 */
function draftInScript(
  { fields }: Resource,
  { fields: names, locale, script }: Extract<JobAction, { kind: 'script' }>,
  formerRecord: FormerRecord | undefined,
): Record<string, string> {
  const draft: Record<string, string> = {}
  if (formerRecord?.locale !== locale) return draft
  for (const name of names) {
    const field: Field | undefined = fields[name]
    const text = formerRecord.texts[name]
    if (!field || typeof text !== 'string') continue
    const converted = fieldInScript(field, text, locale, script)
    if (converted !== text) draft[name] = converted
  }
  return draft
}

function namesIn(action: JobAction, rows: readonly Row[]): string[] {
  if (action.kind === 'set') return Object.keys(action.values)
  if (action.kind === 'connect' || action.kind === 'disconnect') return [action.field]
  return action.kind === 'edit' ? rows.flatMap(({ draft }) => Object.keys(draft ?? {})) : []
}

interface StoredRevision {
  id: number
  document: number
  locale: Locale | null
  changes: Readonly<Record<string, Change>>
}

/**
 * Processes rows of a bulk job until all are done or the time is over. A refused row leaves nothing behind.
 *
 * @param trx - An open transaction.
 * @param setting - The job with the rights of its author.
 * @param rows - The rows.
 * @param isTimeUp - Returns whether the time is over.
 * @returns The outcome of each processed row.
 * @throws Errors other than the refusal of a row.
 */
export async function processRows(
  trx: Transaction,
  setting: JobSetting,
  rows: readonly Row[],
  isTimeUp: () => boolean = () => false,
): Promise<Outcome[]> {
  const { job, resource, writers } = setting
  const { action } = job
  const names = namesIn(action, rows)
  await lockTargetsFirst(trx, resource, { ids: rows.map(({ entry }) => entry) })
  if (action.kind !== 'remove' && action.kind !== 'undo') await lockDocuments(trx, setting, rows)
  const rowsBefore = await readRowsBefore(trx, setting, rows, names)
  const draftOf = await makeDrafts(trx, resource, action)
  const lastRevisionId = await lastRevision(trx, job.id)
  const storedOutcomes: Outcome[] = []
  for (const row of rows) {
    const rowBefore = rowsBefore.get(row.entry)
    const name = rowBefore?.name ?? row.name
    try {
      const { outcome, leftFault } = await runInSavepoint(trx, async (savepoint): Promise<UndoResult> => {
        const context = {
          ...setting.context,
          trx: savepoint,
          ...(action.kind === 'script' && { isRespelled: true as const }),
        }
        if (action.kind === 'undo') return undoRow(context, resource, row.entry, toUndoing(row, job))
        if (action.kind !== 'remove') await writers.update(context, resource, row.entry, draftOf(row, rowBefore))
        else if (rowBefore || !(await isRemovedBy(savepoint, resource, row.entry, job.id)))
          await writers.remove(context, resource, row.entry, true)
        return { outcome: action.kind === 'remove' ? 'changed' : 'unchanged' }
      })
      storedOutcomes.push({ place: row.place, outcome, name, ...(leftFault && refusalOf(leftFault, name)) })
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error
      if (
        action.kind === 'remove' &&
        error.code === 'record.not-found' &&
        (await isRemovedBy(trx, resource, row.entry, job.id))
      )
        storedOutcomes.push({ place: row.place, outcome: 'changed', name })
      else storedOutcomes.push({ place: row.place, outcome: 'refused', ...refusalOf(error, name) })
    }
    if (isTimeUp()) break
  }
  return action.kind === 'remove' || action.kind === 'undo'
    ? storedOutcomes
    : collectChanges(trx, setting, rows, storedOutcomes, rowsBefore, lastRevisionId)
}

const toUndoing = ({ draft }: Row, { id, undoes }: Job): RowToUndo => ({
  isRemoved: draft?.removed === true,
  changes: (draft?.changes ?? {}) as RowToUndo['changes'],
  kept: draft?.kept ?? {},
  job: undoes ?? 0,
  undoJob: id,
})

/**
 * Returns a refusal of a bulk edit's row as the wire shows it. The name of a record that does not exist for
 * the user stays hidden.
 */
function refusalOf(refusal: Fault, name: string | null): Pick<Outcome, 'refusal' | 'name'> {
  const { error } = toErrorBody(refusal)
  const [onlyIssue, secondIssue] = refusal.issues
  const codeAndParams =
    onlyIssue && !secondIssue
      ? { code: onlyIssue.code, params: onlyIssue.params ?? {} }
      : { code: refusal.code, params: refusal.params }
  return {
    name: refusal.code === 'record.not-found' || refusal.code === 'user.not-found' ? null : name,
    refusal: {
      ...codeAndParams,
      message: error.message,
      issues: refusal.issues.length > 0 ? error.details.errors : [],
    },
  }
}

async function lastRevision(trx: Transaction, job: number): Promise<number> {
  const [row] = await trx.query(sql<{ id: number | null }>`select max(id) as id from revisions where job = ${job}`)
  return row?.id ?? 0
}

/**
 * Whether the bulk job has already deleted this row through another language of its record: one delete
 * removes all.
 */
async function isRemovedBy(trx: Transaction, resource: Resource, entry: number, job: number): Promise<boolean> {
  const foundRows = await trx.query(sql`
    select 1 from revisions where job = ${job} and resource = ${documentTable(resource)} and operation = 'remove'
       and kept ->> 'entry' = ${String(entry)}`)
  return foundRows.length > 0
}

/** Adds to each row of a bulk job the changes of its write, from the revisions that it created. */
async function collectChanges(
  trx: Transaction,
  { job, resource }: JobSetting,
  rows: readonly Row[],
  doneOutcomes: readonly Outcome[],
  formerRecords: ReadonlyMap<number, FormerRecord>,
  lastRevision: number,
): Promise<Outcome[]> {
  const leftRevisions = await trx.query(sql<StoredRevision>`
    select id, document_id as document, locale, changes from revisions
     where job = ${job.id} and resource = ${documentTable(resource)} and id > ${lastRevision} order by id`)
  const revisionsByDocument = new Map<number, StoredRevision[]>()
  for (const storedRevision of leftRevisions)
    revisionsByDocument.set(storedRevision.document, [
      ...(revisionsByDocument.get(storedRevision.document) ?? []),
      storedRevision,
    ])
  const entries = new Map(rows.map(({ place, entry }) => [place, entry]))
  return doneOutcomes.map((outcome) => {
    const rowBefore = formerRecords.get(entries.get(outcome.place) ?? 0)
    if (!rowBefore || outcome.outcome === 'refused') return outcome
    const documentRevisions = revisionsByDocument.get(rowBefore.document) ?? []
    // The first language in a bulk job changes the fields that all languages share.
    const ownRevisions = documentRevisions.filter(({ locale }) => locale === null || locale === rowBefore.locale)
    revisionsByDocument.set(
      rowBefore.document,
      documentRevisions.filter((storedRevision) => !ownRevisions.includes(storedRevision)),
    )
    if (ownRevisions.length === 0) return outcome
    const { document, locale, seen, source, lists } = rowBefore
    // A conversion between scripts leaves the counts of translations alone, and so does its undo.
    const counts = job.action.kind === 'script' ? {} : { seen, source }
    return {
      ...outcome,
      outcome: 'changed',
      changes: Object.fromEntries(ownRevisions.flatMap(({ changes }) => Object.entries(changes))),
      kept: { document, locale, ...counts, lists, revision: ownRevisions.at(-1)?.id ?? 0 },
    }
  })
}

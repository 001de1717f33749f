/** Reads and writes imports and their rows in the database. */
import {
  type Fault,
  fault,
  type ImportFailure,
  type ImportFilter,
  type ImportIssue,
  type ImportMapping,
  type ImportProgress,
  type ImportReading,
  type ImportRow,
  type ImportState,
  type ImportSummary,
  type ImportTwin,
  messageOf,
} from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { FoundNames } from './names/names-found.ts'
import { plainName } from './names/near.ts'
import type { CheckedRow, RowDraft, StoredRow } from './import-row.ts'
import type { SheetRow } from './sheet/cells.ts'

export const imports = resourceNamed('insert_excel')

/** Task of the background job of an import, and the user of the task. */
export interface ImportPlan {
  /** Account that requested the import's task; by default the author of the import. */
  by?: number
  address?: string
  requestId?: string
  /** Sheet and row of headings that a user chose for the import. */
  sheet?: string
  headingRow?: number
  /** Whether the import's rows are stored already and only need a check. */
  isRead?: boolean
  commit?: { mode: 'valid_only' | 'all_or_nothing'; warnings: boolean }
  /** Price dates that the commit of the import has created; a revert removes them with its prices. */
  madeDays?: readonly number[]
}

export interface ImportRecord {
  id: number
  kind: string
  state: ImportState
  version: number
  author: number | null
  file: string
  name: string
  digest: string | null
  createdAt: string
  reading: ImportReading | null
  /** Mapping of the import's columns; until the file is read, only the details that its sender gave. */
  mapping: (Partial<ImportMapping> & { date?: string }) | null
  summary: ImportSummary | null
  plan: ImportPlan | null
}

const columns = sql`id, kind, state, version, author_id as author, stored_file as file, file_name as name, digest,
  created_at as "createdAt", reading, mapping, summary, plan`

/**
 * Finds an import by its id.
 *
 * @param queries - The database or a transaction.
 * @param id - Its id.
 * @param lock - Whether to lock it until the transaction ends.
 * @returns The import.
 * @throws 404.
 */
export async function loadImport(queries: Pick<Queries, 'query'>, id: number, lock = false): Promise<ImportRecord> {
  const [foundImport] = await queries.query(
    sql<ImportRecord>`select ${columns} from insert_excel where id = ${id} ${lock ? sql`for update` : sql``}`,
  )
  if (!foundImport) throw fault('record.not-found')
  return foundImport
}

/**
 * Returns the complete mapping of an import.
 *
 * @throws 409 before the file is read.
 */
export function mappingOf({ mapping, state }: ImportRecord): ImportMapping {
  if (mapping?.columns === undefined) throw fault('import.state', { params: { state } })
  return mapping as ImportMapping
}

/** Fields of an import that the program writes. */
export interface ImportChange {
  state?: ImportState
  progress?: ImportProgress | null
  reading?: ImportReading
  mapping?: ImportRecord['mapping']
  summary?: ImportSummary
  errors?: Readonly<Record<string, number>>
  same_as?: ImportTwin | null
  failure?: ImportFailure | null
  plan?: ImportPlan | null
  counts?: { total: number; created: number; updated: number; skipped: number; failed: number }
  committed?: true
  reverted?: true
}

/**
 * Changes an import. Progress alone does not change its version, so that it makes no user's version stale.
 */
export async function saveImport(trx: Transaction, id: number, change: ImportChange): Promise<void> {
  const assignmentsSql: Template<unknown>[] = []
  const { state, counts, committed, reverted, ...structures } = change
  for (const [name, value] of Object.entries(structures))
    assignmentsSql.push(sql`${sql.ref(name)} = ${value === null ? null : JSON.stringify(value)}::jsonb`)
  if (state) assignmentsSql.push(sql`state = ${state}`)
  if (counts) {
    const { total, created, updated, skipped, failed } = counts
    assignmentsSql.push(
      sql`total = ${total}, created_count = ${created}, updated_count = ${updated}, skipped_count = ${skipped}, failed_count = ${failed}`,
    )
  }
  if (committed) assignmentsSql.push(sql`committed_at = now()`)
  if (reverted) assignmentsSql.push(sql`reverted_at = now()`)
  const isProgressOnly = Object.keys(change).every((name) => name === 'progress')
  if (!isProgressOnly) assignmentsSql.push(sql`version = version + 1, updated_at = now()`)
  await trx.query(sql`update insert_excel set ${sql.join(assignmentsSql)} where id = ${id}`)
  trx.changed(imports.name, 'values')
}

/** Deletes the stored rows of an import whose file is read again. */
export const clearRows = (trx: Transaction, id: number): Promise<unknown> =>
  trx.query(sql`delete from import_rows where import_id = ${id}`)

/** Stores the rows of an import as they were read from the file. */
export async function insertRows(trx: Transaction, id: number, rows: readonly SheetRow[]): Promise<void> {
  const listedRows = JSON.stringify(rows.map(({ row, cells, isHidden }) => ({ row, cells, hidden: isHidden })))
  await trx.query(sql`
    insert into import_rows (import_id, row, cells, is_hidden)
    select ${id}::int, row, cells, hidden from jsonb_to_recordset(${listedRows}::jsonb) as given(row int, cells jsonb, hidden boolean)
    on conflict (import_id, row) do update set cells = excluded.cells, is_hidden = excluded.is_hidden`)
}

/** SQL of the key under which an imported row's confirmed warnings are stored; no field has such a name. */
const confirmedKey = sql.lit('#confirmed')
const correctedByUserSql = sql`corrected - ${confirmedKey}`

const rowColumnsSql = sql`row, cells, is_hidden as "isHidden", ${correctedByUserSql} as corrected, is_skipped as "isSkipped", refusal,
  corrected -> ${confirmedKey} as confirmed`

/** Loads some stored rows of an import. */
export const loadRows = (queries: Pick<Queries, 'query'>, id: number, rows: readonly number[]): Promise<StoredRow[]> =>
  queries.query(
    sql<StoredRow>`select ${rowColumnsSql} from import_rows where import_id = ${id} and row = any(${[...rows]}::int[]) order by row`,
  )

/** Number of imported rows in one statement; other requests are served between two statements. */
const page = 1_000

/** Yields all rows of an import, a page at a time. */
export async function* pagesOfRows(queries: Pick<Queries, 'query'>, id: number): AsyncGenerator<StoredRow[]> {
  for (let lastRow = 0; ;) {
    const rows = await queries.query(
      sql<StoredRow>`select ${rowColumnsSql} from import_rows where import_id = ${id} and row > ${lastRow} order by row limit ${page}::int`,
    )
    yield rows
    if (rows.length < page) return
    lastRow = rows.at(-1)?.row ?? lastRow
  }
}

/** Finds rows of an import with one of the given keys. */
export async function rowsWithKeys(
  queries: Pick<Queries, 'query'>,
  id: number,
  keys: readonly string[],
): Promise<number[]> {
  const rows = await queries.query(
    sql<{ row: number }>`select row from import_rows where import_id = ${id} and keys && ${[...keys]}::text[]`,
  )
  return rows.map(({ row }) => row)
}

/** Returns the keys of imported rows at their last check. */
export async function keysOfRows(
  queries: Pick<Queries, 'query'>,
  id: number,
  rows: readonly number[],
): Promise<string[]> {
  const foundRows = await queries.query(
    sql<{ keys: string[] }>`select keys from import_rows where import_id = ${id} and row = any(${[...rows]}::int[])`,
  )
  return foundRows.flatMap(({ keys }) => keys)
}

/** Number of imported rows that one statement stores. */
const portion = 500

/** Stores the results of an import's checked rows. */
export async function saveCheckedRows(trx: Transaction, id: number, checkedRows: readonly CheckedRow[]): Promise<void> {
  for (let start = 0; start < checkedRows.length; start += portion) {
    const listedRows = JSON.stringify(checkedRows.slice(start, start + portion))
    await trx.query(sql`
      update import_rows r set action = c.action, has_warning = c."hasWarning", keys = c.keys, document = c.document,
             seen = c.seen, shown = c.shown, draft = c.draft
        from jsonb_to_recordset(${listedRows}::jsonb) as c(row int, action text, "hasWarning" boolean, keys text[], document int, seen text, shown jsonb, draft jsonb)
       where r.import_id = ${id} and r.row = c.row`)
  }
}

/** Counts the rows of an import by action, and faults by their code. */
export async function summariseRows(
  queries: Pick<Queries, 'query'>,
  id: number,
): Promise<{ summary: ImportSummary; errors: Record<string, number> }> {
  const [summary] = await queries.query(sql<ImportSummary>`
    select count(*)::int as total,
           count(*) filter (where action = 'create')::int as "create", count(*) filter (where action = 'update')::int as "update",
           count(*) filter (where action = 'same')::int as same, count(*) filter (where action = 'skip')::int as skip,
           count(*) filter (where action = 'error')::int as error, count(*) filter (where has_warning)::int as warning,
           coalesce(sum(jsonb_array_length(shown -> 'issues')), 0)::int as issues
      from import_rows where import_id = ${id}`)
  const codes = await queries.query(sql<{ code: string; count: number }>`
    select issue ->> 'code' as code, count(*)::int as count
      from import_rows, jsonb_array_elements(shown -> 'issues') as issue where import_id = ${id} group by 1 order by 2 desc, 1`)
  return {
    summary: summary ?? { total: 0, create: 0, update: 0, same: 0, skip: 0, error: 0, warning: 0, issues: 0 },
    errors: Object.fromEntries(codes.map(({ code, count }) => [code, count])),
  }
}

/** SQL of the order of an import's preview: rows that need attention first. */
const order = sql`case when action = 'error' then 0 when has_warning then 1 when action = 'update' then 2
  when action = 'create' then 3 when action = 'same' then 4 else 5 end`

/** SQL of whether an imported row links to one of the records that were found by name. */
const linksToFoundSql = (foundNames: FoundNames) =>
  [...foundNames].map(
    ([
      key,
      ids,
    ]) => sql`exists (select from jsonb_path_query(shown -> 'after', ${`$.${JSON.stringify(key)}[*].id`}::jsonpath) as link
      where (link #>> '{}')::int = any(${[...ids]}::int[]))`,
  )

const containsTextSql = (search: string, foundNames: FoundNames) =>
  sql`(${sql.join(
    [
      sql`strpos(fold_case((shown -> 'given')::text || (shown -> 'after')::text), ${plainName(search)}) > 0`,
      ...linksToFoundSql(foundNames),
    ],
    sql` or `,
  )})`

const matches = (id: number, filter: ImportFilter, search: string, foundNames: FoundNames) => sql`
  import_id = ${id} and ${
    filter === 'all' ? sql`true` : filter === 'warning' ? sql`has_warning` : sql`action = ${filter}`
  } and ${search === '' ? sql`true` : containsTextSql(search, foundNames)}`

interface ShownRow {
  row: number
  action: ImportRow['action']
  corrected: Record<string, string>
  is_hidden: boolean
  is_written: boolean
  shown: CheckedRow['shown']
}

/**
 * Reads a page of an import's preview. `found` lists the records with the text in their name, in any
 * language.
 */
export async function pageOfRows(
  queries: Pick<Queries, 'query'>,
  id: number,
  filter: ImportFilter,
  { search, found }: { search: string; found: FoundNames },
  page: Template<unknown>,
): Promise<{ rows: ImportRow[]; total: number }> {
  const shownRows = await queries.query(sql<ShownRow>`
    select row, action, ${correctedByUserSql} as corrected, is_hidden, is_written, shown from import_rows
     where ${matches(id, filter, search, found)} and shown is not null order by ${order}, row ${page}`)
  const [countedRows] = await queries.query(
    sql<{
      count: number
    }>`select count(*)::int as count from import_rows where ${matches(id, filter, search, found)} and shown is not null`,
  )
  return {
    rows: shownRows.map(({ shown, ...row }) => ({ ...shown, ...row })),
    total: countedRows?.count ?? 0,
  }
}

/** Row of an import that a commit writes. */
export interface WritingRow {
  row: number
  action: 'create' | 'update'
  document: number | null
  seen: string | null
  draft: RowDraft
  /** Whether the warnings of this imported row alone were confirmed. */
  isConfirmed: boolean
}

/** Returns the next imported rows that a commit writes. */
export function rowsToWrite(
  queries: Pick<Queries, 'query'>,
  id: number,
  { after, limit, warnings }: { after: number; limit: number; warnings: boolean },
): Promise<WritingRow[]> {
  return queries.query(sql<WritingRow>`
    select row, action, document, seen, draft, coalesce((shown ->> 'is_confirmed')::boolean, false) as "isConfirmed" from import_rows
     where import_id = ${id} and row > ${after} and action in ('create', 'update') and (${warnings} or not has_warning)
     order by row limit ${limit}::int`)
}

/** Former values of a record that an import has written, for a revert. */
export interface WrittenRow {
  row: number
  document: number
  undo: RowUndo
  leftAs: string
}

/** Values of the record before the import, with links as documents; none for a new record. */
export type RowUndo =
  | { created: true; texts?: readonly string[] }
  | {
      created: false
      shared: Record<string, unknown>
      texts: Record<string, Record<string, unknown>>
      added: readonly string[]
    }

/** Stores the results of an import's commit. */
export async function saveWrittenRows(trx: Transaction, id: number, rows: readonly WrittenRow[]): Promise<void> {
  await trx.query(sql`
    update import_rows r set is_written = true, document = w.document, undo = w.undo, left_as = w."leftAs"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(row int, document int, undo jsonb, "leftAs" text)
     where r.import_id = ${id} and r.row = w.row`)
}

export const writtenRows = (
  queries: Pick<Queries, 'query'>,
  id: number,
  { after, limit }: { after: number; limit: number },
): Promise<WrittenRow[]> =>
  queries.query(sql<WrittenRow>`
    select row, document, undo, left_as as "leftAs" from import_rows
     where import_id = ${id} and is_written and row > ${after} order by row limit ${limit}::int`)

/** Stores a user's corrections of an import. */
export async function correctRows(
  trx: Transaction,
  id: number,
  {
    rows = [],
    skip = [],
    keep = [],
    confirm = [],
    unconfirm = [],
  }: {
    rows?: readonly { row: number; values: Readonly<Record<string, string | null>> }[]
    skip?: readonly number[]
    keep?: readonly number[]
    confirm?: readonly number[]
    unconfirm?: readonly number[]
  },
): Promise<void> {
  // Confirmations refer to the warnings as they were shown, so they are stored before the rows change.
  await trx.query(sql`
    update import_rows r set corrected = (r.corrected - ${confirmedKey}) || case when row = any(${[...confirm]}::int[]) then jsonb_build_object(${confirmedKey}, (
             select jsonb_agg(jsonb_build_array(i.issue -> 'field', i.issue -> 'code', i.issue -> 'value') order by i.place)
               from jsonb_array_elements(r.shown -> 'issues') with ordinality as i(issue, place) where i.issue ->> 'level' = 'warning'))
             else '{}'::jsonb end
     where import_id = ${id} and (row = any(${[...confirm]}::int[]) or row = any(${[...unconfirm]}::int[]))`)
  await trx.query(sql`
    update import_rows r set refusal = null, corrected = jsonb_strip_nulls((r.corrected - ${confirmedKey}) || c.values)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(row int, values jsonb)
     where r.import_id = ${id} and r.row = c.row`)
  await trx.query(sql`
    update import_rows set is_skipped = (row = any(${[...skip]}::int[])), refusal = null
     where import_id = ${id} and (row = any(${[...skip]}::int[]) or row = any(${[...keep]}::int[]))`)
}

/** Stores a refusal of the write path, until the imported row is corrected. */
export async function refuseRow(trx: Transaction, id: number, row: number, refusal: ImportIssue): Promise<void> {
  await trx.query(
    sql`update import_rows set refusal = ${JSON.stringify(refusal)}::jsonb where import_id = ${id} and row = ${row}`,
  )
}

/** Finds an earlier import of the same file that did not fail. */
export async function findTwin(
  queries: Pick<Queries, 'query'>,
  { id, digest, kind }: ImportRecord,
): Promise<ImportTwin | null> {
  const [twinImport] = await queries.query(sql<ImportTwin>`
    select i.id, i.file_name, i.state, coalesce(nullif(concat_ws(' ', u.name, u.surname), ''), u.username, '') as author, i.created_at as at
      from insert_excel i left join users u on u.id = i.author_id
     where i.digest = ${digest} and i.kind = ${kind} and i.id < ${id} and i.state <> 'failed' order by i.id desc limit 1`)
  return twinImport ?? null
}

/** Loads the headings and names that were accepted before, for a resource. */
export async function readRememberedDecisions(queries: Pick<Queries, 'query'>, kind: string) {
  const headings = await queries.query(
    sql<{ heading: string; key: string; since: string }>`
      select heading, key, to_char(accepted_at, 'YYYY-MM-DD') as since from import_headings where kind = ${kind}`,
  )
  const names = await queries.query(
    sql<{
      key: string
      name: string
      document: number
    }>`select key, name, document from import_names where kind = ${kind}`,
  )
  return {
    headings: new Map(headings.map(({ heading, key, since }) => [heading, { key, since }])),
    names: new Map(names.map(({ key, name, document }) => [`${key}/${name}`, document])),
  }
}

/** Stores decisions on headings and names for the next files of a resource. */
export async function rememberMapping(
  trx: Transaction,
  kind: string,
  headings: readonly { heading: string; key: string }[],
  names: readonly { key: string; name: string; document: number }[],
): Promise<void> {
  await trx.query(sql`
    insert into import_headings (kind, heading, key)
    select ${kind}::text, heading, key from jsonb_to_recordset(${JSON.stringify(headings)}::jsonb) as given(heading text, key text)
    on conflict (kind, heading) do update set key = excluded.key, accepted_at = now()`)
  await trx.query(sql`
    insert into import_names (kind, key, name, document)
    select ${kind}::text, key, name, document from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as given(key text, name text, document int)
    on conflict (kind, key, name) do update set document = excluded.document, accepted_at = now()`)
}

/** Converts a refusal of the write path to the failure that an import shows. */
export const failureOf = (refusal: Fault): ImportFailure => ({
  code: refusal.code,
  params: refusal.params,
  message: messageOf(refusal.code, refusal.params),
})

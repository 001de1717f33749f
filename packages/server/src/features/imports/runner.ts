/** Runs the background job of an import: reads its file, checks its rows, and writes them. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caller, Fault, fault, importFields, type ImportMapping, type ImportReading } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { notifyUsers } from '../../domain/delivery/notices.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { readCallerNow } from '../../resources/caller-now.ts'
import type { Author } from '../../resources/history/history.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { type CommitParts, commitRows, issueOf, lettersOfImport, RowRefused } from './commit.ts'
import { findHeadingRow, matchColumns } from './names/headings.ts'
import {
  clearRows,
  failureOf,
  type ImportRecord,
  insertRows,
  loadImport,
  mappingOf,
  refuseRow,
  readRememberedDecisions,
  saveImport,
  summariseRows,
  findTwin,
} from './import-store.ts'
import { importFieldsOf, localeOf, missingNamesOf, previewAllRows, type PreviewParts } from './preview.ts'
import { type SheetDetails, sheetLimits, type SheetRow } from './sheet/cells.ts'
import { readSheet } from './sheet/reader.ts'

export interface ImportParts extends CommitParts, PreviewParts {
  /** Folder in which the server stores imported sheets. */
  folder: string
}

/** Maximum number of hidden rows and of merged cells that an import's details list. */
const maxListedRows = 100
/** Number of the sheet's first rows of data that samples are taken from. */
const maxSampledRows = 50

/** Finds imports that wait for a job or were interrupted. */
export async function unfinishedImports({ database }: ImportParts): Promise<number[]> {
  const rows = await database.query(
    sql<{ id: number }>`select id from insert_excel where state in ('parsing', 'committing') order by id`,
  )
  return rows.map(({ id }) => id)
}

/** Runs the next step of an import; without one it does nothing. Stops early on `signal`. */
export async function runImport(parts: ImportParts, id: number, signal: AbortSignal): Promise<void> {
  const { database } = parts
  const [importRow] = await database.query(sql`select 1 from insert_excel where id = ${id}`)
  if (!importRow) return
  const record = await loadImport(database, id)
  if (record.state !== 'parsing' && record.state !== 'committing') return
  // Another instance has received the imported file, and continues the import.
  const needsFile = record.state === 'parsing' && record.plan?.isRead !== true
  if (needsFile && database.kind === 'server' && !existsSync(join(parts.folder, record.file))) return
  try {
    const user = record.plan?.by ?? record.author
    const caller = user === null ? undefined : await readCallerNow(database, user)
    if (!caller) throw fault('access.denied')
    if (record.state === 'committing') await commitInBackground(parts, record, caller)
    else await makePreview(parts, record, caller, signal)
  } catch (error) {
    if (signal.aborted) return
    if (record.state === 'committing' && !(error instanceof Fault)) await returnToPreview(parts, id)
    else await failImport(parts, id, error instanceof Fault && error.status < 500 ? error : fault('import.broken'))
    if (!(error instanceof Fault) || error.status >= 500) throw error
  }
}

/**
 * Returns an import to its preview when nothing was written for a reason outside the sheet; the commit can be
 * requested again.
 */
const returnToPreview = ({ database }: ImportParts, id: number): Promise<void> =>
  withDeadlockRetry(database, (trx) =>
    saveImport(trx, id, { state: 'preview', progress: null, plan: null, failure: failureOf(fault('server.internal')) }),
  )

async function failImport({ database, folder }: ImportParts, id: number, refusal: Fault): Promise<void> {
  const record = await loadImport(database, id)
  await rm(join(folder, record.file), { force: true })
  await withDeadlockRetry(database, async (trx) => {
    await saveImport(trx, id, { state: 'failed', progress: null, plan: null, failure: failureOf(refusal) })
    await notifyImportFailed(trx, record)
  })
}

const importAddress = ({ id }: ImportRecord) => `/import/${id}`

/** Users to notify of an import: the user who committed it, before that its sender. */
const authorsOf = ({ plan, author }: ImportRecord): number[] => [plan?.by ?? author ?? []].flat()

/** Notifies of an import that failed or whose commit wrote nothing, once for each version of the import. */
async function notifyImportFailed(trx: Transaction, record: ImportRecord): Promise<void> {
  await notifyUsers(trx, {
    users: authorsOf(record),
    kind: 'import.failed',
    params: { resource: resourceNamed(record.kind).wire, file: record.name },
    address: importAddress(record),
    key: `${record.id}:${record.version}`,
  })
}

/** Notifies of an import whose rows a background job has written. */
async function notifyImportDone(
  trx: Transaction,
  record: ImportRecord,
  { created, updated }: { created: number; updated: number },
): Promise<void> {
  await notifyUsers(trx, {
    users: authorsOf(record),
    kind: 'import.done',
    params: { resource: resourceNamed(record.kind).wire, created, updated },
    address: importAddress(record),
    key: `${record.id}`,
  })
}

/** Reads the file of an import if necessary, and checks the rows. */
async function makePreview(
  parts: ImportParts,
  record: ImportRecord,
  caller: Caller,
  signal: AbortSignal,
): Promise<void> {
  const { database } = parts
  const { reading, mapping } =
    record.plan?.isRead === true
      ? { reading: record.reading, mapping: mappingOf(record) }
      : await readFile(parts, record, caller, signal)
  if (signal.aborted) return
  await withDeadlockRetry(database, (trx) =>
    saveImport(trx, record.id, { progress: { step: 'checking', done: 0, total: null } }),
  )
  const twinImport = await findTwin(database, record)
  await previewAllRows(parts, record, caller, mapping, async (trx, checkedMapping) => {
    const now = await loadImport(trx, record.id, true)
    if (now.state !== 'parsing') return
    const { summary, errors } = await summariseRows(trx, record.id)
    await saveImport(trx, record.id, {
      state: 'preview',
      progress: null,
      plan: null,
      failure: null,
      ...(reading && { reading }),
      mapping: checkedMapping,
      summary,
      errors,
      same_as: twinImport,
    })
  })
}

/** Reads the imported sheet into rows, and matches its columns with fields. */
async function readFile(parts: ImportParts, record: ImportRecord, caller: Caller, signal: AbortSignal) {
  const { database, folder } = parts
  const startTime = performance.now()
  const resource = resourceNamed(record.kind)
  const fields = importFieldsOf(resource, caller)
  const { headings } = await readRememberedDecisions(database, record.kind)
  const context = { resource, fields, locale: localeOf(record, caller), rememberedHeadings: headings }
  await withDeadlockRetry(database, (trx) => clearRows(trx, record.id))
  let details: SheetDetails | undefined
  let heading: number | undefined
  let headingRow: SheetRow | undefined
  const top: SheetRow[] = []
  const firstRows: SheetRow[] = []
  let count = 0
  await readSheet(
    { path: join(folder, record.file), sheet: record.plan?.sheet },
    {
      signal,
      details: (sheetDetails) => void (details = sheetDetails),
      rows: async (rows) => {
        if (heading === undefined) {
          top.push(...rows.slice(0, sheetLimits.top))
          heading = record.plan?.headingRow ?? findHeadingRow(top, context)
          headingRow = rows.find(({ row }) => row === heading)
          if (!headingRow) throw fault('import.sheet')
        }
        const rowsBelow = rows.filter(({ row }) => row > (heading ?? 0))
        count += rowsBelow.length
        if (count > sheetLimits.rows) throw fault('import.rows', { params: { max: sheetLimits.rows } })
        firstRows.push(...rowsBelow.slice(0, Math.max(0, maxSampledRows - firstRows.length)))
        await withDeadlockRetry(database, async (trx) => {
          await insertRows(trx, record.id, rowsBelow)
          await saveImport(trx, record.id, { progress: { step: 'reading', done: count, total: null } })
        })
      },
    },
  )
  if (!details || !headingRow || count === 0) throw fault('import.empty')
  const columns = matchColumns(headingRow.cells, firstRows, details.hiddenColumns, context)
  const readingDetails: ImportReading = {
    seconds: Math.round((performance.now() - startTime) / 100) / 10,
    sheets: details.sheets,
    sheet: details.sheet,
    heading_row: headingRow.row,
    formulas: details.formulas,
    hidden_rows: details.hiddenRows.slice(0, maxListedRows),
    hidden_rows_count: details.hiddenRows.length,
    merged: details.merged.slice(0, maxListedRows),
    merged_count: details.merged.length,
    is_protected: details.isProtected,
  }
  const formerMapping = record.mapping
  const mapping: ImportMapping = {
    ...(formerMapping?.date !== undefined && { date: formerMapping.date }),
    locale: context.locale,
    columns,
    names: formerMapping?.names ?? [],
    names_count: 0,
    open_columns: 0,
    open_names: 0,
    missing: [],
    remember: formerMapping?.remember ?? true,
    aliases: formerMapping?.aliases ?? false,
    first: null,
  }
  return {
    reading: readingDetails,
    mapping: { ...mapping, missing: missingNamesOf(resource, importFields(resource), mapping) },
  }
}

/** Writes the rows of an import in one transaction. A refused row returns the import to its preview. */
async function commitInBackground(parts: ImportParts, record: ImportRecord, caller: Caller): Promise<void> {
  const { database } = parts
  const author: Author = {
    caller,
    ...(record.plan?.address !== undefined && { address: record.plan.address }),
    ...(record.plan?.requestId !== undefined && { requestId: record.plan.requestId }),
  }
  try {
    await withDeadlockRetry(database, async (trx) => {
      const now = await loadImport(trx, record.id, true)
      if (now.state === 'committing') await notifyImportDone(trx, now, await commitRows(trx, parts, now, author))
    })
    await rm(join(parts.folder, record.file), { force: true })
  } catch (error) {
    await returnImportToPreview(parts, record, caller, error)
  }
}

/**
 * Returns an import to its preview with the reason, after a commit that wrote nothing.
 *
 * @throws Any error that is no refusal.
 */
async function returnImportToPreview(
  parts: ImportParts,
  record: ImportRecord,
  caller: Caller,
  error: unknown,
): Promise<void> {
  const { database } = parts
  const refusal = error instanceof RowRefused ? fault('import.faulty', { params: { count: 1 } }) : error
  if (!(refusal instanceof Fault) || refusal.status >= 500) throw error
  if (error instanceof RowRefused)
    await withDeadlockRetry(database, (trx) =>
      refuseRow(trx, record.id, error.row, issueOf(error, lettersOfImport(record, caller))),
    )
  // The new preview of an import shows the records that have changed since the former one.
  await previewAllRows(parts, record, caller, mappingOf(record), async (trx, mapping) => {
    const { summary, errors } = await summariseRows(trx, record.id)
    const failure = failureOf(refusal)
    await saveImport(trx, record.id, {
      state: 'preview',
      progress: null,
      plan: null,
      failure,
      mapping,
      summary,
      errors,
    })
    await notifyImportFailed(trx, record)
  })
}

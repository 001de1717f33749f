/** Creates the preview of an import: the field of each column, and the effect of each row. */
import {
  type Caller,
  fault,
  type ImportColumn,
  type ImportField,
  importFields,
  type ImportMapping,
  type ImportName,
  isLocale,
  type Locale,
  type Resource,
} from '@dala/model'
import type { Database, Transaction } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { type CheckedRows, checkRows } from './check.ts'
import type { CheckContext } from './check-context.ts'
import type { CheckedRow, LoadedColumn } from './import-row.ts'
import {
  type ImportRecord,
  keysOfRows,
  loadRows,
  mappingOf,
  pagesOfRows,
  readRememberedDecisions,
  rowsWithKeys,
  saveCheckedRows,
  saveImport,
  summariseRows,
} from './import-store.ts'
import { nameKey } from './names/resolve-names.ts'

/** Returns the fields of a resource that a caller may write, as columns of a sheet. */
export function importFieldsOf(resource: Resource, caller: Caller): ImportField[] {
  const { writableNames } = authoriseCaller(resource, 'create', caller)
  return importFields(resource).filter(({ name }) => name === 'id' || !writableNames || writableNames.includes(name))
}

/** Converts letters to the index of a column, from 0. */
const indexOf = (letter: string): number =>
  [...letter].reduce((sum, character) => sum * 26 + character.charCodeAt(0) - 64, 0) - 1

/** Returns the columns of a sheet that an import loads. */
export function loadedColumns(fields: readonly ImportField[], columns: readonly ImportColumn[]): LoadedColumn[] {
  const fieldsByKey = new Map(fields.map((field) => [field.key, field]))
  return columns.flatMap(({ key, letter, status }) => {
    const field = key === null || status !== 'matched' ? undefined : fieldsByKey.get(key)
    return field ? [{ field, letter, index: indexOf(letter) }] : []
  })
}

/** Returns required fields of a new record without a column. */
export function missingNamesOf(
  resource: Resource,
  fields: readonly ImportField[],
  { columns, date }: Pick<ImportMapping, 'columns' | 'date'>,
): string[] {
  const loadedKeys = new Set(
    columns.flatMap(({ key, status }) => (key !== null && status === 'matched' ? [key.split('.')[0]] : [])),
  )
  // The form of the import may name the day of all prices, and their default unit is that of the product.
  const impliedKeys = new Set(resource.name === 'pricelists' ? ['unit', ...(date ? ['pricedate'] : [])] : [])
  const names = fields
    .filter(({ isRequired, name }) => isRequired && !loadedKeys.has(name) && !impliedKeys.has(name))
    .map(({ name }) => name)
  return [...new Set(names)]
}

/** Returns the language of an import, also before its file is read. */
export const localeOf = (record: ImportRecord, caller: Caller): Locale =>
  isLocale(record.mapping?.locale) ? record.mapping.locale : caller.language

export interface PreviewParts {
  database: Database
}

async function createContext(
  runner: CheckContext['runner'],
  record: ImportRecord,
  caller: Caller,
  mapping: ImportMapping,
): Promise<CheckContext> {
  const resource = resourceNamed(record.kind)
  const { names } = await readRememberedDecisions(runner, record.kind)
  return {
    runner,
    // Records are shown by their names in the language of the import.
    caller: { ...caller, language: mapping.locale },
    resource,
    view: authoriseCaller(resource, 'update', caller),
    mapping,
    columns: loadedColumns(importFieldsOf(resource, caller), mapping.columns),
    decidedNames: new Map(
      mapping.names.flatMap(({ key, name, target, isRemembered }) =>
        target && !isRemembered ? [[nameKey(key, name), target.id] as const] : [],
      ),
    ),
    rememberedNames: names,
  }
}

/** Counts the names of an import without a decision. */
const openNames = (names: readonly ImportName[]) => names.filter(({ target }) => target === null).length

/** Returns the mapping that the columns step of an import shows after a check. */
function mappingWithNames(
  mapping: ImportMapping,
  { names, namesCount }: CheckedRows,
  firstCheckedRow: CheckedRow | undefined,
): ImportMapping {
  // A decision on a name that no row needs any more stays, so that it can be undone.
  const knownNames = new Set(names.map(({ key, name }) => nameKey(key, name)))
  const unusedNames = mapping.names.filter(
    ({ key, name, target, isRemembered }) => target && !isRemembered && !knownNames.has(nameKey(key, name)),
  )
  const sortedNames = [...names, ...unusedNames].toSorted(
    (a, b) => Number(a.target !== null) - Number(b.target !== null) || b.rows - a.rows,
  )
  return {
    ...mapping,
    names: sortedNames.slice(0, 500),
    names_count: namesCount + unusedNames.length,
    open_columns: mapping.columns.filter(({ status }) => status === 'open').length,
    open_names: openNames(names),
    first: firstCheckedRow ? { row: firstCheckedRow.row, values: firstCheckedRow.shown.after } : null,
  }
}

/**
 * Checks all rows of an import and stores the preview. The rows are checked outside the transaction that
 * stores them.
 *
 * @param parts - The database.
 * @param record - The import.
 * @param caller - The user whose rights apply.
 * @param mapping - The chosen columns and names.
 * @param store - Stores further changes in the same transaction.
 */
export async function previewAllRows(
  parts: PreviewParts,
  record: ImportRecord,
  caller: Caller,
  mapping: ImportMapping,
  store: (trx: Transaction, mapping: ImportMapping) => Promise<void>,
): Promise<void> {
  const { database } = parts
  const context = await createContext(database, record, caller, mapping)
  const checkedRows = await checkRows(context, pagesOfRows(database, record.id))
  if (checkedRows.count === 0) throw fault('import.empty')
  let firstRow: CheckedRow | undefined
  // The results of checked rows are stored in batches: the preview is not shown until the last batch is
  // stored.
  for await (const rows of checkedRows.outcomes(true)) {
    if (firstRow === undefined || firstRow.action === 'skip')
      firstRow = rows.find(({ action }) => action !== 'skip') ?? firstRow ?? rows[0]
    await withDeadlockRetry(database, (trx) => saveCheckedRows(trx, record.id, rows))
  }
  await withDeadlockRetry(database, (trx) => store(trx, mappingWithNames(mapping, checkedRows, firstRow)))
}

/** Maximum number of rounds for imported rows whose keys depend on each other and are checked together. */
const maxRounds = 5

/** Checks some imported rows again, with all rows of the same records, in a transaction. */
export async function previewSomeRows(
  trx: Transaction,
  record: ImportRecord,
  caller: Caller,
  rows: readonly number[],
): Promise<void> {
  const context = await createContext(trx, record, caller, mappingOf(record))
  let rowNumbers = new Set([...rows, ...(await rowsWithKeys(trx, record.id, await keysOfRows(trx, record.id, rows)))])
  for (let roundNumber = 1; ; roundNumber += 1) {
    const checkedRows = await checkRows(context, [await loadRows(trx, record.id, [...rowNumbers])])
    const keys: string[] = []
    for await (const rows of checkedRows.outcomes()) keys.push(...rows.flatMap(({ keys: rowKeys }) => rowKeys))
    const addedRows = (await rowsWithKeys(trx, record.id, keys)).filter((row) => !rowNumbers.has(row))
    if (addedRows.length > 0 && roundNumber < maxRounds) {
      rowNumbers = new Set([...rowNumbers, ...addedRows])
      continue
    }
    for await (const rows of checkedRows.outcomes(true)) await saveCheckedRows(trx, record.id, rows)
    break
  }
  const { summary, errors } = await summariseRows(trx, record.id)
  await saveImport(trx, record.id, { summary, errors })
}

/**
 * Checks the imported rows to be written again, and stores the differences.
 *
 * @returns The number of rows that differ from the preview.
 */
export async function findChangedSince(
  parts: PreviewParts,
  record: ImportRecord,
  caller: Caller,
  warnings: boolean,
): Promise<number> {
  const { database } = parts
  const context = await createContext(database, record, caller, mappingOf(record))
  const checkedRows = await checkRows(context, pagesOfRows(database, record.id))
  const rowsBefore = new Map((await readPresentImport(database, record.id)).map((row) => [row.row, row]))
  let changedCount = 0
  for await (const rows of checkedRows.outcomes()) {
    changedCount += rows.filter((now) => {
      const rowBefore = rowsBefore.get(now.row)
      const isWritten = rowBefore?.action === 'create' || rowBefore?.action === 'update'
      if (!rowBefore || !isWritten || (rowBefore.hasWarning && !warnings)) return false
      return rowBefore.action !== now.action || rowBefore.seen !== now.seen || rowBefore.document !== now.document
    }).length
  }
  if (changedCount === 0) return 0
  await withDeadlockRetry(database, async (trx) => {
    for await (const rows of checkedRows.outcomes(true)) await saveCheckedRows(trx, record.id, rows)
    const { summary, errors } = await summariseRows(trx, record.id)
    const failure = { code: 'import.changed', params: { count: changedCount }, message: '' }
    await saveImport(trx, record.id, {
      summary,
      errors,
      failure: { ...failure, message: fault('import.changed', { params: failure.params }).message },
    })
  })
  return changedCount
}

function readPresentImport(database: Database, id: number) {
  return database.query(
    sql<{ row: number; action: string; seen: string | null; document: number | null; hasWarning: boolean }>`
      select row, action, seen, document, has_warning as "hasWarning" from import_rows where import_id = ${id}`,
  )
}

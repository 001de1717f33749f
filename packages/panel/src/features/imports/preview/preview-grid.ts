/** The grid of the preview: its columns, its faults, and navigation between cells. */
import {
  type ImportColumn,
  type ImportField,
  type ImportIssue,
  type ImportRow,
  importActions,
  type ImportSummary,
} from '@dala/model'
import { cellAfter, type GridStep } from '../../../lib/keys/grid-keys.ts'
import { type CellPosition, confirmKey, type RowCorrections, skipKey } from './row-corrections.ts'
import { fieldsOfKind } from '../labels.ts'

/** Column of the preview: a field, and the letter of its column in the file if it has one. */
export interface PreviewColumn {
  field: ImportField
  letter: string | undefined
}

/**
 * Returns the columns of an import's preview in the order of the fields, so that every file of a kind looks
 * the same.
 *
 * @param kind - The resource that is imported.
 * @param columns - Columns of the file; those that are loaded are shown.
 * @param rows - Rows whose faults may concern fields without a column: those fields are shown too, to be
 *   filled in here.
 */
export function previewColumns(
  kind: string,
  columns: readonly ImportColumn[],
  rows: readonly ImportRow[] = [],
): PreviewColumn[] {
  const fieldsWithoutColumn = new Set(
    rows.flatMap(({ issues, corrected }) => [...issues.map(({ field }) => field), ...Object.keys(corrected)]),
  )
  const letters = new Map(
    columns.flatMap(({ key, letter, status }) => (key !== null && status === 'matched' ? [[key, letter]] : [])),
  )
  return [...fieldsOfKind(kind).values()].flatMap((field) => {
    const letter = letters.get(field.key)
    return letter === undefined && !fieldsWithoutColumn.has(field.key) ? [] : [{ field, letter }]
  })
}

/** Number of columns of the preview that fit beside each other. */
const maxColumns = 5

/**
 * Folds columns of an import's preview with the same value in every row: shown once above the table, they
 * leave space for the others.
 *
 * @param columns - All columns.
 * @param rows - Rows of the page.
 * @param textOf - The text of a cell.
 * @returns The folded columns with their text; none if all columns fit, and never the first one.
 */
export function foldedColumns(
  columns: readonly PreviewColumn[],
  rows: readonly ImportRow[],
  textOf: (column: PreviewColumn, row: ImportRow) => string,
): ReadonlyMap<string, string> {
  if (columns.length <= maxColumns || rows.length < 2) return new Map()
  return new Map(
    columns.slice(1).flatMap((column) => {
      const { key } = column.field
      // Returns whether the column hides a changed value of a row; a new row has no previous values to hide.
      const hidesChange = (row: ImportRow) => row.before !== null && row.changed.includes(key)
      if (rows.some((row) => issueAt(row, key) || hidesChange(row) || key in row.corrected)) return []
      const [text = '', ...otherTexts] = new Set(rows.map((row) => textOf(column, row)))
      return otherTexts.length === 0 ? [[key, text] as const] : []
    }),
  )
}

/** Groups of the preview's rows in their order. */
const groups = ['error', 'warning', ...importActions.filter((action) => action !== 'error')] as const
export type Group = (typeof groups)[number]

/** Errors of an imported row, and its unconfirmed warnings. */
export const openIssues = ({ issues, is_confirmed: isConfirmed }: ImportRow): readonly ImportIssue[] =>
  isConfirmed ? issues.filter(({ level }) => level === 'error') : issues

const hasWarning = (row: ImportRow) => openIssues(row).some(({ level }) => level === 'warning')

/** Group of an imported row: rows that need work come first. */
export function groupOf(row: ImportRow): Group {
  if (row.action === 'error' || row.action === 'skip') return row.action
  return hasWarning(row) ? 'warning' : row.action
}

/** The number of rows in a group of the preview: rows with warnings are also counted as new or changed. */
export const countOfGroup = (summary: ImportSummary, group: Group): number => summary[group]

/** Fault of a cell in the preview, an error before a warning; a confirmed warning is none. */
export function issueAt(row: ImportRow, key: string): ImportIssue | undefined {
  const ownIssues = openIssues(row).filter(({ field }) => field === key)
  return ownIssues.find(({ level }) => level === 'error') ?? ownIssues[0]
}

/** Initial text of the field when the editing of a preview cell starts. */
export const cellTextOf = (row: ImportRow, key: string, corrections: RowCorrections): string =>
  correctedAt(row, key, corrections) ?? row.given[key] ?? ''

/** Pending correction of a preview cell; null for the value of the file. */
export function correctedAt(row: ImportRow, key: string, corrections: RowCorrections): string | null {
  if (key === skipKey) return row.action === 'skip' ? 'yes' : null
  if (key === confirmKey) return row.is_confirmed ? 'yes' : null
  // A pending correction counts first: while it is being undone it has no text, but the row still shows it.
  const correction = corrections.get({ row: row.row, key })
  return correction ? correction.text : (row.corrected[key] ?? null)
}

/** Cells of an imported row with faults, or its first cell if a fault concerns the whole row. */
function findFaults(row: ImportRow, columns: readonly PreviewColumn[], corrections: RowCorrections): CellPosition[] {
  if (row.action === 'skip' || [skipKey, confirmKey].some((key) => corrections.get({ row: row.row, key }))) return []
  const keys = columns.map(({ field }) => field.key).filter((key) => issueAt(row, key))
  const [firstColumn] = columns
  const rowFault = keys.length === 0 && openIssues(row).length > 0 && firstColumn ? [firstColumn.field.key] : []
  return [...keys, ...rowFault]
    .map((key) => ({ row: row.row, key }))
    .filter((cellPosition) => !corrections.get(cellPosition))
}

const orderOf = (rows: readonly ImportRow[], columns: readonly PreviewColumn[]) => (cellPosition: CellPosition) =>
  rows.findIndex(({ row }) => row === cellPosition.row) * columns.length +
  columns.findIndex(({ field }) => field.key === cellPosition.key)

/** The next or previous fault from a cell of the preview; undefined when the page has no further one. */
export function nextFault(
  rows: readonly ImportRow[],
  columns: readonly PreviewColumn[],
  corrections: RowCorrections,
  startCell: CellPosition | null,
  direction: 1 | -1,
): CellPosition | undefined {
  const order = orderOf(rows, columns)
  const allFaults = rows.flatMap((row) => findFaults(row, columns, corrections))
  if (startCell === null) return direction === 1 ? allFaults[0] : allFaults.at(-1)
  const currentOrder = order(startCell)
  return direction === 1
    ? allFaults.find((at) => order(at) > currentOrder)
    : allFaults.findLast((at) => order(at) < currentOrder)
}

/** Cell of the preview at an offset of rows and columns; stops at the edges. */
export function findCellAtOffset(
  rows: readonly ImportRow[],
  columns: readonly PreviewColumn[],
  startCell: CellPosition,
  step: GridStep,
): CellPosition {
  const row = rows.findIndex((listedRow) => listedRow.row === startCell.row)
  const column = columns.findIndex(({ field }) => field.key === startCell.key)
  const nextCell = cellAfter(rows, columns, [row, column], step)
  return nextCell ? { row: nextCell.row.row, key: nextCell.column.field.key } : startCell
}

/** Number of rows of an import that will be written. */
export const writtenRows = ({ create, update, warning }: ImportSummary, withWarnings: boolean): number =>
  create + update - (withWarnings ? 0 : warning)

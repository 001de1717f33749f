/** The preview as a grid: its columns, its faults, and the way from one cell to the next. */
import {
  type ImportColumn,
  type ImportField,
  type ImportIssue,
  type ImportRow,
  importActions,
  type ImportSummary,
} from '@dala/model'
import { cellAfter, type GridStep } from '../../../lib/keys/grid-keys.ts'
import { type CellAt, confirmKey, type RowMends, skipKey } from './row-mends.ts'
import { fieldsOfKind } from '../words.ts'

/** A column of the preview: a field, and the letter of the column in the file where it has one. */
export interface PreviewColumn {
  field: ImportField
  letter: string | undefined
}

/**
 * The columns of the preview in the order of the fields, so that every file of a kind looks the same.
 *
 * @param kind - The resource that is imported.
 * @param columns - Columns of the file; those that are loaded are shown.
 * @param rows - Rows whose faults may lie in fields that no column fills: those are shown too, to be filled in here.
 */
export function previewColumns(
  kind: string,
  columns: readonly ImportColumn[],
  rows: readonly ImportRow[] = [],
): PreviewColumn[] {
  const lacking = new Set(
    rows.flatMap(({ issues, corrected }) => [...issues.map(({ field }) => field), ...Object.keys(corrected)]),
  )
  const letters = new Map(
    columns.flatMap(({ key, letter, status }) => (key !== null && status === 'matched' ? [[key, letter]] : [])),
  )
  return [...fieldsOfKind(kind).values()].flatMap((field) => {
    const letter = letters.get(field.key)
    return letter === undefined && !lacking.has(field.key) ? [] : [{ field, letter }]
  })
}

/** So many columns have room beside each other. */
const roomFor = 5

/**
 * Columns that say the same in every row: said once above the table they leave room for those that differ.
 *
 * @param columns - All columns.
 * @param rows - Rows of the page.
 * @param wordsOf - What a cell says.
 * @returns The columns that are folded, with what they say; none where all have room, and never the first.
 */
export function foldedColumns(
  columns: readonly PreviewColumn[],
  rows: readonly ImportRow[],
  wordsOf: (column: PreviewColumn, row: ImportRow) => string,
): ReadonlyMap<string, string> {
  if (columns.length <= roomFor || rows.length < 2) return new Map()
  return new Map(
    columns.slice(1).flatMap((column) => {
      const { key } = column.field
      // All that a new row has is called changed: it hides no former value.
      const hides = (row: ImportRow) => row.before !== null && row.changed.includes(key)
      if (rows.some((row) => issueAt(row, key) || hides(row) || key in row.corrected)) return []
      const [words = '', ...others] = new Set(rows.map((row) => wordsOf(column, row)))
      return others.length === 0 ? [[key, words] as const] : []
    }),
  )
}

/** The groups of the preview in their order. */
const groups = ['error', 'warning', ...importActions.filter((action) => action !== 'error')] as const
export type Group = (typeof groups)[number]

/** The faults of a row and the warnings that nobody has confirmed. */
export const openIssues = ({ issues, is_confirmed: isConfirmed }: ImportRow): readonly ImportIssue[] =>
  isConfirmed ? issues.filter(({ level }) => level === 'error') : issues

const hasWarning = (row: ImportRow) => openIssues(row).some(({ level }) => level === 'warning')

/** The group that a row stands in: what needs work comes first. */
export function groupOf(row: ImportRow): Group {
  if (row.action === 'error' || row.action === 'skip') return row.action
  return hasWarning(row) ? 'warning' : row.action
}

/** How many rows stand in a group: those with warnings are a part of the new and changed ones. */
export const countOfGroup = (summary: ImportSummary, group: Group): number => summary[group]

/** The fault of a cell, an error before a warning; a confirmed warning is none. */
export function issueAt(row: ImportRow, key: string): ImportIssue | undefined {
  const own = openIssues(row).filter(({ field }) => field === key)
  return own.find(({ level }) => level === 'error') ?? own[0]
}

/** The text that editing a cell begins with. */
export const textAt = (row: ImportRow, key: string, mends: RowMends): string =>
  correctedAt(row, key, mends) ?? row.given[key] ?? ''

/** The pending correction of a cell; null for the value of the file. */
export function correctedAt(row: ImportRow, key: string, mends: RowMends): string | null {
  if (key === skipKey) return row.action === 'skip' ? 'yes' : null
  if (key === confirmKey) return row.is_confirmed ? 'yes' : null
  // A correction that is being taken back has no text, and the row still shows it.
  const mend = mends.get({ row: row.row, key })
  return mend ? mend.text : (row.corrected[key] ?? null)
}

/** Where the faults of a row are: its faulty cells, or its first cell where the fault is the whole row's. */
function faultsIn(row: ImportRow, columns: readonly PreviewColumn[], mends: RowMends): CellAt[] {
  if (row.action === 'skip' || [skipKey, confirmKey].some((key) => mends.get({ row: row.row, key }))) return []
  const keys = columns.map(({ field }) => field.key).filter((key) => issueAt(row, key))
  const [first] = columns
  const ofRow = keys.length === 0 && openIssues(row).length > 0 && first ? [first.field.key] : []
  return [...keys, ...ofRow].map((key) => ({ row: row.row, key })).filter((at) => !mends.get(at))
}

const orderOf = (rows: readonly ImportRow[], columns: readonly PreviewColumn[]) => (at: CellAt) =>
  rows.findIndex(({ row }) => row === at.row) * columns.length + columns.findIndex(({ field }) => field.key === at.key)

/** The next fault behind a cell, or the one before it; undefined when the page has no further one. */
export function nextFault(
  rows: readonly ImportRow[],
  columns: readonly PreviewColumn[],
  mends: RowMends,
  from: CellAt | null,
  by: 1 | -1,
): CellAt | undefined {
  const order = orderOf(rows, columns)
  const all = rows.flatMap((row) => faultsIn(row, columns, mends))
  if (from === null) return by === 1 ? all[0] : all.at(-1)
  const here = order(from)
  return by === 1 ? all.find((at) => order(at) > here) : all.findLast((at) => order(at) < here)
}

/** The cell so many rows and columns away; at an edge it stays. */
export function stepFrom(
  rows: readonly ImportRow[],
  columns: readonly PreviewColumn[],
  from: CellAt,
  step: GridStep,
): CellAt {
  const row = rows.findIndex((one) => one.row === from.row)
  const column = columns.findIndex(({ field }) => field.key === from.key)
  const next = cellAfter(rows, columns, [row, column], step)
  return next ? { row: next.row.row, key: next.column.field.key } : from
}

/** Rows that will be written. */
export const writtenRows = ({ create, update, warning }: ImportSummary, withWarnings: boolean): number =>
  create + update - (withWarnings ? 0 : warning)

/** Defines the cells of a sheet as they are stored between reading and checking. */
import type { importLimits } from '@dala/model'

/**
 * Content of a cell of a sheet: a text, a number, a boolean, a time in milliseconds as if it were UTC, a
 * spreadsheet error, a formula without a result, or a cell below a merged one with the value of that one.
 */
export type SheetCell =
  | string
  | number
  | boolean
  | null
  | { at: number }
  | { error: string }
  | { formula: true }
  | { merged: string; value: SheetCell }

/** Row of a sheet by its number from 1; empty cells at the row's end are left out. */
export interface SheetRow {
  row: number
  cells: readonly SheetCell[]
  isHidden: boolean
}

/** Details of an imported file besides its cells. */
export interface SheetDetails {
  sheets: readonly string[]
  sheet: string
  /** Indexes of the sheet's hidden columns, from 0. */
  hiddenColumns: readonly number[]
  hiddenRows: readonly number[]
  formulas: number
  merged: readonly string[]
  isProtected: boolean
}

/** Limits of a sheet (market §5). Some repeat limits of the model, which the thread does not load. */
export const sheetLimits = {
  rows: 50_000,
  columns: 200,
  cells: 2_000_000,
  /** Maximum letters of a cell, as in spreadsheets. */
  letters: 32_767,
  /** Maximum number of rows above a sheet's data that may contain headings. */
  top: 20,
} as const satisfies Pick<typeof importLimits, 'rows' | 'letters'> & Record<string, number>

/** Returns the letters of a column index: A, B … Z, AA. */
export function lettersOf(column: number): string {
  const lettersBefore = Math.floor(column / 26)
  return (lettersBefore > 0 ? lettersOf(lettersBefore - 1) : '') + String.fromCharCode(65 + (column % 26))
}

const padTwoDigits = (number: number) => String(number).padStart(2, '0')
const dayLength = 86_400_000
/** Day under which spreadsheets store a time without a day. */
const firstDay = Date.UTC(1900, 0, 1)

/** Formats a time as people write it: `23.11.2026`, `23.11.2026 14:30`, or `14:30` without a day. */
function writtenMoment(timestamp: number): string {
  const date = new Date(timestamp)
  const time = `${padTwoDigits(date.getUTCHours())}:${padTwoDigits(date.getUTCMinutes())}`
  if (timestamp < firstDay) return time
  const day = `${padTwoDigits(date.getUTCDate())}.${padTwoDigits(date.getUTCMonth() + 1)}.${date.getUTCFullYear()}`
  return timestamp % dayLength === 0 ? day : `${day} ${time}`
}

/** Formats a cell as text, on one line. */
export function textOfCell(cell: SheetCell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell
  if (typeof cell !== 'object') return String(cell)
  if ('at' in cell) return writtenMoment(cell.at)
  if ('error' in cell) return cell.error
  return ''
}

/** Tells whether a cell of a sheet is empty. */
export const isBlankCell = (cell: SheetCell | undefined): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '')

/** Cells of a sheet as they are stored between reading and checking. */
import type { importLimits } from '@dala/model'

/**
 * What a cell holds: a text, a number, yes or no, a moment in milliseconds as if it were UTC, an error of the
 * spreadsheet, a formula that was never worked out, or a place below a merged cell with the value of that one.
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

/** A row of a sheet by its number from 1; empty cells at its end are left out. */
export interface SheetRow {
  row: number
  cells: readonly SheetCell[]
  isHidden: boolean
}

/** The details of a file beside its cells. */
export interface SheetFacts {
  sheets: readonly string[]
  sheet: string
  /** Columns from 0 that are hidden. */
  hiddenColumns: readonly number[]
  hiddenRows: readonly number[]
  formulas: number
  merged: readonly string[]
  isProtected: boolean
}

/** The limits of a sheet (market §5). The model has some of them as well; a thread does without the model. */
export const sheetLimits = {
  rows: 50_000,
  columns: 200,
  cells: 2_000_000,
  /** Letters of a cell: what a spreadsheet itself allows. */
  letters: 32_767,
  /** Rows above the data in which headings are looked for. */
  top: 20,
} as const satisfies Pick<typeof importLimits, 'rows' | 'letters'> & Record<string, number>

/** A, B … Z, AA: what a column is called, from 0. */
export function lettersOf(column: number): string {
  const before = Math.floor(column / 26)
  return (before > 0 ? lettersOf(before - 1) : '') + String.fromCharCode(65 + (column % 26))
}

const two = (number: number) => String(number).padStart(2, '0')
const dayLength = 86_400_000
/** Spreadsheets store a time without a day as the day before their first one. */
const firstDay = Date.UTC(1900, 0, 1)

/** A moment as people write it: `23.11.2026`, `23.11.2026 14:30`, or `14:30` where there is no day. */
function writtenMoment(at: number): string {
  const date = new Date(at)
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
  if (at < firstDay) return time
  const day = `${two(date.getUTCDate())}.${two(date.getUTCMonth() + 1)}.${date.getUTCFullYear()}`
  return at % dayLength === 0 ? day : `${day} ${time}`
}

/** A cell as people read it, in one line of letters. */
export function textOfCell(cell: SheetCell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell
  if (typeof cell !== 'object') return String(cell)
  if ('at' in cell) return writtenMoment(cell.at)
  if ('error' in cell) return cell.error
  return ''
}

/** Whether nothing was written into a cell. */
export const isBlankCell = (cell: SheetCell | undefined): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '')

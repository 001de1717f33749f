/** Types of a row of an import: during the checks, and as it is stored. */
import {
  type ErrorCode,
  type FaultParams,
  type ImportField,
  type ImportIssue,
  type ImportRow,
  type ImportSuggestion,
  type Locale,
  messageOf,
} from '@dala/model'
import type { LinkTarget } from './names/directories.ts'
import type { StoredState } from './records.ts'
import type { SheetCell } from './sheet/cells.ts'

/** Stored row of an import, with its cells and their corrections. */
export interface StoredRow {
  row: number
  cells: readonly SheetCell[]
  isHidden: boolean
  corrected: Readonly<Record<string, string>>
  isSkipped: boolean
  refusal: ImportIssue | null
  /** Confirmed warnings of an imported row in the form of `warningsOf`; null without a confirmation. */
  confirmed: unknown
}

/** Values of an imported row for the write path, with links as wire ids. */
export interface RowDraft {
  shared: Record<string, unknown>
  texts: Partial<Record<Locale, Record<string, unknown>>>
}

/** Column of a sheet that an import loads into a field. */
export interface LoadedColumn {
  field: ImportField
  /** Index of the sheet's column from 0; undefined for a field without a column that a user has typed. */
  index: number
  letter: string
}

/** Parsed value of an imported cell: links are records, the day of prices is a day. */
export type CellValue = string | number | boolean | readonly string[] | LinkTarget | readonly LinkTarget[] | null

/** Row of an import during the checks, with parsed cells. */
export interface WorkRow {
  stored: Omit<StoredRow, 'cells'>
  /** Texts of the imported row in the file, by the key of the column. */
  givenTexts: Record<string, string>
  /** Values of the imported row by key, without empty and faulty cells. */
  values: Map<string, CellValue>
  /** Names of links in the imported row that are not resolved yet; empty afterwards. */
  names: ReadonlyMap<string, readonly string[]>
  issues: ImportIssue[]
  document: number | undefined
  state: StoredState | undefined
  /** Keys that no two rows of an import may share. */
  keys: string[]
  twins: number[]
  /** Whether the imported row is skipped without a fault: a price that was left empty. */
  isBlank: boolean
  draft: RowDraft
  changed: string[]
}

/** Result of checking a row of an import. */
export interface CheckedRow {
  row: number
  action: ImportRow['action']
  hasWarning: boolean
  keys: readonly string[]
  document: number | null
  seen: string | null
  shown: Omit<ImportRow, 'row' | 'action' | 'corrected' | 'is_hidden' | 'is_written'>
  draft: RowDraft | null
}

interface NewIssue {
  field?: string | undefined
  code: ErrorCode
  params?: FaultParams | undefined
  value?: string | undefined
  suggestion?: ImportSuggestion | undefined
  wrongLetters?: readonly number[] | undefined
  level?: ImportIssue['level']
}

/** Letters of the sheet's columns by the key of their field. */
export type ColumnLetters = ReadonlyMap<string, string>

/** Adds a fault or a warning to an imported row, with the address of its cell. */
export function addIssue(
  workRow: WorkRow,
  letters: ColumnLetters,
  { field, code, params = {}, value, suggestion, wrongLetters = [], level = 'error' }: NewIssue,
): void {
  const letter = field === undefined ? undefined : letters.get(field)
  workRow.issues.push({
    level,
    cell: letter === undefined ? null : `${letter}${workRow.stored.row}`,
    field: field ?? null,
    code,
    params,
    message: messageOf(code, params),
    value:
      value ?? (field === undefined ? null : (workRow.stored.corrected[field] ?? workRow.givenTexts[field] ?? null)),
    suggestion: suggestion ?? null,
    ...(wrongLetters.length > 0 && { wrong_letters: wrongLetters }),
  })
}

/**
 * Returns the warnings of an imported row as a confirmation stores them; other warnings or values need a new
 * confirmation.
 */
export const warningsOf = (issues: readonly ImportIssue[]): (string | null)[][] =>
  issues.flatMap(({ level, field, code, value }) => (level === 'warning' ? [[field, code, value]] : []))

/** Tells whether a cell of an imported row is faulty already: only its first fault is reported. */
export const isFaulty = ({ issues }: WorkRow, key: string): boolean =>
  issues.some(({ field, level }) => field === key && level === 'error')

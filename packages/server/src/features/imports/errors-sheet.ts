/**
 * Writes the faulty rows of an import with the reasons to a sheet, which can be corrected and imported again.
 */
import { type Caller, type ImportIssue, labelOfCode, type WrittenLocale } from '@dala/model'
import type { CellValue } from 'hucre/xlsx'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { headingOf, reasonHeading, firstLabelIn } from './names/headings.ts'
import { type ImportRecord, mappingOf } from './import-store.ts'
import { importFieldsOf, loadedColumns } from './preview.ts'
import type { SheetCell } from './sheet/cells.ts'
import { textOfCell } from './sheet/cells.ts'

interface FailedRow {
  row: number
  cells: readonly SheetCell[]
  corrected: Readonly<Record<string, string>>
  issues: readonly ImportIssue[]
}

/**
 * Converts an imported cell to its value; a number stays a number, and a cell below a merged one is empty.
 */
function valueOf(cell: SheetCell | undefined): CellValue {
  if (cell === undefined || cell === null) return null
  if (typeof cell !== 'object') return cell
  if ('at' in cell) return new Date(cell.at)
  return 'merged' in cell ? null : textOfCell(cell)
}

/** Returns the message of an imported row's fault in a language, with its placeholders filled. */
function writeReason(
  language: WrittenLocale,
  { code, params, message, cell, field }: ImportIssue,
  names: ReadonlyMap<string, string>,
): string {
  const label = labelOfCode(code)
  const messageText = label === undefined ? message : firstLabelIn(language, [label])
  // Messages with plural forms need the panel's formatter; the English text replaces them.
  const text = messageText.includes(', plural,')
    ? message
    : messageText.replaceAll(
        /\{(\w+)\}/g,
        (placeholder, key: string) =>
          (key === 'field' ? names.get(field ?? '') : undefined) ?? String(params[key] ?? placeholder),
      )
  return cell === null ? text : `${cell}: ${text}`
}

/**
 * Writes the sheet of faults of an import.
 *
 * @param queries - The database.
 * @param caller - The user who reads it.
 * @param record - The import.
 * @param language - The language of headings and reasons.
 * @returns The bytes of an xlsx file.
 */
export async function writeErrorsSheet(
  queries: Pick<Queries, 'query'>,
  caller: Caller,
  record: ImportRecord,
  language: WrittenLocale,
): Promise<Uint8Array> {
  const resource = resourceNamed(record.kind)
  const mapping = mappingOf(record)
  const columns = loadedColumns(importFieldsOf(resource, caller), mapping.columns)
  const rows = await queries.query(sql<FailedRow>`
    select row, cells, corrected, shown -> 'issues' as issues from import_rows
     where import_id = ${record.id} and action = 'error' order by row`)
  const names = new Map(columns.map(({ field }) => [field.key, headingOf(resource, field, language)]))
  const headings = [...names.values()]
  const { writeXlsx } = await import('hucre/xlsx')
  return writeXlsx({
    sheets: [
      {
        name: 'Errors',
        columns: [...columns.map(() => ({ width: 22 })), { width: 60 }],
        freezePane: { rows: 1 },
        rows: [
          [...headings, reasonHeading(language)],
          ...rows.map(({ cells, corrected, issues }): CellValue[] => [
            ...columns.map(({ field, index }) => corrected[field.key] ?? valueOf(cells[index])),
            issues.map((issue) => writeReason(language, issue, names)).join('; '),
          ]),
        ],
      },
    ],
  })
}

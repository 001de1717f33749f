/**
 * Reads further rows of an export as cells: a second sheet, or rows of a CSV file after those of the list.
 */
import { choiceLabel, fault, maxExportRows, type Resource, type WrittenLocale } from '@dala/model'
import type { Queries } from '../../db/database.ts'
import type { FurtherColumn, FurtherKind, FurtherRows } from '../../resources/further-rows.ts'
import { type Cell, type Clock, dayCell, momentCell, numberCell, textCell } from '../../domain/files/sheet/cells.ts'
import type { ExportColumn } from './columns.ts'
import type { FurtherPart } from './file.ts'
import { labelOf } from './labels.ts'
import { readZoneClock } from './zone.ts'

/** Maximum number of an export's further rows in memory. */
const pageSize = 500
const widths: Readonly<Record<FurtherKind, number>> = {
  day: 12,
  moment: 18,
  amount: 14,
  count: 12,
  choice: 18,
  text: 24,
}
const amountDigits = 2

interface FurtherSource {
  resource: Resource
  language: WrittenLocale
  timeZone: string
  /** Columns of the list that an export's further rows may share in a CSV file. */
  columns: readonly ExportColumn[]
}

function cellOf({ kind, underName }: FurtherColumn, value: unknown, clock: Clock, source: FurtherSource): Cell {
  if (typeof value === 'number') return numberCell(value, kind === 'amount' ? amountDigits : 0)
  if (typeof value !== 'string') return null
  if (kind === 'day') return dayCell(value)
  if (kind === 'moment') return momentCell(value, clock)
  if (kind === 'choice' && underName !== undefined)
    return textCell(labelOf(source.language, choiceLabel(source.resource, underName, value)))
  return textCell(value)
}

async function* cellsOf(
  queries: Queries,
  { columns, readRows }: FurtherRows,
  keys: readonly number[],
  source: FurtherSource,
): AsyncGenerator<Cell[][]> {
  for (let start = 0; start < keys.length; start += pageSize) {
    const rows = await readRows(queries, keys.slice(start, start + pageSize))
    const moments = rows.flatMap((row) => row.filter((_, index) => columns[index]?.kind === 'moment'))
    const clock = await readZoneClock(
      queries,
      source.timeZone,
      [...new Set(moments)].filter((moment) => typeof moment === 'string'),
    )
    yield rows.map((row) => columns.map((column, index) => cellOf(column, row[index], clock, source)))
  }
}

/**
 * Finds the further rows of an export.
 *
 * @returns Their part of the file.
 * @throws 422 for more rows than a file may have.
 */
export async function furtherPart(
  queries: Queries,
  furtherRows: FurtherRows,
  source: FurtherSource,
): Promise<FurtherPart> {
  const keys = await furtherRows.findKeys(queries, maxExportRows + 1)
  if (keys.length > maxExportRows)
    throw fault('export.too-many', { params: { count: keys.length, max: maxExportRows } })
  return {
    title: labelOf(source.language, furtherRows.title),
    columns: furtherRows.columns.map(({ heading, kind }) => ({
      heading: textCell(labelOf(source.language, heading)),
      width: widths[kind],
    })),
    coveredIndexes: furtherRows.columns.map(({ underName }) =>
      source.columns.findIndex(({ name }) => name === underName),
    ),
    rows: cellsOf(queries, furtherRows, keys, source),
  }
}

/** Writes the document of a report as a workbook or as CSV: days are dates, numbers and shares are numbers. */
import type { Translate } from '@dala/model'
import { type Cell, dayCell, numberCell, textCell } from '../../domain/files/sheet/cells.ts'
import { csvLine, csvMark } from '../../domain/files/sheet/csv.ts'
import type { SheetHead } from '../../domain/files/sheet/xlsx.ts'
import { translatorOf } from '../../resources/labels.ts'
import { type DocumentCell, type DocumentTable, type ReportDocument, unitText } from './document.ts'

/** Maximum number of characters of a sheet's name. */
const maxNameLength = 31

function sheetCell(cell: DocumentCell, t: Translate): Cell {
  if (cell === null) return null
  if ('text' in cell) return textCell(cell.text)
  if ('day' in cell) return dayCell(cell.day)
  const { value, unit } = cell
  if (unit === 'percent') return { percent: value }
  const digits = Number.isInteger(value) ? 0 : 1
  return unit === 'minutes' || unit === 'hours' || unit === 'days' || unit === 'points'
    ? numberCell(value, digits, unitText(t, unit))
    : numberCell(value, digits)
}

/** Returns the headings of a sheet's table, with the unit of a column whose numbers have no other. */
const headingsOf = ({ columns }: DocumentTable, t: Translate): Cell[] =>
  columns.map(({ title, unit }) => {
    const unitLabel = unit === undefined ? '' : unitText(t, unit)
    return textCell(unitLabel === '' ? title : `${title}, ${unitLabel}`)
  })

const linesOf = ({ title, lines }: ReportDocument): Cell[][] => [
  [textCell(title)],
  ...lines.map(({ name, text }) => [textCell(name), textCell(text)]),
]

/** Writes the document of a report as CSV: its circumstances, and its tables one below the other. */
export function csvOf(document: ReportDocument): Buffer {
  const t = translatorOf(document.locale)
  const rows = document.tables.flatMap((table) => [
    [],
    [textCell(table.title)],
    headingsOf(table, t),
    ...table.rows.map(({ cells }) => cells.map((cell) => sheetCell(cell, t))),
  ])
  return Buffer.from(csvMark + [...linesOf(document), ...rows].map((cells) => csvLine(cells)).join(''))
}

/** Names sheets so that no two are equal when a program cuts them. */
function namesOf(titles: readonly string[]): string[] {
  const usedNames = new Set<string>()
  return titles.map((title) => {
    let name = title.slice(0, maxNameLength)
    for (let number = 2; usedNames.has(name.toLowerCase()); number += 1)
      name = `${title.slice(0, maxNameLength - 4)} (${number})`
    usedNames.add(name.toLowerCase())
    return name
  })
}

const widthOf = ({ isText }: { isText: boolean }, index: number): number => (isText ? (index === 0 ? 40 : 28) : 18)

/** Writes the document of a report as a workbook: its circumstances, then a sheet for each table. */
export async function xlsxOf(document: ReportDocument): Promise<Buffer> {
  const { XlsxWriter } = await import('../../domain/files/sheet/xlsx.ts')
  const t = translatorOf(document.locale)
  const [title, ...lines] = linesOf(document)
  const names = namesOf([t('statistics.files.about'), ...document.tables.map((table) => table.title)])
  const aboutSheet: SheetHead = {
    title: names[0] ?? '',
    columns: [
      { heading: title?.[0] ?? null, width: 28 },
      { heading: null, width: 60 },
    ],
  }
  const heads = document.tables.map((table, index): SheetHead => ({
    title: names[index + 1] ?? '',
    columns: headingsOf(table, t).map((heading, columnIndex) => ({
      heading,
      width: widthOf(table.columns[columnIndex] ?? { isText: false }, columnIndex),
    })),
    hasFilter: true,
  }))
  const writer = new XlsxWriter(aboutSheet, ...heads)
  const parts: Uint8Array[] = [writer.rows(lines)]
  for (const { rows } of document.tables)
    parts.push(writer.next(), writer.rows(rows.map(({ cells }) => cells.map((cell) => sheetCell(cell, t)))))
  parts.push(writer.end())
  return Buffer.concat(parts)
}

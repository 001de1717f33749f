/** Compares the files and pages of reports with the answer of their route: the same numbers, names and days. */
import {
  dimensionRowLabel,
  figureText,
  formatMessage,
  intervalText,
  isLocale,
  type Locale,
  localeNames,
  metricLabel,
  minSharedCases,
  type ReportAnswer,
  type ReportFormat,
  type ReportKey,
  wholeReport,
  type ReportUnit,
} from '@dala/model'
import { unzipSync } from 'fflate'
import readXlsx from 'read-excel-file/node'
import { labelsOf } from '../resources/labels.ts'
import { textOfPdf } from './pdf-text.ts'

/** A row that the file of a report must have: its name or day, then its first values. */
export interface ExpectedRow {
  name: string
  day?: string
  values: readonly { value: number | null; unit: ReportUnit }[]
  /** Texts of the row in a PDF, without spaces. */
  shown: string
}

/** Figures that grow with the clock, so that two answers differ. */
const ticking: ReadonlySet<string> = new Set(['oldest_wait'])

const removeSpaces = (text: string): string => text.replace(/\s/g, '')

/** Returns the rows that the file of a report must have, from the answer of its route. */
export function expectedRows({ data, meta }: ReportAnswer, key: ReportKey, locale: Locale): ExpectedRow[] {
  const labels: Readonly<Record<string, string>> = labelsOf(locale)
  const label = (keys: readonly string[]) =>
    labels[keys.find((labelKey) => Object.hasOwn(labels, labelKey)) ?? ''] ?? ''
  const t = (id: string, values?: Readonly<Record<string, string | number>>) =>
    formatMessage(labels[id] ?? id, locale, values)
  const unitOf = (metric: string): ReportUnit => wholeReport(key).metrics[metric]?.unit ?? 'count'
  const row = (name: string, values: ExpectedRow['values'], day?: string): ExpectedRow => ({
    name,
    ...(day !== undefined && { day }),
    values,
    shown: removeSpaces(
      name + values.map(({ value, unit }) => (value === null ? '' : figureText(t, locale, unit, value))).join(''),
    ),
  })
  const figures = data.metrics.flatMap(({ key: metric, value, unit }) =>
    value === null || ticking.has(metric) ? [] : [row(label(metricLabel(key, metric)), [{ value, unit }])],
  )
  const series = data.series.flatMap(({ key: metric, points }) =>
    points.map(({ t: day, value, previous }) => {
      const unit = unitOf(metric)
      const values = meta.compare === 'none' ? [value] : [value, previous]
      return row(
        intervalText(day, meta.interval),
        values.map((intervalValue) => ({ value: intervalValue, unit })),
        day,
      )
    }),
  )
  const dims = [...new Set(data.breakdowns.map(({ dim }) => dim))]
  const tables = dims.flatMap((dim) => {
    const columns = data.breakdowns.filter((breakdown) => breakdown.dim === dim)
    const ids = [...new Set(columns.flatMap(({ rows }) => rows.map(({ id }) => id)))]
    return ids.map((id) => {
      const personRow = columns.flatMap(({ rows }) => rows.filter((breakdownRow) => breakdownRow.id === id))[0]
      const name =
        typeof id === 'number'
          ? (personRow?.name ?? t('statistics.removedPerson'))
          : isLocale(id)
            ? localeNames[id]
            : label(dimensionRowLabel(dim, id))
      return row(
        name,
        columns.map(({ metric, rows }) => {
          const [unit, share] = [unitOf(metric), rows.find((breakdownRow) => breakdownRow.id === id)]
          return { value: share === undefined && unit === 'count' ? 0 : (share?.value ?? null), unit }
        }),
      )
    })
  })
  const matrices = data.matrices.flatMap(({ metric, rows }) =>
    Array.from({ length: 24 }, (_, hour) => {
      const twoDigits = (value: number) => String(value).padStart(2, '0')
      const findValue = (weekday: number) =>
        rows.find((hourRow) => hourRow.hour === hour && hourRow.weekday === weekday)?.value ?? 0
      return row(
        `${twoDigits(hour)}:00–${twoDigits((hour + 1) % 24)}:00`,
        [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ value: findValue(weekday), unit: unitOf(metric) })),
      )
    }),
  )
  const stacks = data.stacks.flatMap(({ metric, intervals, rows, not_set: notSet }) => {
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
    const filledRows = rows.map(({ values }) => values).filter((values) => sum(values) > 0)
    filledRows.sort((left, right) => sum(right) - sum(left))
    const room = notSet ? 5 : 6
    const shownRows = filledRows.slice(0, filledRows.length > room ? room - 1 : room)
    const summedRows = filledRows.slice(shownRows.length)
    const columns = [...shownRows, ...(summedRows.length > 0 ? [null] : []), ...(notSet ? [notSet] : [])]
    return intervals.flatMap(({ t: day, no_data: isAhead }, index) =>
      isAhead
        ? []
        : [
            row(
              intervalText(day, meta.interval),
              columns.map((values) => ({
                value: values ? (values[index] ?? 0) : sum(summedRows.map((summedRow) => summedRow[index] ?? 0)),
                unit: unitOf(metric),
              })),
              day,
            ),
          ],
    )
  })
  return [...figures, ...series, ...stacks, ...matrices, ...tables]
}

/** Rows of a sheet or a CSV file: texts, numbers with shares in per cent, and days. */
type FoundRow = readonly (string | number | null)[]

function rowsOfCsv(text: string): FoundRow[] {
  const rows: (string | number | null)[][] = [[]]
  for (const [, quotedText, plainText = '', end = ''] of text
    .replace('\ufeff', '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r\n)/g)) {
    const number = /^-?\d+(,\d+)?%?$/.test(plainText) ? Number(plainText.replace('%', '').replace(',', '.')) : undefined
    rows
      .at(-1)
      ?.push(
        quotedText === undefined ? (number ?? (plainText === '' ? null : plainText)) : quotedText.replaceAll('""', '"'),
      )
    if (end !== ';') rows.push([])
  }
  return rows
}

/** Reads the rows of all sheets of a workbook; days are written as in CSV. */
async function rowsOfXlsx(bytes: Buffer): Promise<FoundRow[]> {
  const sheets = await readXlsx(bytes)
  return sheets.flatMap(({ data }) =>
    data.map((row) =>
      row.map((cell) => {
        if (typeof cell === 'string' || typeof cell === 'number') return cell
        if (cell instanceof Date) return cell.toISOString().slice(0, 10).split('-').toReversed().join('.')
        return null
      }),
    ),
  )
}

function isSame(fileRow: FoundRow, { name, day, values }: ExpectedRow, isXlsx: boolean): boolean {
  const firstCell = day === undefined ? name : day.split('-').toReversed().join('.')
  if (fileRow[0] !== firstCell) return false
  return values.every(({ value, unit }, index) => {
    const cell = fileRow[index + 1] ?? null
    if (value === null || typeof cell !== 'number') return value === cell
    return Math.abs((isXlsx && unit === 'percent' ? cell * 100 : cell) - value) < 1e-9
  })
}

/** Returns the rows that the file of a report lacks, or shows with other numbers. */
export async function missingRows(
  format: ReportFormat,
  bytes: Buffer,
  allExpectedRows: readonly ExpectedRow[],
): Promise<readonly ExpectedRow[]> {
  if (format === 'pdf') {
    const text = removeSpaces(textOfPdf(bytes).join(''))
    return allExpectedRows.filter(({ shown }) => !text.includes(shown))
  }
  const fileRows = format === 'csv' ? rowsOfCsv(bytes.toString()) : await rowsOfXlsx(bytes)
  return allExpectedRows.filter((row) => !fileRows.some((writtenRow) => isSame(writtenRow, row, format === 'xlsx')))
}

/** Returns the text of a value as files and screens show it. */
export function valueText(locale: Locale, unit: ReportUnit, value: number): string {
  const labels: Readonly<Record<string, string>> = labelsOf(locale)
  return figureText((id, values) => formatMessage(labels[id] ?? id, locale, values), locale, unit, value)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Returns the texts of the cells of all rows of a page's tables. */
function rowsOfPage(html: string): string[][] {
  return [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      cell.replaceAll(/&(#?\w+);/g, (entity, name: string) => entities[name] ?? entity),
    ),
  )
}

/**
 * Compares the shared page of a report with the answer of its route without a comparison.
 *
 * @returns The rows of the page that the answer does not have so, or that the page lacks, and the number of
 * compared rows.
 */
export function comparePage(
  html: string,
  answer: ReportAnswer,
  key: ReportKey,
  locale: Locale,
): { wrong: readonly string[]; rows: number } {
  const labels: Readonly<Record<string, string>> = labelsOf(locale)
  const t = (id: string, values?: Readonly<Record<string, string | number>>) =>
    formatMessage(labels[id] ?? id, locale, values)
  const pageRows = rowsOfPage(html)
  const wrongRows: string[] = []
  const names = new Set<string>()
  for (const { key: metric, value, unit, n } of answer.data.metrics) {
    const name = labels[metricLabel(key, metric).find((labelKey) => Object.hasOwn(labels, labelKey)) ?? ''] ?? ''
    names.add(name)
    if (ticking.has(metric)) continue
    const cases = unit === 'count' && value !== null ? Math.min(n, value) : n
    const isSmall = cases > 0 && cases < minSharedCases
    const text = isSmall
      ? t('statistics.shares.few')
      : value === null
        ? t('statistics.noValue')
        : figureText(t, locale, unit, value)
    if (!pageRows.some((row) => row[0] === name && row[1] === text)) wrongRows.push(`${name}: ${text}`)
  }
  const allowedTexts = new Map<string, Set<string>>()
  for (const { name, values } of expectedRows(answer, key, locale)) {
    const texts = allowedTexts.get(name) ?? new Set(['', t('statistics.legend.partial')])
    allowedTexts.set(name, texts)
    for (const { value, unit } of values) if (value !== null) texts.add(figureText(t, locale, unit, value))
  }
  const comparedRows = pageRows.filter(([name = '']) => allowedTexts.has(name) && !names.has(name))
  for (const [name = '', ...cells] of comparedRows)
    if (!cells.every((cell) => allowedTexts.get(name)?.has(cell))) wrongRows.push([name, ...cells].join(' | '))
  return { wrong: wrongRows, rows: comparedRows.length + names.size }
}

/**
 * Returns what a workbook of a report has wrong: a formula, a text in place of a day, or a day that is not one
 * of the report.
 */
export async function wrongCells(bytes: Buffer, days: ReadonlySet<string>): Promise<readonly string[]> {
  const cellFaults: string[] = []
  for (const [name, xml] of Object.entries(unzipSync(new Uint8Array(bytes))))
    if (name.startsWith('xl/worksheets/') && /<f[ >]/.test(Buffer.from(xml).toString()))
      cellFaults.push(`formula in ${name}`)
  const [, ...tables] = await readXlsx(bytes)
  for (const { sheet, data } of tables)
    for (const cell of data.flat()) {
      if (typeof cell === 'string' && /^\d{2}\.\d{2}\.\d{4}$/.test(cell)) cellFaults.push(`${sheet}: the text ${cell}`)
      if (cell instanceof Date && !days.has(cell.toISOString().replace('T00:00:00.000Z', '')))
        cellFaults.push(`${sheet}: the time ${cell.toISOString()}`)
    }
  return cellFaults
}

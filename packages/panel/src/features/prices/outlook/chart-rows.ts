/** The lines of a price series as rows of a chart and of a table: one row for each interval. */
import type { PriceLine, PricePoint, ReportInterval } from '@dala/model'
import type { Translate } from '../../../lib/format.ts'

export interface ChartRow {
  t: string
  /** Points of the chart's lines in one interval, in the order of the lines. */
  values: PricePoint[]
}

/** Indexes of the chart's rows that are magnified. */
export interface LinePoints {
  first: number
  last: number
}

/** Interval at which a chart line is readable: at most some 60 points. */
export const chooseInterval = (days: number): ReportInterval => (days <= 62 ? 'day' : days <= 400 ? 'week' : 'month')

/** Converts the lines of a chart to rows; all lines of a series have the same intervals. */
export function chartRows(lines: readonly PriceLine[]): ChartRow[] {
  const [firstLine] = lines
  return (firstLine?.points ?? []).map(({ t }, row) => ({
    t,
    values: lines.flatMap(({ points }) => points[row] ?? []),
  }))
}

/** Name of a line in the price chart. */
export const lineNames = (t: Translate, lines: readonly PriceLine[]): string[] =>
  lines.map(({ district, region }) => district?.name ?? region?.name ?? t('prices.country'))

/** Returns whether a point of the chart has no line to it: both neighbours are gaps. */
export const isLonePoint = (rows: readonly ChartRow[], row: number, line: number): boolean =>
  [rows[row - 1], rows[row + 1]].every((neighbourRow) => (neighbourRow?.values[line]?.value ?? null) === null)

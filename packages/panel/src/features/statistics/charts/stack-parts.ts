/** The parts of a stacked bar: the largest rows of a table, the others together, and cases without a row. */
import type { ReportStack } from '@dala/model'
import { fillCount } from './patterns.tsx'

export interface StackPart {
  key: string
  /** Null for the part of cases without a row, `others` for the rows that share a part. */
  row: ReportStack['rows'][number] | 'others' | null
  values: readonly number[]
  total: number
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Divides a table over time into at most as many parts as there are fills; parts without cases are left out. */
export function stackParts({ rows, not_set: notSet, intervals }: ReportStack): StackPart[] {
  const sortedRows = rows
    .map((row): StackPart => ({ key: String(row.id), row, values: row.values, total: sumOf(row.values) }))
    .filter(({ total }) => total > 0)
    .toSorted((left, right) => right.total - left.total)
  const room = fillCount - (notSet ? 1 : 0)
  const shownRows = sortedRows.length > room ? sortedRows.slice(0, room - 1) : sortedRows
  const remainingRows = sortedRows.slice(shownRows.length)
  const remainingValues = intervals.map((_interval, index) =>
    sumOf(remainingRows.map(({ values }) => values[index] ?? 0)),
  )
  return [
    ...shownRows,
    ...(remainingRows.length > 0
      ? [{ key: 'others', row: 'others' as const, values: remainingValues, total: sumOf(remainingValues) }]
      : []),
    ...(notSet ? [{ key: 'not-set', row: null, values: notSet, total: sumOf(notSet) }] : []),
  ]
}

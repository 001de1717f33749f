/** What reports count: cases with their moment, their value and what they belong to, as SQL (statistics §5). */
import type { ReportFilter } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Period } from './period.ts'

export type Sql = Template<unknown>

/** Cases of one sort: rows of `from`, one case each. */
export interface Measure {
  key: string
  from: Sql
  where?: Sql
  /** When it happened; absent: it is so now, whatever the period. */
  at?: Sql
  /** What is there at a moment, not what happens in a time: cases come (1) and go (-1), and are added up from the start. */
  stock?: true
  /** 1 when absent. */
  value?: Sql
  /** By dimension; null is "not set". Records are named by the id of their document. */
  dims?: Readonly<Record<string, Sql>>
}

/** How the cases of a figure become its value; a level is what a stock has come to. */
type Aggregate = 'count' | 'level' | 'sum' | 'share' | 'median' | 'p90' | 'mean' | 'max'

/** A figure: cases of a measure put together, or how many of one there are for each thousand of another. */
export type Figure = { measure: string; of: Aggregate; fewest?: number } | { each: string; thousand: string }

/** What the measures of a report are made for. */
export interface MeasureContext {
  period: Period
  /** Moments of the period in the report zone. */
  moment: (local: string) => Sql
  /** The midnight there with which a day begins. */
  start: (day: Sql) => Sql
  /** The filters as conditions on columns that hold documents; a filter without a column here narrows nothing. */
  narrowed: (columns: Readonly<Partial<Record<ReportFilter, Sql>>>) => Sql
  /** The caller, where he is a consultant and counts his own only. */
  own: number | undefined
}

export interface ReportSource {
  /** Tables that several measures read, made once. */
  tables?: Sql
  measures: (context: MeasureContext) => readonly Measure[]
  /** By key of the declaration; a figure that is not here counts the measure of its own name. */
  figures?: Readonly<Record<string, Figure>>
  /** By `dimension.figure`: what rows are worked out by, where they need other cases than the figure; these are of now. */
  rowsOf?: Readonly<Record<string, Figure>>
}

/** SQL of all conditions. */
export const allOf = (...conditions: readonly Sql[]): Sql =>
  conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`

/** SQL of minutes between two moments. */
export const minutesBetween = (from: Sql, until: Sql): Sql => sql`extract(epoch from ${until} - ${from}) / 60`

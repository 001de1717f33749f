/** Types of what reports count: cases with their time, value and dimensions, as SQL (statistics §5). */
import type { ReportFilter } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Period } from './period.ts'

export type Sql = Template<unknown>

/** Cases of one kind: one case for each row of `from`. */
export interface Measure {
  key: string
  from: Sql
  where?: Sql
  /** The time of a case; without it, the case exists now, whatever the period. */
  at?: Sql
  /**
   * Marks a level at a time instead of events in a time: cases add (1) or remove (-1), summed up from the
   * start.
   */
  stock?: true
  /** The value of a case, 1 by default. */
  value?: Sql
  /** Values by dimension; null is "not set". Records are named by the id of their document. */
  dims?: Readonly<Record<string, Sql>>
}

/** How the cases of a figure become its value; `level` is the sum of a stock. */
type Aggregate = 'count' | 'level' | 'sum' | 'share' | 'median' | 'p90' | 'mean' | 'max'

/** A figure: an aggregate of the cases of a measure, or the number of one measure per thousand of another. */
export type Figure = { measure: string; of: Aggregate; fewest?: number } | { each: string; thousand: string }

/** The context that the measures of a report are built with. */
export interface MeasureContext {
  period: Period
  /** SQL of a local time in the report zone. */
  moment: (local: string) => Sql
  /** SQL of the midnight in the report zone at which a day begins. */
  start: (day: Sql) => Sql
  /** The filters as conditions on columns with documents; a filter without a column here has no effect. */
  narrowed: (columns: Readonly<Partial<Record<ReportFilter, Sql>>>) => Sql
  /** The caller, if they are a consultant and see only their own figures. */
  ownConsultant: number | undefined
}

export interface ReportSource {
  /** SQL of tables that several measures read. */
  tables?: Sql
  measures: (context: MeasureContext) => readonly Measure[]
  /** Figures by key of the declaration; a missing figure counts the measure of its own name. */
  figures?: Readonly<Record<string, Figure>>
  /**
   * Figures of rows by `dimension.figure`, where rows need other cases than the figure; these count the
   * present state.
   */
  rowsOf?: Readonly<Record<string, Figure>>
}

/** Joins conditions with `and`. */
export const allOf = (...conditions: readonly Sql[]): Sql =>
  conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`

/** SQL of the minutes between two times. */
export const minutesBetween = (from: Sql, until: Sql): Sql => sql`extract(epoch from ${until} - ${from}) / 60`

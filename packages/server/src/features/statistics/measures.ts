/** Types of the cases that reports count, with their time, value and dimensions as SQL (statistics §5). */
import type { ReportFilter, ReportHours } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Period } from './period.ts'

export type Sql = Template<unknown>

/** Facts whose past days are counted once and stored, each subject with marks of its own for late changes. */
export type DaySubject = 'desk' | 'prices'

/** Cases of one kind that a report counts: one case for each row of `from`. */
export interface Measure {
  key: string
  from: Sql
  where?: Sql
  /** SQL of the time of a counted case; without a time, the case exists now, whatever the period. */
  at?: Sql
  /**
   * Marks a level at a time instead of events in a time: cases add (1) or remove (-1), summed up from the
   * start.
   */
  stock?: true
  /** SQL of the value of a counted case, 1 by default. */
  value?: Sql
  /**
   * SQL of the values of a counted case by dimension; null is "not set". Records are named by the id of their
   * document.
   */
  dims?: Readonly<Record<string, Sql>>
  /**
   * Subject of a measure whose cases are also counted by day; the cases depend on nothing but the facts that
   * the triggers of the subject mark (docs/decisions/0056).
   */
  byDay?: DaySubject
  /** Name of the measure in the counts by day, where the key alone does not tell its values. */
  storedAs?: string
  /**
   * Number of whole units in one of the value, such as 60 seconds in a minute: the values behind a median are
   * stored as whole numbers.
   */
  units?: number
  /** SQL of the time at which a case begins to count, after the time at which it is placed. */
  countsFrom?: Sql
  /** The records behind the cases of the measure; without them, its figures cannot be opened. */
  record?: CaseRecord
}

/** The record behind a counted case. */
export interface CaseRecord {
  /** SQL of the name of the resource. */
  resource: Sql
  /** SQL of the document. */
  id: Sql
  /** SQL of the part of a document that is a case by itself, such as a conversation of a chat. */
  part?: Sql
  /** SQL of the person to whom a counted case is credited. */
  person?: Sql
}

/** Aggregate that turns the cases of a report's figure into its value; `level` is the sum of a stock. */
type AggregateName = 'count' | 'level' | 'sum' | 'share' | 'median' | 'p90' | 'mean' | 'max'

/**
 * Figure of a report: an aggregate of the cases of a measure, or the number of one measure per thousand of
 * another.
 */
export type Figure = { measure: string; of: AggregateName; fewest?: number } | { each: string; thousand: string }

/** Context that the measures of a report are built with. */
export interface MeasureContext {
  period: Period
  /** SQL of a local time in the report zone. */
  moment: (localTime: string) => Sql
  /** SQL of the midnight in the report zone at which a day begins. */
  start: (day: Sql) => Sql
  /** SQL of the filters as conditions on columns with documents; a filter without a column has no effect. */
  filterSql: (columns: Readonly<Partial<Record<ReportFilter, Sql>>>) => Sql
  /** Filters that the report has. */
  filters: readonly ReportFilter[]
  /** Hours in which the times of replies are counted. */
  hours: ReportHours
  /** Whether stored counts of days are used, so that no measure may leave out cases that cancel out. */
  isByDay: boolean
  /** Id of the report's caller, if they are a consultant and see only their own figures. */
  ownConsultant: number | undefined
}

export interface ReportSource {
  /** SQL of common tables that several measures of a report read. */
  tables?: (context: MeasureContext) => Sql
  measures: (context: MeasureContext) => readonly Measure[]
  /** Figures of a report by key of the declaration; a missing figure counts the measure of its own name. */
  figures?: Readonly<Record<string, Figure>>
  /**
   * Figures of a report's rows by `dimension.figure`, where rows need other cases than the figure; these
   * count the present state.
   */
  rowsOf?: Readonly<Record<string, Figure>>
}

/** Returns how a figure of a report is computed; without an entry it counts the measure of its own name. */
export const figureOf = ({ figures }: ReportSource, key: string): Figure =>
  figures?.[key] ?? { measure: key, of: 'count' }

/** Joins SQL conditions with `and`. */
export const joinConditions = (...conditions: readonly Sql[]): Sql =>
  conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`

/** SQL of the number of minutes between two times. */
export const minutesBetween = (startTime: Sql, endTime: Sql): Sql =>
  sql`extract(epoch from ${endTime} - ${startTime}) / 60`

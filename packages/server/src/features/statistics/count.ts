/**
 * Counts the measures of a report in one statement: totals, buckets of the period and rows of every
 * dimension.
 */
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { zoneSql } from '../../db/calendar.ts'
import type { Measure, Sql } from './measures.ts'
import type { PeriodBucket, Period } from './period.ts'

/** All aggregates of a set of cases that a report counts. */
export interface CaseTally {
  n: number
  sum: number
  mean: number | null
  median: number | null
  p90: number | null
  max: number | null
}

type SpanName = 'now' | 'before'

/** Kind of row of a dimension in each bucket of the report; its ids are `bucket id`, with an empty id for "not set". */
export const stackSlice = (dim: string): string => `bucket ${dim}`

/** Stores the tallies of a report by measure, span, kind of row (`all`, `bucket` or a dimension) and id. */
export class Tallies {
  readonly #byKey = new Map<string, Map<string | null, CaseTally>>()

  add(measure: string, span: string, slice: string, id: string | null, tally: CaseTally): void {
    const key = `${measure} ${span} ${slice}`
    const rows = this.#byKey.get(key) ?? new Map<string | null, CaseTally>()
    this.#byKey.set(key, rows.set(id, tally))
  }
  total(measure: string, span: SpanName): CaseTally | undefined {
    return this.#byKey.get(`${measure} ${span} all`)?.get(null)
  }
  rows(measure: string, span: SpanName, slice: string): ReadonlyMap<string | null, CaseTally> {
    return this.#byKey.get(`${measure} ${span} ${slice}`) ?? new Map()
  }
}

/** SQL of a local time in the report zone. */
export const zonedMoment = (local: string): Sql => sql`(${local}::text::timestamp at time zone ${zoneSql})`

interface Row {
  measure: string
  span: string
  slice: string
  id: string | null
  n: number
  sum: number
  mean: number | null
  median: number | null
  p90: number | null
  max: number | null
}

/** Starts of a span's buckets, and of the gaps between and after them, in order, with the number of the bucket. */
interface BucketMarks {
  starts: string[]
  numbers: number[]
}

/** Number of the days after a bucket that belong to no bucket; only a level counts them. */
export const gapAfter = (buckets: readonly PeriodBucket[], index: number): number => buckets.length + index

/** Returns where the buckets of a span and the gaps after them start. */
function bucketMarks(buckets: readonly PeriodBucket[], span: SpanName): BucketMarks {
  const marks: BucketMarks = { starts: [], numbers: [] }
  const add = (start: string, number: number) => {
    // A bucket that starts where the one before has ended leaves no gap.
    if (marks.starts.at(-1) === start) marks.numbers[marks.numbers.length - 1] = number
    else {
      marks.starts.push(start)
      marks.numbers.push(number)
    }
  }
  for (const [index, bucket] of buckets.entries()) {
    const days = span === 'now' ? bucket : bucket.before
    if (!days) continue
    add(days.from, index)
    add(days.until, gapAfter(buckets, index))
  }
  return marks
}

/** SQL of the times at which days begin in the report zone, as an array in the same order. */
const startTimesSql = (days: readonly string[]): Sql => sql`(
  select coalesce(array_agg(given.day::timestamp at time zone ${zoneSql} order by given.place), '{}')
    from unnest(${[...days]}::text[]) with ordinality as given(day, place))`

/** SQL of the cases of a report's measure; where the table has a time, only those within a span. */
function casesSql(
  measure: Measure,
  dims: readonly string[],
  spans: readonly { from: Sql; until: Sql }[],
  hasRecords: boolean,
): Sql {
  const { key, from, where, at, stock, value, dims: own = {}, record } = measure
  const columns = dims.map((dim) => sql`${own[dim] ?? sql`null`}::text as ${sql.ref(`d_${dim}`)}`)
  const named = hasRecords
    ? sql`, ${record?.resource ?? sql`null`}::text as resource, ${record?.id ?? sql`null`}::int as record,
           ${record?.part ?? sql`0`}::int as part, ${record?.person ?? sql`null`}::int as person`
    : sql``
  const spanCondition =
    at && !stock
      ? sql`(${sql.join(
          spans.map((span) => sql`(${at} >= ${span.from} and ${at} < ${span.until})`),
          sql` or `,
        )})`
      : sql`true`
  return sql`
    select ${key}::text as measure, ${at ?? sql`null`}::timestamptz as at, ${stock === true}::boolean as stock,
           (${value ?? sql`1`})::float8 as value${columns.length > 0 ? sql`, ${sql.join(columns)}` : sql``}${named}
      from ${from} where ${where ?? sql`true`} and ${spanCondition}`
}

/** Options of the cases that a report counts. */
interface CaseOptions {
  /** SQL of tables that several measures of a report read. */
  tables?: Sql | undefined
  /** Whether the records behind the cases are needed. */
  hasRecords?: true
}

/**
 * SQL of the table `placed`: the cases of a report's measures with their span and bucket. The buckets of a
 * stock contain its changes; the cases before the first bucket are under bucket `-1`.
 */
export function placedSql(
  { now, before, buckets }: Period,
  measures: readonly Measure[],
  dims: readonly string[],
  { tables, hasRecords }: CaseOptions,
): Sql {
  const names: readonly SpanName[] = before ? ['now', 'before'] : ['now']
  const spans = names.map((name) => {
    const span = name === 'now' ? now : (before ?? now)
    return { name, from: zonedMoment(span.from), until: zonedMoment(span.until), marks: bucketMarks(buckets, name) }
  })
  return sql`${tables ? sql`${tables},` : sql``} spans(span, lo, hi, starts, numbers) as materialized (values ${sql.join(
    spans.map(
      ({ name, from, until, marks }) =>
        sql`(${name}::text, ${from}, ${until}, ${startTimesSql(marks.starts)}, ${marks.numbers}::int[])`,
    ),
  )}),
    cases as (${sql.join(
      measures.map((measure) => casesSql(measure, dims, spans, hasRecords === true)),
      sql` union all `,
    )}),
    placed as materialized (
      select c.*, s.span, case when c.at is null then null when c.at < s.lo then -1
             else coalesce(s.numbers[width_bucket(c.at, s.starts)], -1) end as bucket
        from cases c
        join spans s on (c.at is null and s.span = 'now') or (c.at < s.hi and (c.stock or c.at >= s.lo)))`
}

/** Options of the tallies of a report. */
interface CountOptions extends Pick<CaseOptions, 'tables'> {
  /** Measures whose median is needed. */
  medians: readonly string[]
  /** Measures whose 90th percentile is needed. */
  p90s: readonly string[]
  /** Dimensions whose rows are needed in each bucket. */
  stacks: readonly string[]
}

/**
 * Counts the measures of a report.
 *
 * @param runner - The database or a transaction.
 * @param period - The period with its buckets.
 * @param measures - The measures.
 * @param dims - The dimensions whose rows are needed.
 * @param options - What else is needed.
 * @returns The tallies.
 */
export async function countMeasures(
  runner: Pick<Queries, 'query'>,
  period: Period,
  measures: readonly Measure[],
  dims: readonly string[],
  { tables, medians, p90s, stacks }: CountOptions,
): Promise<Tallies> {
  const columns = dims.map((dim) => sql.ref(`d_${dim}`))
  const stackedColumns = stacks.map((dim) => sql.ref(`d_${dim}`))
  const slices = [
    ...stacks.map(
      (dim, index) =>
        sql`when grouping(bucket) = 0 and grouping(${stackedColumns[index] ?? sql`bucket`}) = 0 then ${stackSlice(dim)}::text`,
    ),
    sql`when grouping(bucket) = 0 then 'bucket'`,
    ...dims.map((dim) => sql`when grouping(${sql.ref(`d_${dim}`)}) = 0 then ${dim}::text`),
  ]
  const ids = sql.join([
    ...stackedColumns.map(
      (column) =>
        sql`case when grouping(bucket) = 0 and grouping(${column}) = 0 then concat(bucket, ' ', ${column}) end`,
    ),
    sql`case when grouping(bucket) = 0 then bucket::text end`,
    ...columns,
  ])
  const groupingSets = [
    sql`()`,
    sql`(bucket)`,
    ...columns.map((column) => sql`(${column})`),
    ...stackedColumns.map((column) => sql`(bucket, ${column})`),
  ]
  const sortedMeasures = [...new Set([...medians, ...p90s])]
  const isSorted = sql`measure = any(${sortedMeasures}::text[])`
  // Only the measures with a median are sorted, in groups of their own.
  const groups = (median: Sql, p90: Sql, where: Sql) => sql`
    select measure, span, case ${sql.join(slices, sql` `)} else 'all' end as slice, coalesce(${ids}) as id,
           count(*)::int as n, coalesce(sum(value), 0)::float8 as sum, avg(value)::float8 as mean,
           ${median} as median, ${p90} as p90, max(value)::float8 as max
      from placed where ${where} group by measure, span, grouping sets (${sql.join(groupingSets)})`
  const percentileSql = (share: number, among: readonly string[]) =>
    sql`percentile_cont(${sql.lit(share)}) within group (order by value) filter (where measure = any(${[...among]}::text[]))`
  const nullSql = sql`null::float8`
  const rows = await runner.query(sql<Row>`
    with ${placedSql(period, measures, dims, { tables })}
    ${groups(nullSql, nullSql, sql`not ${isSorted}`)}
    ${sortedMeasures.length > 0 ? sql`union all ${groups(percentileSql(0.5, medians), percentileSql(0.9, p90s), isSorted)}` : sql``}`)
  const tallies = new Tallies()
  for (const { measure, span, slice, id, ...tally } of rows) tallies.add(measure, span, slice, id, tally)
  return tallies
}

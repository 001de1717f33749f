/**
 * Counts the measures of a report in one statement: totals, buckets of the period and rows of every
 * dimension.
 */
import { sql, type Template } from '../../db/sql.ts'
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

/** SQL of the days of a report's buckets and of the earlier days they are compared with. */
function daysSql(buckets: readonly PeriodBucket[]): Sql {
  const parts = buckets.flatMap(({ from, until, before }, index) => [
    { span: 'now', index, from, until },
    ...(before ? [{ span: 'before', index, ...before }] : []),
  ])
  return sql`
    select p.span, p.bucket, p.first + d as day
      from unnest(${parts.map(({ span }) => span)}::text[], ${parts.map(({ index }) => index)}::int[],
                  ${parts.map(({ from }) => from)}::date[], ${parts.map(({ until }) => until)}::date[]) as p(span, bucket, first, past)
      cross join lateral generate_series(0, p.past - p.first - 1) as d`
}

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
  const inSpan =
    at && !stock
      ? sql`(${sql.join(
          spans.map((span) => sql`(${at} >= ${span.from} and ${at} < ${span.until})`),
          sql` or `,
        )})`
      : sql`true`
  return sql`
    select ${key}::text as measure, ${at ?? sql`null`}::timestamptz as at, ${stock === true}::boolean as stock,
           ${value ?? sql`1`}::float8 as value${columns.length > 0 ? sql`, ${sql.join(columns)}` : sql``}${named}
      from ${from} where ${where ?? sql`true`} and ${inSpan}`
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
 * stock contain its changes; the cases before the period are under bucket `-1`.
 */
export function placedSql(
  { now, before, buckets }: Period,
  measures: readonly Measure[],
  dims: readonly string[],
  { tables, hasRecords }: CaseOptions,
): Sql {
  const spans = [{ name: 'now', ...now }, ...(before ? [{ name: 'before', ...before }] : [])].map((span) => ({
    name: span.name,
    from: zonedMoment(span.from),
    until: zonedMoment(span.until),
  }))
  return sql`${tables ? sql`${tables},` : sql``} spans(span, lo, hi) as (values ${sql.join(
    spans.map(({ name, from, until }) => sql`(${name}::text, ${from}, ${until})`),
  )}),
    days as materialized (${daysSql(buckets)}),
    cases as (${sql.join(
      measures.map((measure) => casesSql(measure, dims, spans, hasRecords === true)),
      sql` union all `,
    )}),
    placed as materialized (
      select c.*, s.span, case when c.at is null then null when c.at < s.lo then -1 else coalesce(d.bucket, ${buckets.length}::int) end as bucket
        from cases c
        join spans s on (c.at is null and s.span = 'now') or (c.at < s.hi and (c.stock or c.at >= s.lo))
        left join days d on d.span = s.span and d.day = (c.at at time zone ${zoneSql})::date)`
}

/**
 * Counts the measures of a report.
 *
 * @param runner - The database or a transaction.
 * @param period - The period with its buckets.
 * @param measures - The measures.
 * @param dims - The dimensions whose rows are needed.
 * @param options - Tables that several measures read, and whether medians are needed.
 * @returns The tallies.
 */
export async function countMeasures(
  runner: Pick<Queries, 'query'>,
  period: Period,
  measures: readonly Measure[],
  dims: readonly string[],
  { tables, hasMedians }: { tables?: Sql | undefined; hasMedians: boolean },
): Promise<Tallies> {
  const columns = dims.map((dim) => sql.ref(`d_${dim}`))
  const slices = [
    sql`when grouping(bucket) = 0 then 'bucket'`,
    ...dims.map((dim) => sql`when grouping(${sql.ref(`d_${dim}`)}) = 0 then ${dim}::text`),
  ]
  const ids = sql.join([sql`case when grouping(bucket) = 0 then bucket::text end`, ...columns])
  const sets = [sql`()`, sql`(bucket)`, ...columns.map((column) => sql`(${column})`)]
  const middle = (share: number): Template<unknown> =>
    hasMedians ? sql`percentile_cont(${sql.lit(share)}) within group (order by value)` : sql`null::float8`
  const rows = await runner.query(sql<Row>`
    with ${placedSql(period, measures, dims, { tables })}
    select measure, span, case ${sql.join(slices, sql` `)} else 'all' end as slice, coalesce(${ids}) as id,
           count(*)::int as n, coalesce(sum(value), 0)::float8 as sum, avg(value)::float8 as mean,
           ${middle(0.5)} as median, ${middle(0.9)} as p90, max(value)::float8 as max
      from placed group by measure, span, grouping sets (${sql.join(sets)})`)
  const tallies = new Tallies()
  for (const { measure, span, slice, id, ...tally } of rows) tallies.add(measure, span, slice, id, tally)
  return tallies
}

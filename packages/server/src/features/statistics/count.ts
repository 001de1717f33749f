/**
 * Counts the measures of a report in one statement: totals, buckets of the period and rows of its tables.
 * Days whose counts are stored are read, all other times are counted from the facts (docs/decisions/0056).
 */
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { zonedMoment, zoneSql } from '../../db/calendar.ts'
import { countedDaysSql, type CountedDays, markedDaysSql } from './by-day/counted-days.ts'
import { everyCase, sliceWithin } from './by-day/slices.ts'
import { RowValues, valueSlices } from './by-day/row-values.ts'
import { divideTime, type DividedTime, type LiveRange } from './by-day/live-ranges.ts'
import type { DaySubject, Measure, Sql } from './measures.ts'
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

/**
 * Kind of row of a dimension in each bucket of the report; its ids are `bucket id`, with an empty id for
 * "not set".
 */
export const stackSlice = (dim: string): string => `bucket ${dim}`

/**
 * Returns the tally of two sets of cases together; each middle value is that of one of them, made from
 * both.
 */
const joinTallies = (left: CaseTally, right: CaseTally): CaseTally => {
  const [caseCount, sum] = [left.n + right.n, left.sum + right.sum]
  return {
    n: caseCount,
    sum,
    mean: left.n > 0 && right.n > 0 ? sum / caseCount : (left.mean ?? right.mean),
    median: left.median ?? right.median,
    p90: left.p90 ?? right.p90,
    max: left.max === null || right.max === null ? (left.max ?? right.max) : Math.max(left.max, right.max),
  }
}

/** Stores the tallies of a report by measure, span, kind of row (`all`, `bucket` or a dimension) and id. */
export class Tallies {
  readonly #byKey = new Map<string, Map<string | null, CaseTally>>()

  /** Adds the cases of a row to those that are in it already. */
  add(measure: string, span: string, slice: string, id: string | null, tally: CaseTally): void {
    const key = `${measure} ${span} ${slice}`
    const rows = this.#byKey.get(key) ?? new Map<string | null, CaseTally>()
    const earlierTally = rows.get(id)
    this.#byKey.set(key, rows.set(id, earlierTally ? joinTallies(earlierTally, tally) : tally))
  }
  /** Sets the middle values of a row that has cases. */
  setMiddle(
    measure: string,
    span: string,
    slice: string,
    id: string | null,
    middleValues: Pick<CaseTally, 'median' | 'p90'>,
  ) {
    const rows = this.#byKey.get(`${measure} ${span} ${slice}`)
    const row = rows?.get(id)
    if (rows && row) rows.set(id, { ...row, ...middleValues })
  }
  total(measure: string, span: SpanName): CaseTally | undefined {
    return this.#byKey.get(`${measure} ${span} all`)?.get(null)
  }
  rows(measure: string, span: SpanName, slice: string): ReadonlyMap<string | null, CaseTally> {
    return this.#byKey.get(`${measure} ${span} ${slice}`) ?? new Map()
  }
}

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
  /** Values of a row of values. */
  list: string | null
}

/**
 * Starts of a span's buckets, and of the gaps between and after them, in order, with the number of the
 * bucket.
 */
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

/** SQL of whether a time is in one of some ranges. */
function inRanges(timeSql: Sql, ranges: readonly LiveRange[]): Sql {
  if (ranges.length === 0) return sql`false`
  const parts = ranges.map(({ from, until }) => {
    const isBefore = sql`${timeSql} < ${zonedMoment(until)}`
    return from === null ? isBefore : sql`(${timeSql} >= ${zonedMoment(from)} and ${isBefore})`
  })
  return sql`(${sql.join(parts, sql` or `)})`
}

/** Options of the cases of a measure. */
interface MeasureCases {
  /** All dimensions of the statement; the columns of those that the measure does not need are null. */
  dims: readonly string[]
  /** Dimensions whose rows the measure needs. */
  needed: readonly string[]
  /** Times of the counted cases; null for all times. */
  ranges: readonly LiveRange[] | null
  hasRecords?: boolean | undefined
}

/** SQL of the cases of a report's measure; where the table has a time, only those within the ranges. */
export function casesSql(measure: Measure, { dims, needed, ranges, hasRecords }: MeasureCases): Sql {
  const { key, from, where, at, stock, value, dims: measureDims = {}, record, countsFrom } = measure
  const columns = dims.map(
    (dim) => sql`${(needed.includes(dim) ? measureDims[dim] : undefined) ?? sql`null`}::text as ${sql.ref(`d_${dim}`)}`,
  )
  const recordColumns = hasRecords
    ? sql`, ${record?.resource ?? sql`null`}::text as resource, ${record?.id ?? sql`null`}::int as record,
           ${record?.part ?? sql`0`}::int as part, ${record?.person ?? sql`null`}::int as person`
    : sql``
  const conditions = [
    where ?? sql`true`,
    ...(countsFrom ? [sql`${countsFrom} <= now()`] : []),
    ...(at && ranges ? [inRanges(at, ranges)] : []),
  ]
  return sql`
    select ${key}::text as measure, ${at ?? sql`null`}::timestamptz as at, ${stock === true}::boolean as stock,
           (${value ?? sql`1`})::float8 as value${columns.length > 0 ? sql`, ${sql.join(columns)}` : sql``}${recordColumns}
      from ${from} where ${sql.join(conditions, sql` and `)}`
}

/** SQL of the number of the bucket of a time in the span `s`; -1 before the period. */
const bucketSql = (timeSql: Sql): Sql =>
  sql`case when ${timeSql} < s.lo then -1 else coalesce(s.numbers[width_bucket(${timeSql}, s.starts)], -1) end`

/** Returns the period and, when it is compared, the earlier one. */
const spansOf = ({ now, before }: Period) => [
  { name: 'now' as const, ...now },
  ...(before ? [{ name: 'before' as const, ...before }] : []),
]

/** Options of the cases that a report counts. */
interface CaseOptions {
  /** SQL of tables that several measures of a report read. */
  tables?: Sql | undefined
  /** Whether the records behind the cases are needed. */
  hasRecords?: true
  /** Dimensions whose rows a measure needs; all of them when absent. */
  neededBy?: (measure: string) => readonly string[]
  /** Time of each subject whose counts by day are read. */
  divided?: ReadonlyMap<DaySubject, DividedTime>
}

/**
 * SQL of the table `placed`: the cases of a report's measures with their span and bucket. The buckets of a
 * stock contain its changes; the cases before the first bucket are under bucket `-1`.
 */
export function placedSql(
  period: Period,
  measures: readonly Measure[],
  dims: readonly string[],
  { tables, hasRecords, neededBy = () => dims, divided }: CaseOptions,
): Sql {
  const spans = spansOf(period)
  const rangesOf = ({ stock, byDay }: Measure) => {
    const time = byDay && divided?.get(byDay)
    if (time) return stock ? time.stock : time.flow
    return stock ? null : spans
  }
  return sql`${tables ? sql`${tables},` : sql``} spans(span, lo, hi, starts, numbers) as materialized (values ${sql.join(
    spans.map(({ name, from, until }) => {
      const marks = bucketMarks(period.buckets, name)
      return sql`(${name}::text, ${zonedMoment(from)}, ${zonedMoment(until)}, ${startTimesSql(marks.starts)}, ${marks.numbers}::int[])`
    }),
  )}),
    cases as (${sql.join(
      measures.map((measure) =>
        casesSql(measure, { dims, needed: neededBy(measure.key), ranges: rangesOf(measure), hasRecords }),
      ),
      sql` union all `,
    )}),
    placed as materialized (
      select c.*, s.span, case when c.at is null then null else ${bucketSql(sql`c.at`)} end as bucket
        from cases c
        join spans s on (c.at is null and s.span = 'now') or (c.at < s.hi and (c.stock or c.at >= s.lo)))`
}

/** A measure with the rows that a report needs of it. */
export interface NeededRows {
  /** Dimensions whose rows are needed. */
  dims: readonly string[]
  /** Dimensions whose rows are needed in each bucket. */
  stacks: readonly string[]
  /** Whether a median or a 90th percentile is needed. */
  isSorted: boolean
}

/** Filter of a report by one record or code. */
export interface DayFilter {
  name: string
  /** SQL of the record's document, or of the code. */
  value: Sql
}

/** Counts by day that a report may use. */
interface DayCounts {
  /** The only filter of the report; absent when it has none. */
  filter?: DayFilter | undefined
  days: CountedDays
  /** Name of the counts, by their definitions. */
  madeBy: string
}

/** Options of the tallies of a report. */
interface CountOptions extends Pick<CaseOptions, 'tables'> {
  needed: ReadonlyMap<string, NeededRows>
  /** Counts by day; absent when every case is counted from its row. */
  byDay?: DayCounts | undefined
}

const noRows: NeededRows = { dims: [], stacks: [], isSorted: false }

/** Returns measures in groups that need the same rows. */
function groupsOf(measures: readonly string[], rowsByMeasure: ReadonlyMap<string, NeededRows>) {
  const groups = new Map<string, { measures: string[]; rows: NeededRows }>()
  for (const measure of new Set(measures)) {
    const rows = rowsByMeasure.get(measure) ?? noRows
    const key = JSON.stringify([rows.dims, rows.stacks, rows.isSorted])
    const group = groups.get(key) ?? { measures: [], rows }
    group.measures.push(measure)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** SQL of the rows of a group of measures, from `placed`. */
function tallySql(
  { measures, rows: { dims, stacks, isSorted } }: { measures: readonly string[]; rows: NeededRows },
  hasValues: (measure: string) => boolean,
): Sql {
  // The values of measures that are counted by day are sorted by the program, together with the stored ones.
  const middleOf = (share: number) =>
    isSorted && !measures.every(hasValues)
      ? sql`percentile_cont(${sql.lit(share)}) within group (order by value)`
      : sql`null::float8`
  const columns = dims.map((dim) => sql.ref(`d_${dim}`))
  const stackColumns = stacks.map((dim) => sql.ref(`d_${dim}`))
  const isStacked = (column: Sql) => sql`when grouping(bucket) = 0 and grouping(${column}) = 0 then`
  const slices = [
    ...stackColumns.map((column, index) => sql`${isStacked(column)} ${stackSlice(stacks[index] ?? '')}::text`),
    sql`when grouping(bucket) = 0 then 'bucket'`,
    ...columns.map((column, index) => sql`when grouping(${column}) = 0 then ${dims[index]}::text`),
  ]
  const ids = [
    ...stackColumns.map((column) => sql`case ${isStacked(column)} concat(bucket, ' ', ${column}) end`),
    sql`case when grouping(bucket) = 0 then bucket::text end`,
    ...columns,
  ]
  const sets = [
    sql`()`,
    sql`(bucket)`,
    ...columns.map((column) => sql`(${column})`),
    ...stackColumns.map((column) => sql`(bucket, ${column})`),
  ]
  return sql`
    select measure, span, case ${sql.join(slices, sql` `)} else 'all' end as slice, coalesce(${sql.join(ids)}) as id,
           count(*)::int as n, coalesce(sum(value), 0)::float8 as sum, avg(value)::float8 as mean,
           ${middleOf(0.5)} as median, ${middleOf(0.9)} as p90, max(value)::float8 as max, null::text as list
      from placed where measure = any(${[...measures]}::text[]) group by measure, span, grouping sets (${sql.join(sets)})`
}

/** SQL of the stored counts of the days of a report: `counted`, in the slices that the report needs. */
function countedSql(
  measures: readonly Measure[],
  rowsByMeasure: ReadonlyMap<string, NeededRows>,
  dividedTimes: ReadonlyMap<DaySubject, DividedTime>,
  filter: DayFilter | undefined,
): Sql {
  const storedSlices = measures.flatMap(({ key, storedAs = key, byDay, stock = false }) => {
    if (!byDay) return []
    const { dims, isSorted } = rowsByMeasure.get(key) ?? noRows
    return [everyCase, ...dims].map((slice) => {
      const storedSlice = filter ? sliceWithin(filter.name, slice) : slice
      const hasValues = isSorted && valueSlices(dims).includes(slice)
      return sql`(${key}::text, ${storedAs}::text, ${slice}::text, ${storedSlice}::text, ${byDay}::text, ${stock}::boolean, ${hasValues}::boolean)`
    })
  })
  const days = [...dividedTimes].map(
    ([subject, time]) =>
      sql`select ${subject}::text as subject, given.day from unnest(${time.days}::date[]) as given(day)`,
  )
  return sql`
    used_days as materialized (${sql.join(days, sql` union all `)}),
    filtered as materialized (select ${filter ? sql`coalesce((${filter.value})::text, '-')` : sql`''`} as within),
    counted_rows as materialized (
      select n.measure, s.span, n.slice, ${bucketSql(sql`t.at`)} as bucket, c.ids, c.cases, c.sums,
             case when n.sorted then c.amounts end as amounts
        from used_days u cross join filtered f
       cross join lateral (select u.day::timestamp at time zone ${zoneSql} as at offset 0) t
        join spans s on t.at < s.hi
        join report_counts c on c.day = u.day and c.within = f.within
        join (values ${sql.join(storedSlices)}) as n(measure, stored, slice, stored_slice, subject, stock, sorted)
          on n.stored = c.measure and n.stored_slice = c.slice and n.subject = u.subject and (n.stock or t.at >= s.lo)),
    counted as materialized (
      select r.measure, r.span, r.slice, r.bucket, u.id, sum(u.n)::int as n, sum(u.sum) as sum
        from counted_rows r cross join lateral unnest(r.ids, r.cases, r.sums) as u(id, n, sum)
       group by 1, 2, 3, 4, 5)`
}

/** SQL of the rows of the stored counts of days. */
function countedTallies(rowsByMeasure: ReadonlyMap<string, NeededRows>): Sql[] {
  const stacks = [...rowsByMeasure].flatMap(([measure, rows]) =>
    rows.stacks.map((dim) => sql`(${measure}::text, ${dim}::text, ${stackSlice(dim)}::text)`),
  )
  const figures = sql`sum(n)::int as n, sum(sum) as sum, sum(sum) / nullif(sum(n), 0) as mean, null::float8, null::float8, null::float8, null::text`
  return [
    sql`select measure, span, slice, id, ${figures} from counted group by measure, span, slice, id`,
    sql`select measure, span, 'bucket', bucket::text, ${figures} from counted where slice = 'all' group by measure, span, bucket`,
    ...(stacks.length > 0
      ? [
          sql`select c.measure, c.span, k.slice, concat(c.bucket, ' ', c.id), c.n, c.sum, null::float8, null::float8, null::float8, null::float8, null::text
                from counted c join (values ${sql.join(stacks)}) as k(measure, dim, slice) on k.measure = c.measure and k.dim = c.slice`,
        ]
      : []),
  ]
}

/**
 * SQL of the values behind medians and percentiles, one row for each bucket and stored day, for
 * `RowValues`.
 */
function valuesSql(
  measures: readonly Measure[],
  rowsByMeasure: ReadonlyMap<string, NeededRows>,
  hasCounts: boolean,
): Sql[] {
  const row = (bucket: Sql, values: Sql) =>
    sql`'values', ${bucket}::text, 0, 0::float8, null::float8, null::float8, null::float8, null::float8, ${values}`
  const unitsByKey = new Map(measures.map(({ key, units = 1 }) => [key, units]))
  const liveValues = [...unitsByKey].flatMap(([key, units]) => {
    const { dims } = rowsByMeasure.get(key) ?? noRows
    return valueSlices(dims).map((slice) => {
      const id = slice === everyCase ? sql`null::text` : sql`p.${sql.ref(`d_${slice}`)}`
      const list = sql`concat(${slice}::text, '|', json_build_array(p.id), '|[', count(*), ']|{', string_agg(p.amount::text, ','), '}')`
      return sql`
        select p.measure, p.span, ${row(sql`p.bucket`, list)}
          from (select p.measure, p.span, p.bucket, ${id} as id, round(p.value * ${units}::int)::int as amount
                  from placed p where p.measure = ${key}::text) p
         group by p.measure, p.span, p.bucket, p.id`
    })
  })
  const list = sql`concat(r.slice, '|', array_to_json(r.ids), '|', array_to_json(r.cases), '|', r.amounts)`
  const countedRowsSql = sql`select r.measure, r.span, ${row(sql`r.bucket`, list)} from counted_rows r where r.amounts is not null`
  return hasCounts ? [...liveValues, countedRowsSql] : liveValues
}

/** The statement's answer that a day, whose stored counts it used, is not counted or was changed. */
export class DaysChanged extends Error {
  override name = 'DaysChanged'
}

/** SQL of one row when a used day is not counted any more. */
const changedDaysSql = (): Sql => sql`
  select '', '', 'changed', null::text, count(*)::int, 0::float8, null::float8, null::float8, null::float8, null::float8, null::text
    from used_days u where not exists (select 1 from counted_days d where d.subject = u.subject and d.day = u.day)
  having count(*) > 0`

/**
 * Counts the measures of a report.
 *
 * @param runner - The database or a transaction.
 * @param period - The period with its buckets.
 * @param measures - The measures.
 * @param options - The needed rows, and the counts by day.
 * @returns The tallies.
 * @throws DaysChanged when a fact of a counted day has changed since the days were read.
 */
export async function countMeasures(
  runner: Pick<Queries, 'query'>,
  period: Period,
  measures: readonly Measure[],
  { tables, needed, byDay }: CountOptions,
): Promise<Tallies> {
  const subjects = new Set(measures.flatMap((measure) => measure.byDay ?? []))
  const dividedTimes = new Map(
    byDay ? [...subjects].map((subject) => [subject, divideTime(spansOf(period), byDay.days[subject])] as const) : [],
  )
  const dims = [...new Set([...needed.values()].flatMap((rows) => rows.dims))]
  const keys = measures.map(({ key }) => key)
  const sortedMeasures = measures.filter(
    ({ key, byDay: subject }) => subject !== undefined && needed.get(key)?.isSorted,
  )
  const hasValues = (measure: string) => sortedMeasures.some(({ key }) => key === measure)
  const hasCounts = byDay !== undefined && [...dividedTimes.values()].some(({ days }) => days.length > 0)
  const rows = await runner.query(sql<Row>`
    with ${hasCounts ? sql`${markedDaysSql}, ${countedDaysSql(byDay.madeBy)},` : sql``}
    ${placedSql(period, measures, dims, { tables, neededBy: (key) => needed.get(key)?.dims ?? [], divided: dividedTimes })}
    ${hasCounts ? sql`, ${countedSql(measures, needed, dividedTimes, byDay.filter)}` : sql``}
    ${sql.join(
      [
        ...groupsOf(keys, needed).map((group) => tallySql(group, hasValues)),
        ...(hasCounts ? [...countedTallies(needed), changedDaysSql()] : []),
        ...valuesSql(sortedMeasures, needed, hasCounts),
      ],
      sql` union all `,
    )}`)
  const tallies = new Tallies()
  const values = new RowValues()
  for (const { measure, span, slice, id, list, ...tally } of rows) {
    if (slice === 'changed') throw new DaysChanged()
    if (slice === 'values') values.add({ measure, span, bucket: id }, list ?? '', needed.get(measure)?.dims[0])
    else tallies.add(measure, span, slice, id, tally)
  }
  const unitsByKey = new Map(sortedMeasures.map(({ key, units = 1 }) => [key, units]))
  for (const { measure, span, slice, id, percentiles } of values.rows()) {
    const [median = 0, p90 = 0] = percentiles([0.5, 0.9]).map((value) => value / (unitsByKey.get(measure) ?? 1))
    tallies.setMiddle(measure, span, slice, id, { median, p90 })
  }
  return tallies
}

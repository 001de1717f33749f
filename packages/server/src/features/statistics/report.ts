/** Computes one report: parses the query, counts, names the rows (statistics §4–§6). */
import {
  type Caller,
  fault,
  rankOfRole,
  type ReportParameters,
  type ReportBreakdown,
  type ReportDeclaration,
  type ReportFigures,
  type ReportKey,
  type ReportMeta,
  type ReportRow,
  type ReportStack,
  wholeReport,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { zoneSql } from '../../db/calendar.ts'
import { countedDaysSql, type CountedDays, markedDaysSql } from './by-day/counted-days.ts'
import { nameOfDayCounts } from './by-day/definitions.ts'
import { isStoredFilter } from './by-day/slices.ts'
import { countMeasures, type DayFilter, DaysChanged } from './count.ts'
import { Figures } from './figures.ts'
import type { Measure, ReportSource, Sql } from './measures.ts'
import { findNames } from './names.ts'
import { type Period, periodOf } from './period.ts'
import { readReportQuery, type ReportQuery } from './read-query.ts'
import { filterValueSql, measureContext, neededRows, reportSources } from './sources.ts'

interface Clock {
  day: string
  time: string
  moment: Date
  /** Days whose stored counts are right. */
  counted: CountedDays
}

/** Reads day and time in the report zone from the database that counts, and the days that it has counted. */
async function readClock(database: Database): Promise<Clock> {
  const [clock] = await database.query(sql<{
    day: string
    time: string
    moment: string
    counted: Partial<CountedDays>
  }>`
    with ${markedDaysSql}, ${countedDaysSql(nameOfDayCounts(database.calendar))}
    select to_char(n.local, 'YYYY-MM-DD') as day, to_char(n.local, 'HH24:MI:SS.MS') as time,
           to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as moment,
           coalesce((select json_object_agg(d.subject, d.days) from (
             select c.subject, json_agg(c.day order by c.day) as days from counted_days c group by c.subject) d), '{}') as counted
      from (select now() at time zone ${zoneSql} as local) n`)
  if (!clock) throw new Error('The database returned no time')
  return { ...clock, moment: new Date(clock.moment), counted: { desk: [], prices: [], ...clock.counted } }
}

function medianOf(values: readonly number[]): number | null {
  const sortedValues = values.toSorted((left, right) => left - right)
  const [low, high] = [
    sortedValues[Math.ceil(sortedValues.length / 2) - 1],
    sortedValues[Math.floor(sortedValues.length / 2)],
  ]
  return low === undefined || high === undefined ? null : Math.round(((low + high) / 2) * 100) / 100
}

/** Minimum size of a team median; in a smaller team it would reveal the figures of a colleague. */
const minTeamSize = 5

const compareByValue = (left: ReportRow, right: ReportRow) =>
  (right.value ?? Number.NEGATIVE_INFINITY) - (left.value ?? Number.NEGATIVE_INFINITY) ||
  (left.name ?? '').localeCompare(right.name ?? '')

const compareBySize = (left: ReportRow, right: ReportRow) =>
  Math.abs(right.value ?? 0) - Math.abs(left.value ?? 0) || compareByValue(left, right)

/** Returns the tables of a report, also over time; in tables of consultants, a consultant sees only their own row. */
async function tablesOf(
  database: Database,
  { breakdowns, stacks = [] }: ReportDeclaration,
  figures: { own: Figures; ofEverybody: Figures },
  { locale }: ReportQuery,
  ownConsultant: number | undefined,
): Promise<{ breakdowns: ReportBreakdown[]; stacks: ReportStack[] }> {
  const breakdownShares = breakdowns.map((breakdown) => ({
    ...breakdown,
    shares: (breakdown.rows === 'users' ? figures.ofEverybody : figures.own).shares(
      breakdown.dim,
      breakdown.metric,
      typeof breakdown.rows === 'string' ? [] : breakdown.rows,
    ),
  }))
  const idsByResource = new Map<string, Set<number>>()
  for (const { rows, shares } of breakdownShares) {
    if (typeof rows !== 'string') continue
    const ids = idsByResource.get(rows) ?? new Set()
    idsByResource.set(rows, ids)
    for (const id of shares.keys()) if (id !== null) ids.add(Number(id))
  }
  const nameOf = await findNames(database, idsByResource, locale)
  const tables = breakdownShares.map(({ dim, metric, rows, shares, ...declaration }) => {
    const sharesWithId = [...shares].flatMap(([id, share]) => (id === null ? [] : [{ id, share }]))
    const isPeople = rows === 'users'
    const values = isPeople ? sharesWithId.flatMap(({ share }) => share.value ?? []) : []
    const team = ownConsultant === undefined || values.length >= minTeamSize ? medianOf(values) : null
    const shownShares =
      ownConsultant !== undefined && isPeople
        ? sharesWithId.filter(({ id }) => id === String(ownConsultant))
        : sharesWithId
    const unsetShare = ownConsultant !== undefined && isPeople ? undefined : shares.get(null)
    const order = declaration.sortedBySize ? compareBySize : compareByValue
    const identifiedRows: { id: string; row: ReportRow }[] =
      typeof rows === 'string'
        ? shownShares
            .map(({ id, share }) => ({
              id,
              row: { id: Number(id), name: null, ...nameOf(rows, Number(id)), ...share },
            }))
            .toSorted((left, right) => order(left.row, right.row))
        : sharesWithId.map(({ id, share }) => ({ id, row: { id, name: null, ...share } }))
    const breakdown = { dim, metric, rows: identifiedRows.map(({ row }) => row), not_set: unsetShare ?? null, team }
    return { breakdown, ids: identifiedRows.map(({ id }) => id) }
  })
  return {
    breakdowns: tables.map(({ breakdown }) => breakdown),
    stacks: tables.flatMap(({ breakdown, ids }) =>
      stacks.some(({ dim, metric }) => dim === breakdown.dim && metric === breakdown.metric)
        ? [figures.own.stack(breakdown, ids)]
        : [],
    ),
  }
}

/** A report that a caller has asked for, with everything that it is counted by. */
export interface AskedReport {
  report: ReportDeclaration
  source: ReportSource
  query: ReportQuery
  period: Period
  /** Id of the report's caller, if they are a consultant and see only their own figures. */
  ownConsultant: number | undefined
  meta: ReportMeta
  /** Days whose stored counts are right. */
  counted: CountedDays
  /** Returns the measures of the report, of one consultant or of all; by day, they leave out no case. */
  measuresOf: (countedConsultant: number | undefined, isByDay?: boolean) => readonly Measure[]
  /** Returns the SQL of the tables that these measures read. */
  tablesOf: (countedConsultant: number | undefined, isByDay?: boolean) => Sql | undefined
}

/**
 * Reads the query of a report within the rights of the caller.
 *
 * @throws 422 for a query that names no period, interval, comparison or filter of the report, and for a
 * filter by person that only administrators have.
 */
export async function askReport(
  database: Database,
  key: ReportKey,
  parameters: Partial<ReportParameters>,
  caller: Caller,
): Promise<AskedReport> {
  const [declaration, source] = [wholeReport(key), reportSources[key]]
  const clock = await readClock(database)
  const query = readReportQuery(parameters, declaration, clock.day)
  const report = {
    ...declaration,
    breakdowns: declaration.breakdowns.filter(
      ({ within }) => within === undefined || query.filters[within] !== undefined,
    ),
  }
  const period = periodOf(query.period, clock)
  const ownConsultant = rankOfRole(caller.role) >= rankOfRole('admin') ? undefined : caller.id
  // Consultants see their own figures only, so they must not filter by consultant.
  if (ownConsultant !== undefined && query.filters.consultant !== undefined)
    throw fault('report.filter', { params: { key: 'filters[consultant]' } })
  const moment = clock.moment.toISOString()
  const contextOf = (consultantId: number | undefined, isByDay = false) =>
    measureContext({ report, query, period, ownConsultant: consultantId, isByDay })
  return {
    report,
    source,
    query,
    period,
    ownConsultant,
    meta: {
      from: period.from,
      to: period.to,
      compare_from: period.compareFrom,
      compare_to: period.compareTo,
      interval: period.interval,
      compare: period.compare,
      tz: database.calendar.zone,
      data_through: moment,
      generated_at: moment,
    },
    counted: clock.counted,
    measuresOf: (consultantId, isByDay) => source.measures(contextOf(consultantId, isByDay)),
    tablesOf: (consultantId, isByDay) => source.tables?.(contextOf(consultantId, isByDay)),
  }
}

/**
 * Computes the figures of a report within the rights of the caller.
 *
 * @throws What `askReport` throws.
 */
export async function computeReport(
  database: Database,
  key: ReportKey,
  parameters: Partial<ReportParameters>,
  caller: Caller,
): Promise<{ figures: ReportFigures; meta: ReportMeta }> {
  return computeAsked(database, key, await askReport(database, key, parameters, caller))
}

/** Computes the figures of a report that a caller has asked for. */
export async function computeAsked(
  database: Database,
  key: ReportKey,
  askedReport: AskedReport,
): Promise<{ figures: ReportFigures; meta: ReportMeta }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await countReport(database, key, askedReport, attempt <= attemptsByDay ? askedReport.counted : undefined)
    } catch (error) {
      if (!(error instanceof DaysChanged)) throw error
      askedReport.counted = (await readClock(database)).counted
    }
  }
}

/** Number of attempts with counts by day, each of which fails when a counted day has changed meanwhile. */
const attemptsByDay = 2

/** Counts the figures of a report, with the stored counts of some days or without. */
async function countReport(
  database: Database,
  key: ReportKey,
  { report, source, query, period, ownConsultant, meta, measuresOf, tablesOf: tablesFor }: AskedReport,
  countedDays: CountedDays | undefined,
): Promise<{ figures: ReportFigures; meta: ReportMeta }> {
  const rowsByMeasure = neededRows(report, source)
  const filters = Object.entries(query.filters)
  const [[name, value] = []] = filters
  const filter: DayFilter | undefined =
    name !== undefined && value !== undefined && isStoredFilter(name)
      ? { name, value: filterValueSql(report, name, value) }
      : undefined
  const count = async (consultantId: number | undefined) => {
    // Counts by day are those of all facts, or of those within one filter that has many of them.
    // A consultant sees their own cases of the desk, and the prices of everybody.
    const days = countedDays && (consultantId === undefined ? countedDays : { ...countedDays, desk: [] })
    const byDay =
      days && filters.length === (filter ? 1 : 0)
        ? { filter, days, madeBy: nameOfDayCounts(database.calendar) }
        : undefined
    const isByDay = byDay !== undefined && byDay.days.desk.length > 0
    const measures = measuresOf(consultantId, isByDay)
    return new Figures(
      report,
      source,
      period,
      await countMeasures(database, period, measures, {
        tables: tablesFor(consultantId, isByDay),
        needed: rowsByMeasure,
        byDay,
      }),
    )
  }
  // The median of the team needs the rows of all consultants; all other figures of a consultant are their
  // own.
  const figures = await count(ownConsultant)
  const figuresOfEverybody = ownConsultant !== undefined && key === 'consultants' ? await count(undefined) : figures
  return {
    figures: {
      metrics: figures.metrics(),
      series: figures.series(),
      ...(await tablesOf(database, report, { own: figures, ofEverybody: figuresOfEverybody }, query, ownConsultant)),
      matrices: figures.matrices(),
    },
    meta,
  }
}

/** Computes one report: parses the query, counts, names the rows (statistics §4–§6). */
import {
  type Caller,
  fault,
  rankOfRole,
  type ReportParameters,
  type ReportBreakdown,
  type ReportDeclaration,
  type ReportFigures,
  reportFilters,
  type ReportKey,
  type ReportMeta,
  type ReportRow,
  type ReportStack,
  wholeReport,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { textTable } from '../../db/schema.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { zoneSql } from '../../db/calendar.ts'
import { countMeasures, zonedMoment } from './count.ts'
import { Figures } from './figures.ts'
import { joinConditions, type Measure, type MeasureContext, type ReportSource, type Sql } from './measures.ts'
import { findNames } from './names.ts'
import { type Period, periodOf } from './period.ts'
import { readReportQuery, type ReportQuery } from './read-query.ts'
import { consultants } from './reports/consultants.ts'
import { consultations } from './reports/consultations.ts'
import { content } from './reports/content.ts'
import { learning } from './reports/learning.ts'
import { overview } from './reports/overview.ts'
import { people } from './reports/people.ts'
import { prices } from './reports/prices.ts'
import { trading } from './reports/trading.ts'

/** How each report is counted. */
export const reportSources: Readonly<Record<ReportKey, ReportSource>> = {
  overview,
  consultations,
  consultants,
  content,
  prices,
  trading,
  learning,
  people,
}

/** SQL of whether a column holds the document of a wire id. */
export function isRecord(column: Sql, name: string, id: number): Sql {
  const resource = resourceNamed(name)
  if (!resource.localized) return sql`${column} = ${id}::int`
  return sql`${column} = (select f.document_id from ${sql.table(textTable(resource))} f where f.id = ${id}::int)`
}

function measureContext(
  report: ReportDeclaration,
  { filters, hours }: ReportQuery,
  period: Period,
  ownConsultant: number | undefined,
): MeasureContext {
  return {
    period,
    hours,
    ownConsultant,
    moment: zonedMoment,
    start: (day) => sql`((${day})::timestamp at time zone ${zoneSql})`,
    filterSql: (columns) =>
      joinConditions(
        ...reportFilters.flatMap((filter) => {
          const [column, id, target] = [columns[filter], filters[filter], report.filters[filter]]
          return column === undefined || id === undefined || target === undefined ? [] : [isRecord(column, target, id)]
        }),
      ),
  }
}

interface Clock {
  day: string
  time: string
  moment: Date
}

/** Reads day and time in the report zone from the database that counts. */
async function readClock(database: Database): Promise<Clock> {
  const [clock] = await database.query(sql<{ day: string; time: string; moment: string }>`
    select to_char(n.local, 'YYYY-MM-DD') as day, to_char(n.local, 'HH24:MI:SS.MS') as time,
           to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as moment
      from (select now() at time zone ${zoneSql} as local) n`)
  if (!clock) throw new Error('The database returned no time')
  return { ...clock, moment: new Date(clock.moment) }
}

/** Returns the dimensions whose rows the report shows. */
const dimensionsOf = ({ breakdowns, matrices = [] }: ReportDeclaration): string[] => [
  ...new Set([...breakdowns, ...matrices].map(({ dim }) => dim)),
]

/** Returns the measures of a report that a figure turns into a median or a 90th percentile. */
const measuresSortedFor = ({ figures = {} }: ReportSource, of: 'median' | 'p90'): string[] => [
  ...new Set(Object.values(figures).flatMap((figure) => ('of' in figure && figure.of === of ? [figure.measure] : []))),
]

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
  const shared = breakdowns.map((breakdown) => ({
    ...breakdown,
    shares: (breakdown.rows === 'users' ? figures.ofEverybody : figures.own).shares(
      breakdown.dim,
      breakdown.metric,
      typeof breakdown.rows === 'string' ? [] : breakdown.rows,
    ),
  }))
  const idsByResource = new Map<string, Set<number>>()
  for (const { rows, shares } of shared) {
    if (typeof rows !== 'string') continue
    const ids = idsByResource.get(rows) ?? new Set()
    idsByResource.set(rows, ids)
    for (const id of shares.keys()) if (id !== null) ids.add(Number(id))
  }
  const nameOf = await findNames(database, idsByResource, locale)
  const tables = shared.map(({ dim, metric, rows, shares, ...declaration }) => {
    const sharesWithId = [...shares].flatMap(([id, share]) => (id === null ? [] : [{ id, share }]))
    const isPeople = rows === 'users'
    const values = isPeople ? sharesWithId.flatMap(({ share }) => share.value ?? []) : []
    const team = ownConsultant === undefined || values.length >= minTeamSize ? medianOf(values) : null
    const shown =
      ownConsultant !== undefined && isPeople
        ? sharesWithId.filter(({ id }) => id === String(ownConsultant))
        : sharesWithId
    const unsetShare = ownConsultant !== undefined && isPeople ? undefined : shares.get(null)
    const order = declaration.sortedBySize ? compareBySize : compareByValue
    const identifiedRows: { id: string; row: ReportRow }[] =
      typeof rows === 'string'
        ? shown
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
  /** Returns the measures of the report, of one consultant or of all. */
  measuresOf: (mine: number | undefined) => readonly Measure[]
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
    measuresOf: (mine) => source.measures(measureContext(report, query, period, mine)),
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
  const { report, source, query, period, ownConsultant, meta, measuresOf } = await askReport(
    database,
    key,
    parameters,
    caller,
  )
  const count = async (mine: number | undefined, dims: readonly string[]) => {
    const options = {
      tables: source.tables,
      medians: measuresSortedFor(source, 'median'),
      p90s: measuresSortedFor(source, 'p90'),
      stacks: (report.stacks ?? []).map(({ dim }) => dim),
    }
    return new Figures(report, source, period, await countMeasures(database, period, measuresOf(mine), dims, options))
  }
  // The median of the team needs the rows of all consultants; all other figures of a consultant are their
  // own.
  const figures = await count(ownConsultant, dimensionsOf(report))
  const figuresOfEverybody =
    ownConsultant !== undefined && key === 'consultants' ? await count(undefined, dimensionsOf(report)) : figures
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

/**
 * Proof that the figures of all reports are right: random queries over random facts, answered by the server
 * and by a plain recount of the rows (statistics §10).
 * `node scripts/proofs/reports/report-figures.ts --runs 500 --on embedded --seed 7`
 */
import {
  minConclusiveCases,
  type ReportAnswer,
  type ReportDeclaration,
  reports,
  type ReportUnit,
  wholeReport,
} from '@dala/model'
import { buildPerson, type TestPerson } from '../../../packages/server/src/testing/people.ts'
import { RandomDraws } from '../../lib/draws.ts'
import type { CountTally } from '../../lib/step.ts'
import { optionOf, runOnNamedPlaces, runOnPlace, type DatabasePlace, type ProofApp } from '../on-place.ts'
import { type DimId, type PlainFigure, type PlainFigures, Recount } from './cases.ts'
import { type Counted, PlainCounts } from './counting.ts'
import { dayAt, dayText, type PlainPeriod, reckonPeriod } from './period.ts'
import { drawQuery, type RandomQuery } from './queries.ts'
import { readTables, type RawTables } from './rows.ts'
import { fillReports, type FilterIds } from './world.ts'

/** Largest difference of a figure: the API rounds to two decimals, and minutes grow while it counts. */
const tolerance = 0.011
/** Figures that grow with the clock. */
const growingFigures = new Map([['oldest_wait', 1]])
/** Rows and intervals whose records are counted, for each query. */
const openedParts = 3

const isNear = (
  firstFigure: number | null | undefined,
  secondFigure: number | null | undefined,
  maxDifference = tolerance,
) =>
  firstFigure === secondFigure ||
  (typeof firstFigure === 'number' &&
    typeof secondFigure === 'number' &&
    Math.abs(firstFigure - secondFigure) <= maxDifference)

/** Everything that one query of the proof compares. */
class Comparison {
  readonly #what: string
  figures = 0
  constructor(queryName: string) {
    this.#what = queryName
  }
  /** Compares one number. Throws with the query when it differs. */
  check(name: string, shownValue: unknown, recountedValue: unknown, maxDifference?: number): void {
    this.figures += 1
    const isSame =
      typeof recountedValue === 'number' || recountedValue === null
        ? isNear(shownValue as number | null | undefined, recountedValue, maxDifference)
        : shownValue === recountedValue
    if (!isSame) throw new Error(`${this.#what}: ${name} is ${String(shownValue)}, recounted ${String(recountedValue)}`)
  }
}

/** Recomputes the change of a figure from its values (statistics §5). */
function changeOf(unit: ReportUnit, value: number | null, formerCount: Counted | undefined, caseCount: number) {
  const formerValue =
    formerCount?.value === undefined || formerCount.value === null ? null : Math.round(formerCount.value * 100) / 100
  if (value === null || formerValue === null || !formerCount) return 'none'
  if (unit !== 'percent' && formerValue === 0) return value === 0 ? 'none' : 'new'
  if (Math.max(caseCount, formerCount.n) < minConclusiveCases) return 'few'
  return unit === 'percent' ? 'points' : 'percent'
}

/** One query, its answer and its recount. */
interface Asked {
  query: RandomQuery
  report: ReportDeclaration
  answer: ReportAnswer
  figures: PlainFigures
  counts: PlainCounts
  period: PlainPeriod
  comparison: Comparison
}

function figureOf({ figures, counts, query }: Asked, metric: string): PlainFigure {
  const { newest } = figures
  const figure = metric === 'spread' && newest && 'cases' in newest ? counts.spreads(newest.cases) : figures[metric]
  if (!figure) throw new Error(`Nothing recounts ${metric} of ${query.key}`)
  return figure
}

/** Returns the figure of a table's rows: its own figure, or the age of the open cases at the end of the period. */
function rowsFigureOf(askedQuery: Asked, dim: string, metric: string): PlainFigure {
  const figure = figureOf(askedQuery, metric)
  return dim === 'age' && 'cases' in figure ? askedQuery.counts.ages(figure.cases) : figure
}

function compareMetrics(askedQuery: Asked): void {
  const { answer, report, counts, period, comparison } = askedQuery
  comparison.check('number of figures', answer.data.metrics.length, Object.keys(report.metrics).length)
  for (const { key, value, n, previous, unit, partial, spark, change_kind: kind } of answer.data.metrics) {
    const figure = figureOf(askedQuery, key)
    const isNow = report.metrics[key]?.now === true
    const [now, formerCount] = [counts.now(figure), isNow ? undefined : counts.before(figure)]
    comparison.check(`value of ${key}`, value, now.value, growingFigures.get(key))
    comparison.check(`n of ${key}`, n, now.n)
    comparison.check(`previous of ${key}`, previous, formerCount?.value ?? null)
    comparison.check(`change of ${key}`, kind, changeOf(unit, value, formerCount, now.n))
    comparison.check(`partial of ${key}`, partial, period.isPartial && !isNow)
    for (const [index, point] of (spark ?? []).entries()) {
      const interval = period.intervals[index]
      if (!interval) throw new Error(`${key} has too many points`)
      comparison.check(`${key} at ${point.t}`, point.value, interval.isAhead ? null : counts.at(figure, interval).value)
    }
  }
}

function compareSeries(askedQuery: Asked): void {
  const { answer, counts, period, comparison } = askedQuery
  for (const { key, points } of answer.data.series) {
    const figure = figureOf(askedQuery, key)
    comparison.check(`number of points of ${key}`, points.length, period.intervals.length)
    for (const [index, interval] of period.intervals.entries()) {
      const point = points[index]
      const value = interval.isAhead ? null : counts.at(figure, interval).value
      comparison.check(`day ${index} of ${key}`, point?.t, interval.t)
      comparison.check(`${key} at ${interval.t}`, point?.value, value)
      comparison.check(
        `${key} before ${interval.t}`,
        point?.previous,
        interval.isAhead ? null : (counts.atBefore(figure, interval)?.value ?? null),
      )
      comparison.check(`partial at ${interval.t}`, point?.partial, interval.isPartial)
      comparison.check(`no data of ${key} at ${interval.t}`, point?.no_data, value === null)
    }
  }
}

function compareTables(askedQuery: Asked): void {
  const { answer, report, counts, comparison } = askedQuery
  for (const { dim, metric, rows, not_set: notSet } of answer.data.breakdowns) {
    const name = `${metric} by ${dim}`
    const declaration = report.metrics[metric]
    const isCompared = declaration?.now !== true && dim !== 'age'
    const figure = rowsFigureOf(askedQuery, dim, metric)
    const plainRows = counts.rows(figure, dim)
    const shownRows = new Map<DimId, (typeof rows)[number] | NonNullable<typeof notSet>>(
      rows.map((row) => [row.id, row]),
    )
    if (notSet) shownRows.set(null, notSet)
    for (const id of new Set([...shownRows.keys(), ...plainRows.keys()])) {
      const rowFigure = plainRows.get(id) ?? { cases: [], of: 'cases' in figure ? figure.of : 'count' }
      const [now, formerCount] = [counts.now(rowFigure), isCompared ? counts.before(rowFigure) : undefined]
      const row = shownRows.get(id)
      // A row without cases now and before is not shown, unless it is one of fixed codes.
      if (!row) {
        comparison.check(
          `${name} of the hidden row ${String(id)}`,
          0,
          Math.max(now.value ?? 0, formerCount?.value ?? 0, 0),
        )
        continue
      }
      comparison.check(`${name} ${String(id)}`, row.value, now.value)
      comparison.check(`n of ${name} ${String(id)}`, row.n, now.n)
      comparison.check(`previous of ${name} ${String(id)}`, row.previous, formerCount?.value ?? null)
    }
    // The rows of a count add up to its total, with "not set".
    if (declaration?.unit !== 'count') continue
    const sum = [...shownRows.values()].reduce((total, { value }) => total + (value ?? 0), 0)
    comparison.check(`sum of ${name}`, sum, answer.data.metrics.find(({ key }) => key === metric)?.value)
  }
}

function compareStacks(askedQuery: Asked): void {
  const { answer, counts, period, comparison } = askedQuery
  for (const { dim, metric, rows, not_set: notSet, intervals } of answer.data.stacks) {
    const plainRows = counts.rows(figureOf(askedQuery, metric), dim)
    const shownRows = new Map<DimId, readonly number[]>(rows.map(({ id, values }) => [id, values]))
    if (notSet) shownRows.set(null, notSet)
    comparison.check(`number of intervals of ${metric} by ${dim}`, intervals.length, period.intervals.length)
    for (const [id, figure] of plainRows)
      for (const [index, interval] of period.intervals.entries())
        comparison.check(
          `${metric} by ${dim} ${String(id)} at ${interval.t}`,
          shownRows.get(id)?.[index] ?? 0,
          interval.isAhead ? 0 : counts.at(figure, interval).n,
        )
  }
  for (const { dim, metric, rows } of answer.data.matrices) {
    const shownCells = new Map(rows.map(({ weekday, hour, value }) => [`${weekday} ${hour}`, value]))
    const plainRows = counts.rows(figureOf(askedQuery, metric), dim)
    for (const id of new Set([...shownCells.keys(), ...plainRows.keys()])) {
      const figure = plainRows.get(id)
      comparison.check(
        `${metric} at the hour ${String(id)}`,
        shownCells.get(String(id)) ?? 0,
        figure ? counts.now(figure).n : 0,
      )
    }
  }
}

/** Compares the number of records behind figures, rows and intervals with the recount. */
async function compareRecords(askedQuery: Asked, draws: RandomDraws, reader: TestPerson): Promise<number> {
  const { query, report, answer, counts, period, comparison } = askedQuery
  const isListed = (metric: string) => report.metrics[metric]?.unlisted !== true
  const metrics = Object.keys(report.metrics).filter(isListed)
  const recordQueries = metrics.map((metric) => ({
    text: `metric=${metric}`,
    n: counts.now(figureOf(askedQuery, metric)).n,
  }))
  const tables = answer.data.breakdowns.filter(({ metric, rows }) => isListed(metric) && rows.length > 0)
  for (let count = 0; count < openedParts && tables.length > 0; count += 1) {
    const { dim, metric, rows, not_set: notSet } = draws.pick(tables)
    const id = draws.pick([...rows.map((row) => row.id), ...(notSet ? [null] : [])])
    const figure = counts.rows(rowsFigureOf(askedQuery, dim, metric), dim).get(id)
    recordQueries.push({
      text: `metric=${metric}&dim=${dim}&dim_id=${id ?? 'not_set'}`,
      n: figure ? counts.now(figure).n : 0,
    })
  }
  const lines = answer.data.series.filter(({ key }) => isListed(key))
  const passedIntervals = period.intervals.filter(({ isAhead }) => !isAhead)
  for (let count = 0; count < openedParts && lines.length > 0 && passedIntervals.length > 0; count += 1) {
    const { key } = draws.pick(lines)
    const interval = draws.pick(passedIntervals)
    recordQueries.push({
      text: `metric=${key}&bucket=${interval.t}`,
      n: counts.at(figureOf(askedQuery, key), interval).n,
    })
  }
  for (const { text, n } of recordQueries) {
    const { status, body } = await reader.ask('GET', `/statistics/${query.key}/records?${query.text}&${text}&limit=1`)
    if (status !== 200) throw new Error(`${query.key}?${query.text}: records of ${text}: ${status}`)
    comparison.check(`number of records of ${text}`, (body as { count: number }).count, n)
  }
  return recordQueries.length
}

/** Asks one random query and compares the answer and its records. Returns the numbers of compared figures and records. */
async function compareQuery(
  { draws, reader, ids, tables, recountAt }: ProofWorld,
  index: number,
): Promise<{ figures: number; records: number }> {
  const query = drawQuery(draws, index, ids)
  const url = `/statistics/${query.key}?${query.text}`
  const { status, body } = await reader.ask('GET', url)
  if (status !== 200) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`)
  const answer = body as ReportAnswer
  const { meta } = answer
  const presentMoment = Date.parse(meta.data_through)
  const comparison = new Comparison(url)
  if (query.days) {
    const { from, to } = query.days(dayAt(presentMoment))
    comparison.check('first day', meta.from, dayText(from))
    comparison.check('last day', meta.to, dayText(to))
  }
  const recount = recountAt(tables, presentMoment)
  const period = reckonPeriod(meta, presentMoment)
  const report = wholeReport(query.key)
  const filters = Object.fromEntries(
    Object.entries(query.filters).map(([name, value]) => {
      const target = report.filters[name as keyof typeof report.filters]
      return [name, typeof target === 'string' && typeof value === 'number' ? recount.keyOf(target, value) : value]
    }),
  )
  const askedQuery: Asked = {
    query,
    report,
    answer,
    figures: recount.figuresOf(query.key, query.hours),
    counts: new PlainCounts(filters, period, presentMoment),
    period,
    comparison,
  }
  comparison.check('first earlier day', meta.compare_from, period.before ? dayText(dayAt(period.before.from)) : null)
  compareMetrics(askedQuery)
  compareSeries(askedQuery)
  compareTables(askedQuery)
  compareStacks(askedQuery)
  const records = await compareRecords(askedQuery, draws, reader)
  return { figures: comparison.figures, records }
}

/** The facts of the proof, and who reads them. */
interface ProofWorld {
  draws: RandomDraws
  reader: TestPerson
  ids: FilterIds
  tables: RawTables
  /** Returns the recount of the day of a time. */
  recountAt: (tables: RawTables, presentMoment: number) => Recount
}

async function runProof(app: ProofApp, runs: number, seed: number): Promise<boolean> {
  const startMoment = performance.now()
  const reader = await buildPerson(app, 'owner')
  const ids = await fillReports(app.database, seed)
  const tables = await readTables(app.database)
  let recount: Recount | undefined
  const world: ProofWorld = {
    draws: new RandomDraws(seed, 1),
    reader,
    ids,
    tables,
    recountAt: (rows, presentMoment) => {
      if (recount?.day !== dayAt(presentMoment)) recount = new Recount(rows, presentMoment)
      return recount
    },
  }
  const sum = { figures: 0, records: 0 }
  for (let index = 0; index < runs; index += 1) {
    const { figures, records } = await compareQuery(world, index)
    sum.figures += figures
    sum.records += records
  }
  console.log(
    `   ${sum.figures} numbers of ${runs} random queries over ${Object.keys(reports).length} reports equal the recount, ` +
      `${sum.records} of them numbers of records; seed ${seed}; ${((performance.now() - startMoment) / 1_000).toFixed(1)} s`,
  )
  return true
}

/**
 * Runs the proof of random queries to the reports, and prints figures.
 *
 * @param runs - Number of queries.
 * @param place - The database.
 * @param seed - Seed of a run to repeat.
 * @returns One step passed; skipped without PostgreSQL.
 * @throws With the query and the number that differs.
 */
export const reportFigures = (runs: number, databaseKind: DatabasePlace, seed = 7): Promise<CountTally> =>
  runOnPlace(databaseKind, (app) => runProof(app, runs, seed))

if (import.meta.main) {
  const runs = Number(optionOf('--runs') ?? 500)
  await runOnNamedPlaces((databaseKind) => reportFigures(runs, databaseKind, Number(optionOf('--seed') ?? 7)))
}

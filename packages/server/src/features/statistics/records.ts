/**
 * Lists the records behind a figure of a report: by the same cases, so that their number is that of the figure
 * (statistics §6).
 */
import {
  type Caller,
  fault,
  type Locale,
  metricLabel,
  type RecordColumn,
  type RecordParameters,
  type RecordRow,
  type ReportDeclaration,
  type ReportKey,
  type ReportMeta,
  type WrittenLocale,
} from '@dala/model'
import { momentSql } from '../../db/moment-sql.ts'
import { sql } from '../../db/sql.ts'
import type { Database, Queries } from '../../db/database.ts'
import { resourceNamed, viewOfResource } from '../../resources/attributes.ts'
import type { FurtherRows } from '../../resources/further-rows.ts'
import { firstLabel } from '../../resources/labels.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { placedSql } from './count.ts'
import { figureOf, type Figure, type Measure, type Sql } from './measures.ts'
import { findNames } from './names.ts'
import { askReport, type AskedReport } from './report.ts'
import { isRecord } from './sources.ts'

const usualLimit = 20
const maxLimit = 100

/** Reader of cases: the database, or a transaction with one view of the data. */
type CaseReader = Pick<Queries, 'query' | 'parts'>

/** Row of a listed case, before it is checked whether the caller may see its record. */
interface ListedCase {
  resource: string
  record: number
  at: string | null
  value: number | null
  person: number | null
}

/** Choice of the cases of a figure. */
interface FigureChoice {
  figure: Exclude<Figure, { each: string }>
  measures: readonly Measure[]
}

const refuse = (key: string, values: readonly string[]): never => {
  throw fault('report.choice', { params: { key, values: values.join(', ') } })
}

/** Returns the figure that a query opens, with the measures of its cases. */
function chooseFigure(
  { report, source, measuresOf, ownConsultant }: AskedReport,
  metric: string | undefined,
  dim: string | undefined,
): FigureChoice {
  if (metric === undefined || !Object.hasOwn(report.metrics, metric))
    return refuse('metric', Object.keys(report.metrics))
  const rowsFigure = dim === undefined ? undefined : source.rowsOf?.[`${dim}.${metric}`]
  let figure = rowsFigure ?? figureOf(source, metric)
  if ('each' in figure) figure = figureOf(source, figure.each)
  if ('each' in figure) throw fault('report.metric', { params: { key: metric } })
  const { measure } = figure
  const measures = measuresOf(ownConsultant).filter(({ key }) => key === measure)
  if (measures.length === 0 || measures.some(({ record }) => record === undefined))
    throw fault('report.metric', { params: { key: metric } })
  return { figure, measures }
}

/** SQL condition of a row of a report's table, by the id that the report shows. */
function rowCondition(report: ReportDeclaration, measures: readonly Measure[], dim: string, id: string): Sql {
  const breakdown = report.breakdowns.find((declaredBreakdown) => declaredBreakdown.dim === dim)
  if (!breakdown || measures.some(({ dims = {} }) => !Object.hasOwn(dims, dim)))
    return refuse('dim', [...new Set(report.breakdowns.map((declaredBreakdown) => declaredBreakdown.dim))])
  const column = sql.ref(`d_${dim}`)
  if (id === 'not_set') return sql`${column} is null`
  if (typeof breakdown.rows !== 'string') return sql`${column} = ${id}::text`
  if (!/^[1-9]\d{0,8}$/.test(id)) return refuse('dim_id', ['not_set'])
  return isRecord(sql`${column}::int`, breakdown.rows, Number(id))
}

/** SQL condition of the cases of one bucket; a stock has the cases of all buckets up to it. */
function bucketCondition({ period }: AskedReport, measures: readonly Measure[], isStock: boolean, day: string): Sql {
  const index = period.buckets.findIndex(({ from }) => from === day)
  if (index < 0 || measures.some(({ at }) => at === undefined))
    return refuse(
      'bucket',
      period.buckets.map(({ from }) => from),
    )
  return isStock ? sql`p.bucket <= ${index}` : sql`p.bucket = ${index}`
}

/** Reads a page of cases and their number in one statement. */
async function readCases(
  runner: CaseReader,
  { period, tablesOf, ownConsultant }: AskedReport,
  { figure, measures }: FigureChoice,
  {
    dim,
    conditions,
    start,
    limit,
  }: { dim: string | undefined; conditions: readonly Sql[]; start: number; limit: number },
): Promise<{ count: number; rows: ListedCase[] }> {
  const columns = sql`p.resource, p.record, p.part`
  const whereSql = sql.join([sql`p.span = 'now'`, ...conditions], sql` and `)
  const isStock = figure.of === 'level'
  // A case that is counted as a level is open: its additions exceed its removals.
  const caseHits = isStock
    ? sql`select ${columns}, min(p.at) as at, null::float8 as value, max(p.person) as person from placed p where ${whereSql}
           group by ${columns} having sum(p.value) > 0`
    : sql`select ${columns}, p.at, ${figure.of === 'count' ? sql`null::float8` : sql`p.value`} as value, p.person from placed p where ${whereSql}`
  const [hitsRow] = await runner.query(sql<{ count: number; rows: ListedCase[] }>`
    with ${placedSql(period, measures, dim === undefined ? [] : [dim], { tables: tablesOf(ownConsultant), hasRecords: true })},
    hits as materialized (${caseHits})
    select (select count(*)::int from hits) as count,
           coalesce((select json_agg(json_build_object('resource', h.resource, 'record', h.record, 'at', ${momentSql(sql`h.at`)},
                'value', h.value, 'person', h.person) order by h.at desc nulls last, h.resource, h.record, h.part)
              from (select * from hits order by at desc nulls last, resource, record, part limit ${limit} offset ${start}) h), '[]'::json) as rows`)
  return hitsRow ?? { count: 0, rows: [] }
}

/** Finds the documents that the caller may see, by resource. */
async function findReadable(
  runner: CaseReader,
  caller: Caller,
  idsByResource: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<Map<string, Set<number>>> {
  const visibleIds = new Map<string, Set<number>>()
  for (const [name, ids] of idsByResource) {
    const resource = resourceNamed(name)
    const view = viewOfResource(resource, caller, 'list')
    const rows = view
      ? await runScopedQuery(runner, { resource, caller, view }, ({ from, where, document }) => {
          const id = sql.ref(`${document}.id`)
          return sql<{
            id: number
          }>`select distinct ${id} as id from ${from} where ${id} = any(${[...ids]}::int[]) and ${where}`
        })
      : []
    visibleIds.set(name, new Set(rows.map(({ id }) => id)))
  }
  return visibleIds
}

/** Cases behind a figure, of which pages are read. */
export interface OpenedFigure {
  asked: AskedReport
  /** Reads a page of the cases, and their number. */
  readPage: (runner: CaseReader, start: number, limit: number) => Promise<{ count: number; rows: ListedCase[] }>
}

/**
 * Finds the cases behind a figure, and reads none of them.
 *
 * @throws What `askReport` throws; 422 for an unknown figure, bucket or row, and for a figure without records.
 */
export async function openFigure(
  database: Database,
  key: ReportKey,
  parameters: RecordParameters,
  caller: Caller,
): Promise<OpenedFigure> {
  const askedReport = await askReport(database, key, parameters, caller)
  const { metric, bucket, dim, dim_id: dimId } = parameters
  const chosenFigure = chooseFigure(askedReport, metric, dim)
  const conditions = [
    ...(bucket === undefined
      ? []
      : [bucketCondition(askedReport, chosenFigure.measures, chosenFigure.figure.of === 'level', bucket)]),
    ...(dim === undefined ? [] : [rowCondition(askedReport.report, chosenFigure.measures, dim, dimId ?? 'not_set')]),
  ]
  return {
    asked: askedReport,
    readPage: (runner, start, limit) => readCases(runner, askedReport, chosenFigure, { dim, conditions, start, limit }),
  }
}

/** Names the records of cases, as far as the caller may see them. */
async function presentCases(
  runner: CaseReader,
  caller: Caller,
  locale: Locale,
  rows: readonly ListedCase[],
): Promise<RecordRow[]> {
  const idsByResource = new Map<string, Set<number>>()
  const add = (name: string, id: number) => idsByResource.set(name, (idsByResource.get(name) ?? new Set()).add(id))
  for (const { resource, record } of rows) add(resource, record)
  const visibleIds = await findReadable(runner, caller, idsByResource)
  const namedIds = new Map(visibleIds)
  const people = rows.flatMap(({ person }) => person ?? [])
  namedIds.set('users', new Set([...(namedIds.get('users') ?? []), ...people]))
  const nameOf = await findNames(runner, namedIds, locale)
  return rows.map(({ resource, record, at, value, person }) => {
    const name = visibleIds.get(resource)?.has(record) ? nameOf(resource, record) : undefined
    return {
      resource,
      id: name?.id ?? null,
      title: name?.name ?? null,
      at,
      value: value === null ? null : Math.round(value * 100) / 100,
      person: person === null ? null : { id: person, name: nameOf('users', person)?.name ?? null },
    }
  })
}

/**
 * Lists the records behind a figure within the rights of the caller. Records that the caller may not see are
 * rows without a title, so that the number of rows is that of the figure.
 *
 * @param figure - The cases, from `openFigure`.
 */
export async function listRecords(
  database: Database,
  { asked, readPage }: OpenedFigure,
  { start = 0, limit = usualLimit }: Pick<RecordParameters, 'start' | 'limit'>,
  caller: Caller,
): Promise<{ data: RecordRow[]; count: number; meta: ReportMeta }> {
  const { count, rows } = await readPage(database, start, Math.min(limit, maxLimit))
  return { data: await presentCases(database, caller, asked.query.locale, rows), count, meta: asked.meta }
}

/** Columns of a sheet of records whose columns are not chosen. */
const usualColumns: readonly RecordColumn[] = ['id', 'at', 'person', 'value']

/** The columns of a sheet of records, and their values. */
const sheetColumns: Readonly<
  Record<
    RecordColumn,
    {
      column: FurtherRows['columns'][number]
      valueOf: (row: RecordRow, language: WrittenLocale) => string | number | null
    }
  >
> = {
  id: { column: { heading: ['field.id'], kind: 'count' }, valueOf: ({ id }) => id },
  at: { column: { heading: ['statistics.recordTime'], kind: 'moment' }, valueOf: ({ at }) => at },
  person: { column: { heading: ['field.consultant'], kind: 'text' }, valueOf: ({ person }) => person?.name ?? null },
  value: { column: { heading: ['statistics.recordValue'], kind: 'amount' }, valueOf: ({ value }) => value },
  resource: {
    column: { heading: ['statistics.recordKind'], kind: 'text' },
    valueOf: ({ resource }, language) => firstLabel(language, [`${resource}.one`]),
  },
}

/**
 * Returns the rows of the sheet with all records behind a figure, in the order of the list.
 *
 * @param language - Language of the labels; names have that of the parameters.
 * @throws What `openFigure` throws.
 */
export async function recordsSheet(
  database: Database,
  key: ReportKey,
  parameters: RecordParameters,
  caller: Caller,
  language: WrittenLocale,
): Promise<FurtherRows> {
  const { asked, readPage } = await openFigure(database, key, parameters, caller)
  let cases: readonly ListedCase[] = []
  const columnNames = parameters.columns ?? usualColumns
  return {
    title: metricLabel(key, parameters.metric ?? ''),
    columns: [
      { heading: ['statistics.record'], kind: 'text' },
      ...columnNames.map((column) => sheetColumns[column].column),
    ],
    async findKeys(runner, maxCount) {
      cases = (await readPage(runner, 0, maxCount)).rows
      return cases.map((_case, caseIndex) => caseIndex)
    },
    async readRows(runner, caseIndexes) {
      const listedCases = caseIndexes.flatMap((caseIndex) => cases[caseIndex] ?? [])
      const rows = await presentCases(runner, caller, asked.query.locale, listedCases)
      return rows.map((row) => [row.title, ...columnNames.map((column) => sheetColumns[column].valueOf(row, language))])
    },
  }
}

/**
 * The version of everything that the answer of a report depends on, read without counting (statistics §8).
 */
import { createHash } from 'node:crypto'
import { type Caller, type ReportKey, type Resource, wholeReport } from '@dala/model'
import type { Database, Queries } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import { resourceNamed, resources, viewOfResource } from '../../resources/attributes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { nameOfDayCounts } from './by-day/definitions.ts'
import { casesSql } from './count.ts'
import { type MapQuery, readMapTiles } from './map.ts'
import { periodOf } from './period.ts'
import type { AskedReport } from './report.ts'
import { measureContext, neededRows, reportSources } from './sources.ts'

/** A period with a comparison, for the text of measures. */
const anyPeriod = periodOf(
  { from: '2000-01-01', to: '2000-01-01', compare: 'previous' },
  { day: '2000-01-02', time: '00:00:00' },
)

/** Words in the text of a statement that can be names of tables. */
const wordsOf = (template: Template<unknown>): string[] => compileTemplate(template).sql.match(/[a-z_]{4,63}/g) ?? []

/** Returns the tables of the records of a resource. */
const tablesOf = (resource: Resource): string[] => [
  documentTable(resource),
  ...(resource.localized ? [textTable(resource)] : []),
]

/** Names that an answer depends on: tables, and other words of its statements. */
interface DataNames {
  /** Names of the figures and of the rows of tables. */
  figures: readonly string[]
  /** Resources that the records behind the figures can have. */
  recordResources: readonly Resource[]
}

const namesByReport = new Map<ReportKey, DataNames>()

function findDataNames(key: ReportKey): DataNames {
  const cachedNames = namesByReport.get(key)
  if (cachedNames) return cachedNames
  const [report, source] = [wholeReport(key), reportSources[key]]
  const rowsByMeasure = neededRows(report, source)
  const context = { report, period: anyPeriod, ownConsultant: undefined, isByDay: false }
  const wholeContext = measureContext({ ...context, query: { filters: {}, hours: 'working' } })
  const measures = source.measures(wholeContext)
  const templates = [
    ...(source.tables ? [source.tables(wholeContext)] : []),
    ...measures.map((measure) => {
      const { dims = [] } = rowsByMeasure.get(measure.key) ?? {}
      return casesSql(measure, { dims, needed: dims, ranges: null, hasRecords: true })
    }),
  ]
  const words = new Set(templates.flatMap(wordsOf))
  // The resource of a case is a word of its statement, or one of the values.
  const values = new Set(templates.flatMap((template) => compileTemplate(template).parameters))
  const namedTargets = [...report.breakdowns.map(({ rows }) => rows), ...Object.values(report.filters)]
  const dataNames = {
    figures: [
      ...new Set([
        'statistics',
        'roles',
        ...words,
        ...namedTargets.flatMap((name) => (typeof name === 'string' ? tablesOf(resourceNamed(name)) : [])),
      ]),
    ],
    recordResources: Object.values(resources).filter(({ name }) => words.has(name) || values.has(name)),
  }
  namesByReport.set(key, dataNames)
  return dataNames
}

/**
 * Returns the words of the statements of a report, and the tables of its names. The tables among them have
 * versions; all other words have none.
 */
export const namesOfData = (key: ReportKey): readonly string[] => findDataNames(key).figures

/** Returns the resources that the records behind the figures of a report can have. */
export const resourcesOfRecords = (key: ReportKey): readonly Resource[] => findDataNames(key).recordResources

/** Collects the words of the statements that a reader of data would send, and sends none of them. */
async function collectWords(
  { parts }: Pick<Database, 'parts'>,
  read: (runner: Pick<Queries, 'query' | 'parts'>) => Promise<unknown>,
): Promise<string[]> {
  const words: string[] = []
  const query = (template: Template<unknown>) => {
    words.push(...wordsOf(template))
    return Promise.resolve([])
  }
  await read({ parts, query })
  return words
}

/**
 * Returns the names of a report's data, and those of the titles of its records and of the rows that a caller
 * may see.
 */
export async function namesOfRecords(
  database: Pick<Database, 'parts'>,
  key: ReportKey,
  caller: Caller,
): Promise<readonly string[]> {
  const names = new Set([...namesOfData(key), 'users'])
  for (const resource of resourcesOfRecords(key)) {
    for (const table of tablesOf(resource)) names.add(table)
    const view = viewOfResource(resource, caller, 'list')
    if (!view) continue
    const words = await collectWords(database, (runner) =>
      runScopedQuery(runner, { resource, caller, view }, ({ from, where }) => sql`${from} ${where}`),
    )
    for (const word of words) names.add(word)
  }
  return [...names]
}

/** Everything that an answer depends on. */
interface AnswerBasis {
  /** Names of its tables. */
  names: readonly string[]
  /** Everything but its data: the query, the program and the rights of the caller. */
  parts: unknown
}

/**
 * Reads the ETag of an answer: of the data that it reads, the caller, and everything else that it depends
 * on.
 */
async function readTag(
  database: Database,
  { id, role, isConsultant }: Caller,
  { names, parts }: AnswerBasis,
): Promise<string> {
  const versions = await database.query(sql<{ name: string; version: string }>`
    select name, sum(number)::text as version from report_versions where name = any(${names}::text[])
     group by name order by name`)
  const text = JSON.stringify([versions, [id, role, isConsultant], parts])
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/**
 * Reads the ETag of an answer of a report: of the data that it reads, the definitions, the query, the
 * rights of the caller, and the minute up to which it counts.
 *
 * The version is read before the report is counted. When a fact changes in between, the answer is newer
 * than its tag, and the next request counts once more.
 *
 * @param answer - Names of the data of the answer, and what else it depends on: the query and the program.
 */
export function readReportTag(
  database: Database,
  key: ReportKey,
  { meta, ownConsultant }: AskedReport,
  caller: Caller,
  { names, query }: { names: readonly string[]; query: unknown },
): Promise<string> {
  const minute = meta.data_through.slice(0, 'YYYY-MM-DDThh:mm'.length)
  const { generated_at: _generated, data_through: _through, ...days } = meta
  const parts = [nameOfDayCounts(database.calendar), key, days, minute, query, ownConsultant]
  return readTag(database, caller, { names, parts })
}

/** Reads the ETag of the tiles of the map, of the data that they read, the query and the caller. */
export async function readMapTag(
  database: Database,
  caller: Caller,
  query: MapQuery,
  program: string,
): Promise<string> {
  const names = await collectWords(database, (runner) => readMapTiles(runner, query, caller))
  return readTag(database, caller, { names, parts: ['map', query, program] })
}

/** Puts the rows of each table's version together; the versions stay the same. */
export async function joinVersions(database: Pick<Database, 'query'>): Promise<void> {
  await database.query(sql`
    with gone as (delete from report_versions v where v.id in (
      select o.id from report_versions o where o.name in (select name from report_versions group by name having count(*) > 1)
       for update skip locked) returning v.name, v.number)
    insert into report_versions (name, number) select name, sum(number) from gone group by name`)
}

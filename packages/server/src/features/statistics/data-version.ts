/** The version of everything that the answer of a report depends on, read without counting (statistics §8). */
import { createHash } from 'node:crypto'
import { type Caller, type ReportKey, wholeReport } from '@dala/model'
import type { Database } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { compileTemplate, sql } from '../../db/sql.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { nameOfDayCounts } from './by-day/definitions.ts'
import { casesSql } from './count.ts'
import { periodOf } from './period.ts'
import type { AskedReport } from './report.ts'
import { measureContext, neededRows, reportSources } from './sources.ts'

/** A period with a comparison, for the text of measures. */
const anyPeriod = periodOf(
  { from: '2000-01-01', to: '2000-01-01', compare: 'previous' },
  { day: '2000-01-02', time: '00:00:00' },
)

const namesByReport = new Map<ReportKey, readonly string[]>()

/**
 * Returns the words of the statements of a report, and the tables of its names. The tables among them have
 * versions; all other words have none.
 */
export function namesOfData(key: ReportKey): readonly string[] {
  const cachedNames = namesByReport.get(key)
  if (cachedNames) return cachedNames
  const [report, source] = [wholeReport(key), reportSources[key]]
  const rowsByMeasure = neededRows(report, source)
  const names = new Set(['statistics', 'roles'])
  const context = { report, period: anyPeriod, ownConsultant: undefined, isByDay: false }
  const wholeContext = measureContext({ ...context, query: { filters: {}, hours: 'working' } })
  const measures = source.measures(wholeContext)
  const templates = measures.map((measure) => {
    const { dims = [] } = rowsByMeasure.get(measure.key) ?? {}
    return casesSql(measure, { dims, needed: dims, ranges: null, hasRecords: true })
  })
  for (const template of [...(source.tables ? [source.tables(wholeContext)] : []), ...templates])
    for (const [identifier] of compileTemplate(template).sql.matchAll(/[a-z_]{4,63}/g)) names.add(identifier)
  const namedTargets = [...report.breakdowns.map(({ rows }) => rows), ...Object.values(report.filters)]
  for (const name of namedTargets) {
    if (typeof name !== 'string') continue
    const resource = resourceNamed(name)
    names.add(documentTable(resource))
    if (resource.localized) names.add(textTable(resource))
  }
  const dataNames = [...names]
  namesByReport.set(key, dataNames)
  return dataNames
}

/**
 * Reads the ETag of a report's answer: of the data that it reads, the definitions, the query, the rights of the
 * caller, and the minute up to which it counts.
 *
 * The version is read before the report is counted. When a fact changes in between, the answer is newer than its
 * tag, and the next request counts once more.
 *
 * @param query - What else the answer depends on: the query and the program.
 */
export async function readReportTag(
  database: Database,
  key: ReportKey,
  { meta, ownConsultant }: AskedReport,
  { id, role, isConsultant }: Caller,
  query: unknown,
): Promise<string> {
  const versions = await database.query(sql<{ name: string; version: string }>`
    select name, sum(number)::text as version from report_versions where name = any(${namesOfData(key)}::text[])
     group by name order by name`)
  const minute = meta.data_through.slice(0, 'YYYY-MM-DDThh:mm'.length)
  const { generated_at: _generated, data_through: _through, ...days } = meta
  const parts = [
    versions,
    nameOfDayCounts(database.calendar),
    key,
    days,
    minute,
    query,
    [id, role, isConsultant, ownConsultant],
  ]
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`
}

/** Puts the rows of each table's version together; the versions stay the same. */
export async function joinVersions(database: Pick<Database, 'query'>): Promise<void> {
  await database.query(sql`
    with gone as (delete from report_versions v where v.id in (
      select o.id from report_versions o where o.name in (select name from report_versions group by name having count(*) > 1)
       for update skip locked) returning v.name, v.number)
    insert into report_versions (name, number) select name, sum(number) from gone group by name`)
}

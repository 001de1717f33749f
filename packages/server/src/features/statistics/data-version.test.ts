import { type ReportKey, reports } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { sql, type Template } from '../../db/sql.ts'
import { buildConsultant } from '../../testing/people.ts'
import { buildReportWorld } from '../../testing/report-world.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { joinVersions, namesOfData } from './data-version.ts'

const resourceApp = startResourceApp(async (startedApp) => {
  await buildReportWorld(startedApp)
})
const keys = Object.keys(reports) as ReportKey[]
const days = 'from=2025-03-01&to=2025-05-31'

async function request(address: string, tag?: string, token = resourceApp.tokens.admin ?? '') {
  const headers = { authorization: `Bearer ${token}`, ...(tag !== undefined && { 'if-none-match': tag }) }
  const answer = await resourceApp.app.inject({ method: 'GET', url: `/api/statistics/${address}`, headers })
  return { status: answer.statusCode, tag: String(answer.headers.etag), body: answer.body }
}

/** Repeats a request with the tag of its answer, both within one minute. */
async function repeat(address: string) {
  const firstAnswer = await request(address)
  const secondAnswer = await request(address, firstAnswer.tag)
  if (secondAnswer.status === 304) return secondAnswer
  // The minute may end between two requests, but not twice in a row.
  return request(address, secondAnswer.tag)
}

const change = (template: Template<unknown>) => resourceApp.database.query(template)

describe('ETag of GET /api/statistics/:id (statistics §8)', () => {
  it.each(keys)('answers 304 without figures while nothing changes: %s', async (key) => {
    const answer = await repeat(`${key}?${days}`)
    expect([answer.status, answer.body]).toEqual([304, ''])
  })

  it('keeps the tag while the versions of tables are put together', async () => {
    const formerVersions = await change(
      sql`select name, sum(number)::text as version from report_versions group by name order by name`,
    )
    await joinVersions(resourceApp.database)
    expect(
      await change(sql`select name, sum(number)::text as version from report_versions group by name order by name`),
    ).toEqual(formerVersions)
    expect(await change(sql`select name from report_versions group by name having count(*) > 1`)).toEqual([])
  })

  const factInserts: readonly [string, ReportKey, Template<unknown>][] = [
    [
      'a question',
      'consultations',
      sql`insert into consultations (question, created_at, turn) values ('late', now(), 1)`,
    ],
    [
      'the owner of a question',
      'overview',
      sql`update consultations set consultant_id = null where consultant_id is not null`,
    ],
    ['a reply', 'consultants', sql`update consultation_replies set working_seconds = working_seconds + 1`],
    ['a name of a region', 'consultations', sql`update regions_texts set name = name || ' new'`],
    ['a name of a person', 'consultants', sql`update users set name = 'New name' where is_consultant`],
    ['a visit', 'people', sql`update users set last_seen_at = now()`],
    ['a market day', 'prices', sql`update pricedates set state = 'draft'`],
    ['a post', 'trading', sql`delete from tradinposts`],
    [
      'content',
      'content',
      sql`insert into content_opens (resource, document_id, day, opens) values ('news', 1, now()::date, 3)`,
    ],
    ['a course', 'learning', sql`update courses set state = 'archived'`],
    ['the title of a report', 'learning', sql`update statistics set title = title`],
  ]
  it.each(factInserts)('answers new figures after a change of %s', async (_name, key, fact) => {
    const { tag } = await request(`${key}?${days}`)
    await change(fact)
    const answer = await request(`${key}?${days}`, tag)
    expect(answer.status).toBe(200)
    expect(answer.tag).not.toBe(tag)
  })

  it('never answers 304 to the tag of a caller with other rights, or of another query', async () => {
    const consultant = await buildConsultant(resourceApp)
    const address = `consultations?${days}`
    const { tag } = await request(address)
    expect((await request(address, tag, consultant.token)).status).toBe(200)
    expect((await request(address, tag, resourceApp.tokens.owner)).status).toBe(200)
    for (const other of ['compare=none', 'filters[locale]=ru', 'filters[district]=1'])
      expect((await request(`${address}&${other}`, tag)).status).toBe(200)
    expect((await request(address, tag, '')).status).toBe(401)
  })

  it('has a version of every table of the desk, the market and the content', async () => {
    const rows = await resourceApp.database.query(sql<{ name: string }>`
      select distinct tgrelid::regclass::text as name from pg_trigger where tgname like 'report_version%'`)
    const versionedTables = new Set(rows.map(({ name }) => name))
    const tables = await resourceApp.database.query(sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename = any(${[
        ...new Set(keys.flatMap((key) => namesOfData(key))),
      ]}::text[])`)
    expect(tables.map(({ name }) => name).filter((name) => !versionedTables.has(name))).toEqual([])
    expect(tables.length).toBeGreaterThan(50)
  })
})

import { type Caller, type RecordRow, type ReportKey, reports, wholeReport } from '@dala/model'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import { buildConsultant } from '../../testing/people.ts'
import { buildReportWorld } from '../../testing/report-world.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { joinVersions, namesOfData, namesOfRecords, resourcesOfRecords } from './data-version.ts'

let regionId = 0
const resourceApp = startResourceApp(async (startedApp) => {
  const { regions } = await buildReportWorld(startedApp)
  regionId = regions[0] ?? 0
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
    const tables = await findTables(keys.flatMap((key) => namesOfData(key)))
    expect(await findUnversioned(tables)).toEqual([])
    expect(tables.length).toBeGreaterThan(50)
  })
})

async function findTables(names: readonly string[]): Promise<string[]> {
  const tables = await resourceApp.database.query(sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename = any(${names}::text[])`)
  return tables.map(({ name }) => name)
}

async function findUnversioned(tables: readonly string[]): Promise<string[]> {
  const rows = await resourceApp.database.query(sql<{ name: string }>`
    select distinct tgrelid::regclass::text as name from pg_trigger where tgname like 'report_version%'`)
  const versionedTables = new Set(rows.map(({ name }) => name))
  return tables.filter((name) => !versionedTables.has(name))
}

describe('ETag of GET /api/statistics/:id/records (statistics §8)', () => {
  const address = `consultations/records?${days}&metric=asked`
  const listedMetric = (key: ReportKey) =>
    Object.entries(wholeReport(key).metrics).find(([, { unlisted }]) => !unlisted)?.[0] ?? ''

  it.each(keys.filter((key) => listedMetric(key) !== ''))(
    'answers 304 without records while nothing changes: %s',
    async (key) => {
      const answer = await repeat(`${key}/records?${days}&metric=${listedMetric(key)}`)
      expect([answer.status, answer.body]).toEqual([304, ''])
    },
  )

  it('answers 304 without reading a case', async () => {
    const { query } = resourceApp.database
    const statements: string[] = []
    const spy = vi.spyOn(resourceApp.database, 'query').mockImplementation((template) => {
      statements.push(compileTemplate(template).sql)
      return query.call(resourceApp.database, template) as Promise<never[]>
    })
    onTestFinished(() => {
      spy.mockRestore()
    })
    const readsCases = () => statements.splice(0).some((statement) => statement.includes('placed'))
    const { tag } = await request(address)
    expect(readsCases()).toBe(true)
    const answer = await request(address, tag)
    // A minute that ends between the two requests makes the second one count.
    expect(readsCases()).toBe(answer.status === 200)
    const lastAnswer = await request(address, answer.tag)
    expect(readsCases()).toBe(lastAnswer.status === 200)
    expect([answer.status, lastAnswer.status]).toContain(304)
  })

  it('has another tag for each figure, row, interval, filter, page, language and column', async () => {
    const answers = await Promise.all(
      [
        '',
        '&metric=answered',
        '&dim=region&dim_id=not_set',
        '&bucket=2025-03-01&interval=month',
        `&filters[region]=${regionId}`,
        '&filters[locale]=ru',
        '&start=1',
        '&limit=1',
        '&locale=ru',
        '&columns=at',
      ].map((other) =>
        request(`${other.startsWith('&metric') ? address.replace('asked', 'answered') : address + other}`),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ tag }) => tag)).size).toBe(answers.length)
    expect((await request(`consultations?${days}`, answers[0]?.tag)).status).toBe(200)
  })

  it('never answers 304 to the tag of another caller', async () => {
    const consultant = await buildConsultant(resourceApp)
    const { tag } = await request(address)
    expect((await request(address, tag, consultant.token)).status).toBe(200)
    expect((await request(address, tag, resourceApp.tokens.owner)).status).toBe(200)
    expect((await request(address, tag, '')).status).toBe(401)
  })

  it('refuses a person who is no consultant any more, whatever the tag', async () => {
    const { id, token } = await buildConsultant(resourceApp)
    const { status, tag } = await request(address, undefined, token)
    expect(status).toBe(200)
    expect((await resourceApp.ask('PUT', `/users/${id}`, { is_consultant: false })).status).toBe(200)
    expect((await request(address, tag, token)).status).toBe(403)
  })

  it('refuses an unknown figure with any tag', async () => {
    expect((await request(`consultations/records?${days}&metric=bogus`, '*')).status).toBe(422)
  })

  const changes: readonly [string, string, Template<unknown>][] = [
    ['the title of a record', 'asked', sql`update consultations set question = question || '?'`],
    ['the name of a person', 'answered', sql`update users set name = name || ' x' where is_consultant`],
    ['a reply', 'answered', sql`update consultation_replies set working_seconds = working_seconds + 1`],
    ['the customer of a room', 'asked', sql`update users set name = 'Customer' where not is_consultant`],
  ]
  it.each(changes)('answers new records after a change of %s', async (_name, metric, recordChange) => {
    const { tag } = await request(`consultations/records?${days}&metric=${metric}`)
    await change(recordChange)
    const answer = await request(`consultations/records?${days}&metric=${metric}`, tag)
    expect([answer.status, answer.tag !== tag]).toEqual([200, true])
  })

  it('answers new records after a change of the title of an item that no figure counts', async () => {
    const path = `trading/records?${days}&metric=${listedMetric('trading')}`
    const { tag } = await request(path)
    await change(sql`update tradinposts_texts set title = title || ' new'`)
    expect((await request(path, tag)).status).toBe(200)
  })

  it.each(keys)('knows every resource that the records of a figure have: %s', async (key) => {
    const knownResources = new Set(resourcesOfRecords(key).map(({ name }) => name))
    const metrics = Object.entries(wholeReport(key).metrics).filter(([, { unlisted }]) => !unlisted)
    for (const [metric] of metrics) {
      const { body } = await request(`${key}/records?${days}&limit=100&metric=${metric}`)
      const { data } = JSON.parse(body) as { data: RecordRow[] }
      expect(data.map(({ resource }) => resource).filter((name) => !knownResources.has(name))).toEqual([])
    }
  })

  const staff: readonly Caller['role'][] = ['admin', 'super-admin', 'owner']
  it.each([
    ...staff.flatMap((role) => keys.map((key) => [role, key] as const)),
    ['authenticated', 'consultations'],
    ['authenticated', 'consultants'],
  ] as const)('has a version of every table that decides what %s sees of the records: %s', async (role, key) => {
    const isConsultant = role === 'authenticated'
    const caller: Caller = { id: 1, role, isConsultant, language: 'en', sessionId: 'test' }
    const tables = await findTables(await namesOfRecords(resourceApp.database, key, caller))
    expect(await findUnversioned(tables)).toEqual([])
    expect(tables).toContain('users')
  })
})

describe('ETag of GET /api/statistics/map/regions (statistics §8)', () => {
  it('answers 304 while nothing changes', async () => {
    const { tag } = await request('map/regions')
    const answer = await request('map/regions', tag)
    expect([answer.status, answer.body]).toEqual([304, ''])
  })

  it.each([
    ['the name of a region', sql`update regions_texts set name = name || ' 2'`],
    ['the place of a region', sql`update regions set lat = 42, lng = 60`],
    ['the region of a user', sql`update users set region_id = null where region_id is not null`],
  ] as const)('answers new tiles after a change of %s', async (_name, fact) => {
    const { tag } = await request('map/regions')
    await change(fact)
    expect((await request('map/regions', tag)).status).toBe(200)
  })

  it('never answers 304 to the tag of another caller, region or language', async () => {
    const consultant = await buildConsultant(resourceApp)
    const { tag } = await request('map/regions')
    expect((await request('map/regions', tag, consultant.token)).status).toBe(200)
    for (const other of [`region=${regionId}`, 'locale=ru'])
      expect((await request(`map/regions?${other}`, tag)).status).toBe(200)
  })
})

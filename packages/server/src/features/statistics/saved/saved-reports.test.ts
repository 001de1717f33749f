import type { ReportAnswer, SavedReport } from '@dala/model'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { buildRecord } from '../../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../../testing/people.ts'
import { buildReportWorld, type ReportWorld } from '../../../testing/report-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'

let world: ReportWorld = { regions: [], categories: [], consultants: [] }
let [consultant, colleague]: (TestPerson | undefined)[] = []
const resourceApp = startResourceApp(async (app) => {
  world = await buildReportWorld(app)
})
beforeAll(async () => {
  consultant = await buildConsultant(resourceApp)
  colleague = await buildPerson(resourceApp, 'admin', { name: 'Aysulu', surname: 'Tleuova' })
})
beforeEach(() => resourceApp.database.query(sql`delete from saved_reports`))

const spring = { from: '2025-03-01', to: '2025-05-31' }
const draft = { title: 'Spring', key: 'consultations', query: { ...spring, interval: 'month' } }
type Answer = { status: number; body: unknown } | undefined
const savedReportOf = (answer: Answer): SavedReport => {
  expect(answer?.status).toBe(200)
  return ((answer?.body ?? {}) as { data: SavedReport }).data
}
const save = async (data: object = draft, role: Parameters<typeof resourceApp.ask>[3] = 'admin') =>
  savedReportOf(await resourceApp.ask('POST', '/statistics/saved', { data }, role))
const listOf = (answer: Answer) => ((answer?.body ?? {}) as { data: SavedReport[] }).data.map(({ title }) => title)
const refusal = (answer: Answer) => [
  answer?.status,
  (answer?.body as { error?: { code?: string } } | undefined)?.error?.code,
]

describe('POST /api/statistics/saved', () => {
  it('saves a report for its maker, with ids from 1000, behind their other reports', async () => {
    const query = { ...draft.query, filters: { region: String(world.regions[0]) } }
    const firstReport = await save({ ...draft, query })
    expect(firstReport).toMatchObject({
      title: 'Spring',
      key: 'consultations',
      query: { ...spring, interval: 'month', filters: { region: world.regions[0] } },
      shared_with: null,
      order: 1,
      version: 1,
      own: true,
      by: { id: resourceApp.people['admin'] },
    })
    expect(firstReport.id).toBeGreaterThanOrEqual(1_000)
    // The query of an answer can be sent again.
    expect((await save({ ...draft, query: firstReport.query })).query).toEqual(firstReport.query)
    expect((await save({ ...draft, query: null })).query).toEqual({})
    expect((await save({ ...draft, order: 7 })).order).toBe(7)
    expect(listOf(await resourceApp.ask('GET', '/statistics/saved'))).toEqual(['Spring', 'Spring', 'Spring', 'Spring'])
    for (const role of ['owner', 'super-admin'] as const)
      expect(listOf(await resourceApp.ask('GET', '/statistics/saved', undefined, role))).toEqual([])
  })

  it.each([
    [{ ...draft, title: ' ' }, 'validation.title'],
    [{ ...draft, title: 'x'.repeat(121) }, 'validation.maxLength'],
    [{ ...draft, key: 'bogus' }, ''],
    [{ ...draft, shared_with: 'public' }, ''],
    [{ ...draft, order: -1 }, 'validation.integer'],
    [{ ...draft, query: { period: 'century' } }, 'report.choice'],
    [{ ...draft, query: { from: 'x' } }, 'report.date'],
    [{ ...draft, query: { from: '2025-02-02', to: '2025-02-01' } }, 'report.order'],
    [{ ...draft, query: { from: '2015-02-02', to: '2025-02-01' } }, 'report.range'],
    [{ ...draft, key: 'trading', query: { filters: { consultant: '1' } } }, 'report.filter'],
  ])('refuses the saved report %o with 422 and %s', async (data, code) => {
    const { status, body } = await resourceApp.ask('POST', '/statistics/saved', { data })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain(code)
    expect(await resourceApp.database.query(sql`select 1 from saved_reports`)).toEqual([])
  })

  it('refuses to share a report with a role above the own one', async () => {
    for (const role of ['super-admin', 'owner'])
      expect(
        refusal(await resourceApp.ask('POST', '/statistics/saved', { data: { ...draft, shared_with: role } })),
      ).toEqual([403, 'report.rank'])
    expect((await save({ ...draft, shared_with: 'owner' }, 'owner')).shared_with).toBe('owner')
    const shareAnswer = await consultant?.ask('POST', '/statistics/saved', { data: { ...draft, shared_with: 'admin' } })
    expect(refusal(shareAnswer)).toEqual([403, 'report.rank'])
  })

  it('refuses reports and filters that the caller may not use', async () => {
    const order = (data: object) => consultant?.ask('POST', '/statistics/saved', { data: { ...draft, ...data } })
    expect(refusal(await order({ key: 'prices' }))).toEqual([404, 'record.not-found'])
    expect(refusal(await order({ query: { filters: { consultant: '1' } } }))).toEqual([422, 'report.filter'])
    expect((await order({}))?.status).toBe(200)
    expect((await resourceApp.ask('POST', '/statistics/saved', { data: draft }, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('POST', '/statistics/saved', { data: draft }, 'public')).status).toBe(401)
  })

  it('stores at most one hundred reports of a person', async () => {
    await resourceApp.database.query(sql`
      insert into saved_reports (user_id, title, key, query)
      select ${resourceApp.people['admin'] ?? 0}, 'x', 'people', '{}' from generate_series(1, 99)`)
    await save()
    expect(refusal(await resourceApp.ask('POST', '/statistics/saved', { data: draft }))).toEqual([
      422,
      'report.too-many',
    ])
    await save(draft, 'owner')
  })
})

describe('GET /api/statistics/saved', () => {
  it('lists the reports that are shared with a role up to the own one, and that the caller may open', async () => {
    await save({ ...draft, title: 'mine', order: 9 })
    await save({ ...draft, title: 'for all', shared_with: 'authenticated', order: 2 }, 'owner')
    await save({ ...draft, title: 'for staff', shared_with: 'admin', order: 1 }, 'owner')
    await save({ ...draft, title: 'for the top', shared_with: 'super-admin' }, 'owner')
    await save({ ...draft, title: 'prices', key: 'prices', shared_with: 'authenticated', order: 3 }, 'owner')
    expect(listOf(await resourceApp.ask('GET', '/statistics/saved'))).toEqual([
      'for staff',
      'for all',
      'prices',
      'mine',
    ])
    expect(listOf(await colleague?.ask('GET', '/statistics/saved'))).toEqual(['for staff', 'for all', 'prices'])
    expect(listOf(await consultant?.ask('GET', '/statistics/saved'))).toEqual(['for all'])
    expect((await resourceApp.ask('GET', '/statistics/saved', undefined, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('GET', '/statistics/saved', undefined, 'public')).status).toBe(401)
  })

  it('lists a shared report after its maker was removed, without a name, and forgets their private ones', async () => {
    const reportMaker = await buildPerson(resourceApp, 'admin', { name: 'Aysulu' })
    const makeReport = (data: object) => reportMaker.ask('POST', '/statistics/saved', { data: { ...draft, ...data } })
    const { id } = savedReportOf(await makeReport({ title: 'shared', shared_with: 'admin' }))
    await makeReport({ title: 'private' })
    const visibleReports = await resourceApp.read<{ data: SavedReport[] }>('/statistics/saved')
    expect(visibleReports.data).toMatchObject([{ id, own: false, by: { id: reportMaker.id, name: 'Aysulu' } }])
    expect((await resourceApp.ask('DELETE', `/staff/${reportMaker.id}`, undefined, 'owner')).status).toBe(200)
    expect((await resourceApp.read<{ data: SavedReport[] }>('/statistics/saved')).data).toMatchObject([
      { id, title: 'shared', own: false, by: null },
    ])
    expect((await resourceApp.ask('GET', `/statistics/${id}`)).status).toBe(200)
    expect(await resourceApp.database.query(sql`select title from saved_reports`)).toEqual([{ title: 'shared' }])
  })

  it('deletes the reports of a removed account that nobody else uses', async () => {
    const reportMaker = await buildPerson(resourceApp, 'admin')
    await reportMaker.ask('POST', '/statistics/saved', { data: draft })
    expect((await resourceApp.ask('DELETE', `/staff/${reportMaker.id}`, undefined, 'owner')).status).toBe(200)
    expect(await resourceApp.database.query(sql`select 1 from saved_reports`)).toEqual([])
  })
})

describe('PUT and DELETE /api/statistics/saved/:id', () => {
  it('changes the given values of an own report only', async () => {
    const { id } = await save()
    const change = async (data: object) =>
      savedReportOf(await resourceApp.ask('PUT', `/statistics/saved/${id}`, { data }))
    expect(await change({ title: 'Renamed', version: 1 })).toMatchObject({ title: 'Renamed', version: 2, order: 1 })
    expect(await change({ shared_with: 'admin', order: 4 })).toMatchObject({ shared_with: 'admin', order: 4 })
    expect(await change({ query: { period: 'year' } })).toMatchObject({ query: { period: 'year' }, title: 'Renamed' })
    expect(await change({ shared_with: null, key: 'people' })).toMatchObject({ shared_with: null, key: 'people' })
  })

  it('refuses a change of an earlier version of a saved report with the present version', async () => {
    const { id } = await save()
    await resourceApp.ask('PUT', `/statistics/saved/${id}`, { data: { title: 'Other', version: 1 } })
    const staleAnswer = await resourceApp.ask('PUT', `/statistics/saved/${id}`, { data: { title: 'Mine', version: 1 } })
    expect(refusal(staleAnswer)).toEqual([409, 'record.stale'])
    expect(staleAnswer.body).toMatchObject({ error: { details: { current: { title: 'Other', version: 2 } } } })
  })

  it.each([
    [{ title: '' }, 422, 'validation.title'],
    [{ query: { filters: { bogus: '1' } } }, 422, 'report.filter'],
    [{ key: 'content' }, 422, 'report.filter'],
    [{ shared_with: 'owner' }, 403, 'report.rank'],
  ])('refuses the change %o of a saved report', async (data, status, code) => {
    const { id } = await save({ ...draft, query: { filters: { region: String(world.regions[0]) } } })
    const answer = await resourceApp.ask('PUT', `/statistics/saved/${id}`, { data })
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).toContain(code)
  })

  it.each(['PUT', 'DELETE'] as const)(
    'answers %s of a saved report by another person with 404, or 403 where they may open it',
    async (method) => {
      const body = method === 'PUT' ? { data: { title: 'x' } } : undefined
      const ownReport = await save()
      const sharedReport = await save({ ...draft, shared_with: 'admin' })
      expect((await colleague?.ask(method, `/statistics/saved/${ownReport.id}`, body))?.status).toBe(404)
      expect(refusal(await colleague?.ask(method, `/statistics/saved/${sharedReport.id}`, body))).toEqual([
        403,
        'access.denied',
      ])
      expect((await consultant?.ask(method, `/statistics/saved/${sharedReport.id}`, body))?.status).toBe(404)
      expect(
        (await resourceApp.ask(method, `/statistics/saved/${sharedReport.id}`, body, 'authenticated')).status,
      ).toBe(403)
      expect((await resourceApp.ask(method, `/statistics/saved/${sharedReport.id}`, body, 'public')).status).toBe(401)
      for (const id of ['1', '999999', 'x', '99999999999'])
        expect((await resourceApp.ask(method, `/statistics/saved/${id}`, body)).status).toBe(404)
    },
  )

  it('deletes a saved report of the caller', async () => {
    const savedReport = await save()
    expect(savedReportOf(await resourceApp.ask('DELETE', `/statistics/saved/${savedReport.id}`))).toEqual(savedReport)
    expect((await resourceApp.ask('GET', `/statistics/${savedReport.id}`)).status).toBe(404)
  })
})

describe('GET /api/statistics/:id with the id of a saved report', () => {
  it('answers the figures of the saved query, whose keys the request replaces', async () => {
    const [region] = world.regions
    const { id } = await save({
      ...draft,
      query: { ...spring, interval: 'month', filters: { region: String(region) } },
    })
    const figures = (path: string) => resourceApp.read<ReportAnswer>(`/statistics/${path}`)
    const removeTimes = ({ data, meta: { data_through: _data, generated_at: _made, ...meta } }: ReportAnswer) => ({
      data,
      meta,
    })
    const sameFigures = await figures(
      `consultations?from=2025-03-01&to=2025-05-31&interval=month&filters[region]=${region}`,
    )
    expect(removeTimes(await figures(String(id)))).toEqual(removeTimes(sameFigures))
    expect((await figures(`${id}?interval=week`)).meta).toMatchObject({ ...spring, interval: 'week' })
    expect((await figures(`${id}?from=2025-04-01&to=2025-04-30`)).meta).toMatchObject({
      from: '2025-04-01',
      to: '2025-04-30',
    })
    expect((await figures(`${id}?period=last_month`)).meta.from).not.toBe(spring.from)
    const askedMetric = sameFigures.data.metrics.find(({ key }) => key === 'asked')
    const { count } = await resourceApp.read<{ count: number }>(`/statistics/${id}/records?metric=asked`)
    expect(count).toBe(askedMetric?.n)
  })

  it('counts a shared report with the rights of its reader', async () => {
    const key = 'consultants'
    const { id } = await save({ ...draft, key, shared_with: 'authenticated' })
    await buildRecord(resourceApp.database, 'consultations', {
      question: 'x',
      answer: 'y',
      consultant: consultant?.id,
      createdAt: '2025-04-02T08:00:00Z',
      answered_at: '2025-04-02T09:00:00Z',
    })
    const answer = await consultant?.ask('GET', `/statistics/${id}`)
    const { data } = (answer?.body ?? {}) as ReportAnswer
    expect(data.metrics.find((metric) => metric.key === 'answered')?.value).toBe(1)
    const narrowedReport = await save({
      ...draft,
      key,
      shared_with: 'authenticated',
      query: { filters: { consultant: String(consultant?.id) } },
    })
    expect(refusal(await consultant?.ask('GET', `/statistics/${narrowedReport.id}`))).toEqual([422, 'report.filter'])
  })

  it('answers 404 for a saved report that is not shared, or whose report the reader may not open', async () => {
    const ownReport = await save()
    const prices = await save({ ...draft, key: 'prices', shared_with: 'authenticated' })
    for (const path of [`${ownReport.id}`, `${ownReport.id}/records?metric=asked`, `${prices.id}`, '999999'])
      expect((await consultant?.ask('GET', `/statistics/${path}`))?.status).toBe(404)
    expect((await resourceApp.ask('GET', `/statistics/${ownReport.id}`, undefined, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('GET', `/statistics/${ownReport.id}`, undefined, 'public')).status).toBe(401)
  })
})

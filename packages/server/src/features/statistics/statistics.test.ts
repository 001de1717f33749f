import { type ReportAnswer, type ReportDefinition, wholeReport } from '@dala/model'
import { beforeAll, describe, expect, it } from 'vitest'
import reports from '../../seed/data/statistics.json' with { type: 'json' }
import { buildRecord } from '../../testing/factories.ts'
import { buildConsultant, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { daysBetween } from './days.ts'

const resourceApp = startResourceApp(async ({ database }) => {
  for (const report of reports.statistics) await buildRecord(database, 'statistics', report)
})
let consultant: TestPerson | undefined
beforeAll(async () => {
  consultant = await buildConsultant(resourceApp)
})
interface List {
  data: { id: number; attributes: { key: string; title: object; updated_at: string; updatedAt: string } }[]
  meta: { pagination: object }
  count?: number
}
const keys = ({ data }: List) => data.map(({ attributes }) => attributes.key)
const reportKeys = ['overview', 'consultations', 'consultants', 'content', 'prices', 'trading', 'learning', 'people']

describe('GET /api/statistics (contract §12)', () => {
  it('lists eight reports, in four languages', async () => {
    const list = await resourceApp.read<List>('/statistics')
    expect([keys(list), list.meta.pagination]).toEqual([reportKeys, { page: 1, pageSize: 15, pageCount: 1, total: 8 }])
    expect(list).not.toHaveProperty('count')
    for (const { attributes } of list.data) expect(Object.keys(attributes.title)).toEqual(['en', 'ru', 'uz', 'kaa'])
  })
  it.each([
    ['start=0&limit=3', reportKeys.slice(0, 3), { start: 0, limit: 3, total: 8 }],
    ['start=6', reportKeys.slice(6), { start: 6, limit: 15, total: 8 }],
    ['limit=2', reportKeys.slice(0, 2), { start: 0, limit: 2, total: 8 }],
    ['start=0&limit=15&filters[group]=market', ['prices', 'trading'], { start: 0, limit: 15, total: 2 }],
  ])('lists reports with the query %s', async (query, expected, pagination) => {
    const list = await resourceApp.read<List>(`/statistics?${query}`)
    expect([keys(list), list.meta.pagination, list.count]).toEqual([expected, pagination, pagination.total])
  })
  it.each(['start=x', 'limit=x', 'filters[bogus]=1', 'start=0&pagination[page]=x&limit=y'])(
    'refuses the query %s for reports as malformed',
    async (query) => {
      expect((await resourceApp.ask('GET', `/statistics?${query}`)).status).toBe(400)
    },
  )
  it('lists only the reports that the caller may open', async () => {
    const { body } = (await consultant?.ask('GET', '/statistics')) ?? {}
    expect(keys(body as List)).toEqual(['consultations', 'consultants'])
    expect((await resourceApp.ask('GET', '/statistics', undefined, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('GET', '/statistics', undefined, 'public')).status).toBe(401)
  })
})

describe('GET /api/statistics/:id', () => {
  it('finds a report by key and by id', async () => {
    const reportAnswer = await resourceApp.read<{ data: { id: number; attributes: { key: string } } }>(
      '/statistics/prices',
    )
    expect(reportAnswer.data.attributes.key).toBe('prices')
    const { data } = await resourceApp.read<typeof reportAnswer>(`/statistics/${reportAnswer.data.id}`)
    expect(data).toEqual(reportAnswer.data)
  })
  it.each(['/statistics/bogus', '/statistics/2000000000', '/statistics/0', '/statistics/99999999999'])(
    'returns 404 for the report %s',
    async (url) => {
      expect((await resourceApp.ask('GET', url)).status).toBe(404)
    },
  )
  it('returns 404 by key and by id for a report that a consultant may not open', async () => {
    const { data } = await resourceApp.read<{ data: { id: number } }>('/statistics/prices')
    for (const url of ['/statistics/prices', `/statistics/${data.id}`])
      expect((await consultant?.ask('GET', url))?.status).toBe(404)
    expect((await consultant?.ask('GET', '/statistics/consultants'))?.status).toBe(200)
  })
  it('explains each figure of a report in every language, with its formula', async () => {
    const { data } = await resourceApp.read<{ data: ReportDefinition[] }>('/statistics/consultations/definitions')
    expect(data.map(({ key }) => key)).toEqual(Object.keys(wholeReport('consultations').metrics))
    expect(data.find(({ key }) => key === 'within_target')?.formula).toBe('share(due)')
    for (const { title, text } of data)
      for (const definitionText of [...Object.values(title), ...Object.values(text)])
        expect(definitionText).toMatch(/\p{L}/u)
    expect((await consultant?.ask('GET', '/statistics/overview/definitions'))?.status).toBe(404)
    expect((await resourceApp.ask('GET', '/statistics/bogus/definitions')).status).toBe(404)
  })
  it('reports today against the same day a week before, and a quarter of whole months', async () => {
    const { meta } = await resourceApp.read<ReportAnswer>('/statistics/overview?period=today&compare=weekday')
    expect([meta.from, daysBetween(meta.compare_from ?? '', meta.from)]).toEqual([meta.to, 7])
    const quarter = await resourceApp.read<ReportAnswer>('/statistics/overview?period=quarter')
    expect([quarter.meta.from.slice(8), daysBetween(quarter.meta.from, quarter.meta.to)]).toEqual([
      '01',
      expect.toSatisfy((days: number) => days >= 89 && days <= 91),
    ])
  })
  it.each([
    ['from=x', 'report.date'],
    ['from=2026-02-29', 'report.date'],
    ['to=2026-13-01', 'report.date'],
    ['from=2026-02-02&to=2026-02-01', 'report.order'],
    ['from=2020-01-01&to=2025-01-01', 'report.range'],
    ['interval=hour', 'report.choice'],
    ['compare=month', 'report.choice'],
    ['period=days5', 'report.choice'],
    ['filters[region]=x', 'report.filter'],
    ['filters[region][$gt]=1', 'report.filter'],
    ['filters[bogus]=1', 'report.filter'],
    ['filters[district]=ru', 'report.filter'],
    ['filters[type]=1', 'report.filter'],
    ['filters[locale]=ru', 'report.filter'],
    ['filters[consultant]=1', 'report.filter'],
    ['filters=1', 'report.filter'],
  ])('refuses the query %s of a report with the code %s', async (query, code) => {
    expect(await resourceApp.ask('GET', `/statistics/overview?${query}`)).toMatchObject({
      status: 422,
      body: { error: { code } },
    })
  })
  it.each(['de', '1', 'RU', '[$ne]=ru'])('refuses the value %s of the filter by language', async (value) => {
    const condition = value.startsWith('[') ? `filters[locale]${value}` : `filters[locale]=${value}`
    expect(await resourceApp.ask('GET', `/statistics/people?${condition}`)).toMatchObject({
      status: 422,
      body: { error: { code: 'report.filter' } },
    })
    expect((await resourceApp.ask('GET', '/statistics/people?filters[locale]=ru')).status).toBe(200)
  })
  it.each([
    'from=2020-01-02&to=2025-01-01',
    'from=2024-02-29&to=2024-02-29&compare=year&interval=week',
    'filters[region]=999999',
    'filters[region]=1&filters[district]=999999',
    'filters[region][$eq]=1',
    'from=&to=&interval=&filters[region]=',
    'period=year&interval=month',
  ])('accepts the query %s of a report', async (query) => {
    expect((await resourceApp.ask('GET', `/statistics/overview?${query}`)).status).toBe(200)
  })
  it.each(reportKeys)('computes the report %s in at most six statements besides the session', async (key) => {
    let statements = 0
    const stopCounting = resourceApp.database.onStatement(() => (statements += 1))
    await resourceApp.read(`/statistics/${key}`)
    stopCounting()
    // The session of the caller and its rights take further statements besides those of the report.
    expect(statements).toBeLessThanOrEqual(8)
  })
  it('returns a report with headers that forbid shared caches', async () => {
    const answer = await consultant?.ask('GET', '/statistics/consultants')
    expect(answer?.headers['cache-control']).toBe('private, no-cache')
  })
  it('shows consultants their own figures beside the median of the team', async () => {
    const otherConsultant = await buildConsultant(resourceApp)
    const [thirdConsultant, fourthConsultant, fifthConsultant] = [
      await buildConsultant(resourceApp),
      await buildConsultant(resourceApp),
      await buildConsultant(resourceApp),
    ]
    const answeredDraft = {
      question: 'x',
      answer: 'y',
      createdAt: '2025-04-01T08:00:00Z',
      answered_at: '2025-04-01T09:00:00Z',
    }
    for (const person of [consultant?.id, otherConsultant.id, otherConsultant.id, otherConsultant.id])
      await buildRecord(resourceApp.database, 'consultations', { ...answeredDraft, consultant: person })
    const readReport = async (person: TestPerson | undefined, key: string) =>
      ((await person?.ask('GET', `/statistics/${key}?from=2025-04-01&to=2025-04-30`))?.body ?? {}) as ReportAnswer
    const smallTeam = await readReport(consultant, 'consultants')
    expect(smallTeam.data.breakdowns.map(({ team }) => team)).toEqual(smallTeam.data.breakdowns.map(() => null))
    for (const person of [thirdConsultant, thirdConsultant, fourthConsultant, fourthConsultant, fifthConsultant])
      await buildRecord(resourceApp.database, 'consultations', { ...answeredDraft, consultant: person.id })
    const { data } = await readReport(consultant, 'consultants')
    expect(data.metrics.find(({ key }) => key === 'answered')?.value).toBe(1)
    expect(data.breakdowns[0]).toMatchObject({ rows: [{ id: consultant?.id, value: 1 }], not_set: null, team: 2 })
    for (const { rows, not_set } of data.breakdowns.filter(({ dim }) => dim === 'consultant')) {
      expect(not_set).toBeNull()
      expect(rows.every(({ id }) => id === consultant?.id)).toBe(true)
    }
    // The tables of a report by channel contain only the consultant's own cases too.
    expect(data.breakdowns.find(({ dim }) => dim === 'desk')?.rows.map(({ n }) => n)).toEqual([1, 0])
    // The report limits figures of questions to the consultant's own list.
    const { data: questions } = await readReport(consultant, 'consultations')
    expect(questions.metrics.find(({ key }) => key === 'asked')?.value).toBe(1)
    expect((await readReport(otherConsultant, 'consultations')).data.metrics[0]?.value).toBe(3)
  })
  it.each(['consultants', 'consultations'])(
    'refuses to filter the report %s by consultant for a consultant',
    async (key) => {
      const colleague = await buildConsultant(resourceApp)
      for (const id of [colleague.id, consultant?.id])
        expect(await consultant?.ask('GET', `/statistics/${key}?filters[consultant]=${id}`)).toMatchObject({
          status: 422,
          body: { error: { code: 'report.filter' } },
        })
      expect((await resourceApp.ask('GET', `/statistics/${key}?filters[consultant]=${colleague.id}`)).status).toBe(200)
    },
  )
  it.each([
    ['POST', '/statistics'],
    ['PUT', '/statistics/1'],
    ['DELETE', '/statistics/1'],
    ['POST', '/statistics/1/restore'],
  ] as const)('returns 404 to the write %s %s', async (method, url) => {
    for (const role of ['owner', 'admin', 'authenticated', 'public'] as const)
      expect(
        (await resourceApp.ask(method, url, method === 'DELETE' ? undefined : { data: { key: 'x' } }, role)).status,
      ).toBe(404)
  })
})

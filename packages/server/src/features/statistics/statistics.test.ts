import { beforeAll, describe, expect, it } from 'vitest'
import reports from '../../seed/data/statistics.json' with { type: 'json' }
import { build } from '../../testing/factories.ts'
import { buildConsultant, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const here = startResourceApp(async ({ database }) => {
  for (const report of reports.statistics) await build(database, 'statistics', report)
})
let consultant: TestPerson | undefined
beforeAll(async () => {
  consultant = await buildConsultant(here)
})
interface List {
  data: { id: number; attributes: { key: string; title: object; updated_at: string; updatedAt: string } }[]
  meta: { pagination: object }
  count?: number
}
const keys = ({ data }: List) => data.map(({ attributes }) => attributes.key)
const all = ['overview', 'consultations', 'consultants', 'content', 'prices', 'trading', 'learning', 'people']

describe('the list of reports (contract §12)', () => {
  it('has the eight, in four languages', async () => {
    const list = await here.read<List>('/statistics')
    expect([keys(list), list.meta.pagination]).toEqual([all, { page: 1, pageSize: 15, pageCount: 1, total: 8 }])
    expect(list).not.toHaveProperty('count')
    for (const { attributes } of list.data) expect(Object.keys(attributes.title)).toEqual(['en', 'ru', 'uz', 'kaa'])
  })
  it.each([
    ['start=0&limit=3', all.slice(0, 3), { start: 0, limit: 3, total: 8 }],
    ['start=6', all.slice(6), { start: 6, limit: 15, total: 8 }],
    ['limit=2', all.slice(0, 2), { start: 0, limit: 2, total: 8 }],
    ['start=0&limit=15&filters[group]=market', ['prices', 'trading'], { start: 0, limit: 15, total: 2 }],
  ])('counts with %s', async (query, wanted, pagination) => {
    const list = await here.read<List>(`/statistics?${query}`)
    expect([keys(list), list.meta.pagination, list.count]).toEqual([wanted, pagination, pagination.total])
  })
  it.each(['start=x', 'limit=x', 'filters[bogus]=1', 'start=0&pagination[page]=x&limit=y'])(
    '%s is malformed',
    async (query) => {
      expect((await here.ask('GET', `/statistics?${query}`)).status).toBe(400)
    },
  )
  it('is of what one may open', async () => {
    const { body } = (await consultant?.ask('GET', '/statistics')) ?? {}
    expect(keys(body as List)).toEqual(['consultations', 'consultants'])
    expect((await here.ask('GET', '/statistics', undefined, 'authenticated')).status).toBe(403)
    expect((await here.ask('GET', '/statistics', undefined, 'public')).status).toBe(401)
  })
})

describe('one report', () => {
  it('is found by its key and by its id', async () => {
    const byKey = await here.read<{ data: { id: number; attributes: { key: string } } }>('/statistics/prices')
    expect(byKey.data.attributes.key).toBe('prices')
    expect(await here.read(`/statistics/${byKey.data.id}`)).toEqual(byKey)
  })
  it.each(['/statistics/bogus', '/statistics/2000000000', '/statistics/0', '/statistics/99999999999'])(
    '%s is 404',
    async (url) => {
      expect((await here.ask('GET', url)).status).toBe(404)
    },
  )
  it('that a consultant may not open is 404 by either', async () => {
    const { data } = await here.read<{ data: { id: number } }>('/statistics/prices')
    for (const url of ['/statistics/prices', `/statistics/${data.id}`])
      expect((await consultant?.ask('GET', url))?.status).toBe(404)
    expect((await consultant?.ask('GET', '/statistics/consultants'))?.status).toBe(200)
  })
  it.each([
    ['POST', '/statistics'],
    ['PUT', '/statistics/1'],
    ['DELETE', '/statistics/1'],
    ['POST', '/statistics/1/restore'],
  ] as const)('cannot be written: %s %s is 404', async (method, url) => {
    for (const role of ['owner', 'admin', 'authenticated', 'public'] as const)
      expect((await here.ask(method, url, method === 'DELETE' ? undefined : { data: { key: 'x' } }, role)).status).toBe(
        404,
      )
  })
})

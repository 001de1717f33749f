import { sql } from '../../db/sql.ts'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { buildRegion } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const count = 32
const resourceApp = startResourceApp(async ({ database }) => {
  for (let index = 1; index <= count; index += 1)
    await buildRegion(database, { code: String(1_000 + index), order: index % 2 })
})

interface List {
  data: { id: number }[]
  meta: { pagination: Record<string, number> }
}
const list = (query: string) => resourceApp.read<List>(`/regions?fields=code&${query}`)

describe('a cached total', () => {
  it('counts a cached total again after a minute without a notification of a change', async () => {
    const total = async () => (await list('filters[code][$startsWith]=9')).meta.pagination.total
    expect(await total()).toBe(0)
    const id = await buildRegion(resourceApp.database, { code: '9001' })
    expect(await total()).toBe(1)
    await resourceApp.database.query(
      sql`delete from regions where id in (select document_id from regions_texts where id = ${id})`,
    )
    expect(await total()).toBe(1)
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
    expect(await total()).toBe(0)
    clock.mockRestore()
  })
})

describe('pages (contract §5)', () => {
  it.each<[query: string, rows: number, pagination: Record<string, number>]>([
    ['', 15, { page: 1, pageSize: 15, pageCount: 3, total: count }],
    ['pagination[page]=2', 15, { page: 2, pageSize: 15, pageCount: 3, total: count }],
    ['pagination[page]=3', 2, { page: 3, pageSize: 15, pageCount: 3, total: count }],
    ['pagination[page]=4', 0, { page: 4, pageSize: 15, pageCount: 3, total: count }],
    ['pagination[pageSize]=8', 8, { page: 1, pageSize: 8, pageCount: 4, total: count }],
    ['pagination[pageSize]=500', count, { page: 1, pageSize: 100, pageCount: 1, total: count }],
    ['pagination[pageSize]=0', 1, { page: 1, pageSize: 1, pageCount: 32, total: count }],
    ['pagination[pageSize]=-3', 1, { page: 1, pageSize: 1, pageCount: 32, total: count }],
    ['pagination[page]=0', 15, { page: 1, pageSize: 15, pageCount: 3, total: count }],
    ['pagination[page]=-1', 15, { page: 1, pageSize: 15, pageCount: 3, total: count }],
    ['pagination[start]=30', 2, { start: 30, limit: 15, total: count }],
    ['pagination[limit]=4', 4, { start: 0, limit: 4, total: count }],
    ['pagination[start]=10&pagination[limit]=5', 5, { start: 10, limit: 5, total: count }],
    ['pagination[limit]=-1', count, { start: 0, limit: 100, total: count }],
    ['pagination[limit]=500', count, { start: 0, limit: 100, total: count }],
    ['pagination[start]=-5', 15, { start: 0, limit: 15, total: count }],
    ['pagination[withCount]=false', 15, { page: 1, pageSize: 15 }],
    ['pagination[withCount]=0&pagination[limit]=2', 2, { start: 0, limit: 2 }],
    ['pagination[withCount]=true', 15, { page: 1, pageSize: 15, pageCount: 3, total: count }],
    ['filters[code]=none', 0, { page: 1, pageSize: 15, pageCount: 0, total: 0 }],
    ['pagination[start]=100000', 0, { start: 100_000, limit: 15, total: count }],
    ['pagination%5Bpage%5D=3&', 2, { page: 3, pageSize: 15, pageCount: 3, total: count }],
  ])('answers the page query "%s" with %i rows', async (query, rows, pagination) => {
    const { data, meta } = await list(query)
    expect(data).toHaveLength(rows)
    expect(meta).toEqual({ pagination })
  })

  it.each([
    'pagination[page]=abc',
    'pagination[pageSize]=1.5',
    'pagination[limit]=ten',
    'pagination[start]=',
    'pagination[page]=1&pagination[start]=0',
    'pagination[pageSize]=10&pagination[limit]=10',
    'pagination[start]=100001',
    'pagination[page]=100000&pagination[pageSize]=100',
    'pagination[page]=99999999999999999999',
    'pagination[page][a]=1',
    'pagination[withCount]=maybe',
    'pagination=5',
  ])('refuses the page query "%s"', async (query) => {
    expect(await resourceApp.ask('GET', `/regions?${query}`)).toMatchObject({
      status: 400,
      body: { data: null, error: { name: 'ValidationError' } },
    })
  })
})

describe('the order of pages', () => {
  let ids: number[]
  beforeAll(async () => {
    ids = (await list('pagination[limit]=-1')).data.map(({ id }) => id)
  })

  it('orders pages by id without a sort', () => {
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })
  it('leaves the order of pages unchanged when rows change', async () => {
    await resourceApp.ask('PUT', `/regions/${ids[0]}`, { data: { iso: 'X' } })
    expect((await list('pagination[limit]=-1')).data.map(({ id }) => id)).toEqual(ids)
  })
  it.each(['asc', 'desc'])('breaks ties of a sort by id: %s', async (direction) => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => list(`sort=order:${direction}&pagination[pageSize]=8&pagination[page]=${page}`)),
    )
    const seenIds = pages.flatMap(({ data }) => data.map(({ id }) => id))
    const halfOfIds = (remainder: number) => ids.filter((_, index) => (index + 1) % 2 === remainder)
    expect(seenIds).toEqual(
      direction === 'asc' ? [...halfOfIds(0), ...halfOfIds(1)] : [...halfOfIds(1), ...halfOfIds(0)],
    )
  })
})

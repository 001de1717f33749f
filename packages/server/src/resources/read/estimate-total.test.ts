import { afterAll, describe, expect, it, vi } from 'vitest'
import { startResourceApp } from '../../testing/resource-app.ts'

/** More rows than the limit for counting a list whose texts are searched. */
const rows = 21_000
const name = `case when n % 3 = 0 then 'common ' when n % 700 = 1 then 'few ' when n in (5, 50, 500) then 'seldom ' else 'other ' end || n`
const resourceApp = startResourceApp(async ({ database }) => {
  await database.session((session) =>
    session.script(`
      set statement_timeout = 0; set session_replication_role = replica;
      insert into tags (id, source_locale, color) overriding system value
        select n, 'en', case when n % 2 = 0 then '#000000' else '#ffffff' end from generate_series(1, ${rows}) n;
      insert into tags_texts (id, document_id, locale, name) overriding system value
        select n, n, 'en', ${name} from generate_series(1, ${rows}) n;
      set session_replication_role = origin; set statement_timeout = 5000;
      analyze tags; analyze tags_texts;`),
  )
  // After a minute the sizes of tables are read again.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
})
afterAll(() => {
  vi.restoreAllMocks()
})

interface List {
  data: { id: number }[]
  meta: { pagination: { start: number; limit: number; total: number; estimated?: true } }
}
const list = async (query: string) => {
  const { data, meta } = await resourceApp.read<List>(`/tags?fields=name&${query}`)
  return { ids: data.map(({ id }) => id), pagination: meta.pagination }
}
const thirdIds = (startIndex: number) => Array.from({ length: 15 }, (_, index) => (startIndex + index + 1) * 3)

describe('the total of a long list', () => {
  it.each([
    ['a piece of a text', 'filters[name][$containsi]=common'],
    ['a search', '_q=common'],
    ['alternatives', 'filters[$or][0][name][$contains]=common&filters[$or][1][name][$contains]=nowhere'],
  ])('estimates the total of a list where many rows match %s, and returns a correct page', async (_what, query) => {
    for (const start of [0, 3_000]) {
      const { ids, pagination } = await list(`${query}&pagination[start]=${start}&pagination[limit]=15`)
      expect(ids).toEqual(thirdIds(start))
      expect(pagination).toEqual({ start, limit: 15, total: pagination.total, estimated: true })
      expect(Math.abs(pagination.total - 7_000)).toBeLessThan(1_400)
    }
  })

  it('offers another page after each full one, and returns an exact total from the last page on', async () => {
    const query = 'filters[name][$contains]=common&sort=name'
    const fullPage = await list(`${query}&pagination[start]=6980&pagination[limit]=15`)
    expect(fullPage.ids).toHaveLength(15)
    expect(fullPage.pagination.total).toBeGreaterThan(6_995)
    const emptyPage = await list(`${query}&pagination[start]=20000`)
    expect(emptyPage.ids).toEqual([])
    expect(emptyPage.pagination).toMatchObject({ estimated: true })
    const lastPage = await list(`${query}&pagination[start]=6995&pagination[limit]=15`)
    expect(lastPage.ids).toHaveLength(5)
    expect(lastPage.pagination).toEqual({ start: 6_995, limit: 15, total: 7_000 })
    expect((await list(`${query}&pagination[start]=0`)).pagination).toEqual({ start: 0, limit: 15, total: 7_000 })
  })

  it.each([
    ['filters[name][$containsi]=few', 20],
    ['_q=few', 20],
    ['filters[name][$containsi]=seldom', 3],
    ['_q=seldom', 3],
    ['filters[name][$containsi]=nowhere', 0],
    ['filters[color]=%23000000', rows / 2],
    ['sort=name', rows],
  ])('returns for the query "%s" the exact total of %i', async (query, total) => {
    expect((await list(`${query}&pagination[start]=0`)).pagination).toEqual({ start: 0, limit: 15, total })
  })

  it('returns the number of pages of the estimated total', async () => {
    const { meta } = await resourceApp.read<{ meta: { pagination: { pageCount: number; total: number } } }>(
      '/tags?_q=common',
    )
    const { pageCount, total } = meta.pagination
    expect(meta.pagination).toMatchObject({ page: 1, pageSize: 15, estimated: true })
    expect(pageCount).toBe(Math.ceil(total / 15))
  })
})

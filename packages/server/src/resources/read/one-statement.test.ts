import { describe, expect, it } from 'vitest'
import { statementsOf } from '../../testing/statements.ts'
import { buildNews, buildRegion, buildTag, buildUpload } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  ids.region = await buildRegion(database, { name: 'R' })
  ids.tag = await buildTag(database, { name: 'T' })
  const image = await buildUpload(database)
  for (let index = 0; index < 20; index += 1)
    await buildNews(database, { region: ids.region, tags: [ids.tag], image, gallery: [image] })
})

interface List {
  data: unknown[]
  meta: { pagination: { total: number } }
}
/** Returns the statements of a request, without the look-up of its session. */
const statements = async (url: string) =>
  (await statementsOf(resourceApp.database, () => resourceApp.read(url))).filter((text) => !/\bsessions\b/.test(text))

describe('one statement for one request (decision 5)', () => {
  const list = '/news?populate=region,tags,image&sort=date:desc&locale=en'
  it.each([
    ['a list with its total', list],
    ['the same list with its cached total', list],
    ['another page', `${list}&pagination[page]=2`],
    ['a list without a total', `${list}&pagination[withCount]=false`],
    [
      'every relation, three levels deep',
      '/news?populate[region][populate]=districts&populate[tags][populate][news][populate]=*&populate=*',
    ],
    [
      'a fallback list filtered through relations',
      '/news?locale=ru&fallback=true&filters[tags][name]=T&filters[region][name][$containsi]=r&populate=*',
    ],
    ['accounts', '/users?populate=*&start=0&limit=15'],
  ])('reads from the database with one statement: %s', async (_what, url) => {
    expect(await statements(url)).toHaveLength(1)
  })
  it('reads with one statement the twenty relations that a query may name, down to the fourth level', async () => {
    const twentyRelations = [
      '[image][populate]=owner',
      '[gallery][populate]=owner',
      '[localizations][populate]=region,tags',
      '[tags][populate][localizations]=true',
      '[tags][populate][news][populate]=image,gallery,tags,region,localizations',
      '[region][populate][localizations]=true',
      '[region][populate][districts][populate]=region,localizations',
    ]
    const query = `/news?${twentyRelations.map((node) => `populate${node}`).join('&')}`
    expect(await statements(query)).toHaveLength(1)
    const { status } = await resourceApp.ask('GET', `${query}&populate[localizations][populate]=region,tags,image`)
    expect(status).toBe(400)
  })
  it('reads with one statement a search for numbers and all spellings of a word', async () => {
    expect(await statements('/news?_q=12&locale=ru&fallback=true&populate=*')).toHaveLength(1)
    expect(await statements('/news?_q=yongʻoq&filters[tags][name]=T&sort=region.name')).toHaveLength(1)
  })
  it('reads with one statement a record with its relations', async () => {
    const { data } = await resourceApp.read<{ data: { id: number }[] }>('/news?fields=title')
    expect(await statements(`/news/${data[0]?.id}?populate=*`)).toHaveLength(1)
  })
  it('returns 15 records of a list and the total of all', async () => {
    const { data, meta } = await resourceApp.read<List>(list)
    expect([data.length, meta.pagination.total]).toEqual([15, 20])
  })
})

describe('totals after writes', () => {
  const total = async (query: string) => (await resourceApp.read<List>(`/news?${query}`)).meta.pagination.total
  it('updates cached totals after creates, changes and deletes of the listed resource', async () => {
    const query = 'filters[kind]=event'
    expect(await total(query)).toBe(0)
    const id = await buildNews(resourceApp.database, { kind: 'event' })
    expect(await total(query)).toBe(1)
    await resourceApp.ask('PUT', `/news/${id}`, { data: { kind: 'news' } })
    expect(await total(query)).toBe(0)
    await resourceApp.ask('PUT', `/news/${id}`, { data: { kind: 'event' } })
    expect(await total(query)).toBe(1)
    await resourceApp.ask('DELETE', `/news/${id}`)
    expect(await total(query)).toBe(0)
  })
  it('updates cached totals after changes of the related records in their filters', async () => {
    const region = await buildRegion(resourceApp.database, { name: 'Far' })
    const tag = await buildTag(resourceApp.database, { name: 'Rare' })
    const id = await buildNews(resourceApp.database, { region })
    const [byRegion, byTag, withoutRegion] = [
      'filters[region][name]=Near',
      'filters[tags][name]=Rare',
      'filters[region][$null]=true',
    ]
    expect([await total(byRegion), await total(byTag), await total(withoutRegion)]).toEqual([0, 0, 0])
    await resourceApp.ask('PUT', `/regions/${region}`, { data: { name: 'Near' } })
    await resourceApp.ask('PUT', `/tags/${tag}`, { data: { news: [id] } })
    expect([await total(byRegion), await total(byTag)]).toEqual([1, 1])
    await resourceApp.ask('DELETE', `/regions/${region}`)
    expect([await total(byRegion), await total(withoutRegion)]).toEqual([0, 1])
    await resourceApp.ask('DELETE', `/tags/${tag}`)
    expect(await total(byTag)).toBe(0)
  })
  it('counts the total of a whole list again after an added or deleted record, not after an edit', async () => {
    const counts = async () =>
      (await statements('/news?fields=title')).filter((text) => text.includes('count(*)')).length
    const id = await buildNews(resourceApp.database)
    expect([await counts(), await counts()]).toEqual([1, 0])
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'edited', active: false } })
    expect(await counts()).toBe(0)
    await resourceApp.ask('DELETE', `/news/${id}`)
    expect(await counts()).toBe(1)
  })
  it('counts the total of a list once for concurrent requests', async () => {
    await buildNews(resourceApp.database, { title: 'asked for by many' })
    const urls = ['', '&fields=title', '&fields=views'].map(
      (fields) => `/news?filters[title]=asked for by many${fields}`,
    )
    const seenStatements: string[] = []
    const end = resourceApp.database.onStatement((text) => seenStatements.push(text))
    const lists = await Promise.all(urls.map((url) => resourceApp.read<List>(url)))
    end()
    expect(lists.map(({ meta }) => meta.pagination.total)).toEqual([1, 1, 1])
    expect(seenStatements.filter((text) => text.includes('count(*)'))).toHaveLength(1)
  })
  it('caches the totals of a list separately for each set of visible records', async () => {
    await buildNews(resourceApp.database, { title: 'hidden', active: false })
    const as = async (role: 'admin' | 'authenticated') =>
      ((await resourceApp.ask('GET', '/news?filters[title]=hidden', undefined, role)).body as List).meta.pagination
        .total
    expect([await as('admin'), await as('authenticated'), await as('admin')]).toEqual([1, 0, 1])
  })
})

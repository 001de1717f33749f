/** Contract §6 and checklist §3: the values of operators, and every limit of a query at its edge. */
import { describe, expect, it } from 'vitest'
import { buildRecord, buildDistrict, buildNews, buildRegion, buildTag, buildTranslation } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  ids.region = await buildRegion(database, { name: 'Navoiy', code: '1712' })
  ids.tag = await buildTag(database, { name: 'T' })
  ids.a = await buildNews(database, { title: 'Alpha', views: 1, region: ids.region, tags: [ids.tag] })
  ids.b = await buildNews(database, { title: 'beta', views: 2, link: 'https://example.org/b' })
  ids.c = await buildNews(database, { title: 'GAMMA', views: 3, kind: 'event' })
})
interface List {
  data: { id: number; attributes: Record<string, unknown> }[]
  meta: { pagination: { total: number } }
}
const findTitles = async (query: string) => {
  const { data } = await resourceApp.read<List>(`/news?${query}`)
  return data.map(({ id }) => ['a', 'b', 'c'].find((name) => ids[name] === id)).join('')
}
const status = async (query: string) => (await resourceApp.ask('GET', `/news?${query}`)).status
const repeatText = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join('&')

const or = (count: number, write: (index: number) => string) =>
  repeatText(count, (index) => `filters[$or][${index}]${write(index)}`)

describe('operators', () => {
  it.each([
    ['filters[title][$notIn]=Alpha', 'bc'],
    ['filters[title][$in]=Alpha', 'a'],
    ['filters[title][$between][0]=A&filters[title][$between][1]=B', 'a'],
    ['filters[link][$nei]=https://example.org/c', 'b'],
    ['filters[$and][0][title]=Alpha', 'a'],
    ['filters[views][$gt]=1&filters[views][$lt]=3&filters[kind]=news', 'b'],
    ['filters[region][name][$not][$contains]=x', 'a'],
    ['filters[tags][$notNull]=true', 'a'],
    ['filters[tags][$notNull]=false', 'bc'],
    ['filters[createdAt][$gte]=2020-01-01', 'abc'],
    ['filters[createdAt][$between][0]=2020-01-01T00:00:00.000Z&filters[createdAt][$between][1]=2100-01-01', 'abc'],
    ['filters[active]=false', ''],
    ['filters[active][$ne]=false', 'abc'],
    ['filters[title]_eq=Alpha', 'a'],
    ['filters[title][$eqi][0]=ALPHA&filters[title][$eqi][1]=Beta', 'ab'],
    ['filters[title][$nei][0]=ALPHA&filters[title][$nei][1]=Beta', 'c'],
  ])('finds by the query "%s" the records "%s"', async (query, letters) => {
    expect(await findTitles(query)).toBe(letters)
  })
  it('ignores case in the letters of all four languages in operators', async () => {
    for (const [storedText, typedText] of [
      ['ЎҚҒҲ', 'ўқғҳ'],
      ['Oʻzbekiston', 'OʻZBEKISTON'],
      ['Ǵárezsiz Úrgenish', 'ǵÁREZSIZ úrgenish'],
      ['Ёлка Щука', 'ёЛКА щУКА'],
      ['Éclair', 'éCLAIR'],
    ] as const) {
      const id = await buildNews(resourceApp.database, { title: storedText })
      for (const operator of ['$eqi', '$containsi', '$startsWithi', '$endsWithi']) {
        const { data } = await resourceApp.read<List>(
          `/news?filters[title][${operator}]=${encodeURIComponent(typedText)}`,
        )
        expect([operator, typedText, data.map((entry) => entry.id)]).toEqual([operator, typedText, [id]])
      }
      await resourceApp.ask('DELETE', `/news/${id}`)
    }
  })
  it('compares a numeric search with numbers as well as texts', async () => {
    expect(await findTitles('_q=3')).toBe('c')
    expect(await findTitles('_q=ALPH')).toBe('a')
  })
})

describe('encodings that clients send', () => {
  const encodedQuery = 'filters%5B%24or%5D%5B0%5D%5Btitle%5D%5B%24eqi%5D=alpha&filters%5B%24or%5D%5B1%5D%5Bviews%5D=2'
  it.each([
    [encodedQuery, 'ab'],
    [`${encodedQuery}&`, 'ab'],
    [encodedQuery.replaceAll('%5B', '[').replaceAll('%5D', ']'), 'ab'],
    ['filters[title][$eq]=%41lpha', 'a'],
    ['sort=kind:asc,views:desc', 'cba'],
    ['sort=kind%3Aasc%2Cviews%3Adesc&', 'cba'],
    ['bogus=1&_start=0&_end=10&publicationState=live', 'abc'],
    [
      'filters[$or][0][$and][0][$or][0][region][name][$eq]=Navoiy&filters[$or][1][$and][0][$or][0][views][$in][0]=3',
      'ac',
    ],
  ])('finds by the encoded query "%s" the records "%s"', async (query, letters) => {
    expect(await findTitles(query)).toBe(letters)
  })
  it('finds 100 ids in one query, on a page of 100', async () => {
    const list = repeatText(97, (index) => `filters[id][$in][${index + 3}]=${100_000 + index}`)
    const ownIdFilters = [ids.a, ids.b, ids.c].map((id, index) => `filters[id][$in][${index}]=${id}`).join('&')
    expect(await findTitles(`${ownIdFilters}&${list}&pagination[pageSize]=100`)).toBe('abc')
  })
})

describe('limits at their edge and one above', () => {
  it.each<[what: string, within: string, above: string]>([
    ['8 KB', `x=${'a'.repeat(8_190)}`, `x=${'a'.repeat(8_191)}`],
    ['12 brackets', `x${'[a]'.repeat(12)}=1`, `x${'[a]'.repeat(13)}=1`],
    ['300 parameters', repeatText(300, (index) => `x${index}=1`), repeatText(301, (index) => `x${index}=1`)],
    ['100 values', repeatText(100, () => 'filters[id][$in]=1'), repeatText(101, () => 'filters[id][$in]=1')],
    ['30 conditions', or(30, (index) => `[views]=${index}`), or(31, (index) => `[views]=${index}`)],
    ['30 with an operator', or(30, (index) => `[views][$eq]=${index}`), or(31, (index) => `[views][$eq]=${index}`)],
    ['30 by link', or(30, (index) => `[region][$ne]=${index}`), or(31, (index) => `[region][$ne]=${index}`)],
    ['5 sorts', 'sort=title,views,kind,date,id', 'sort=title,views,kind,date,id,link'],
    ['5 sorts in a list', repeatText(5, () => 'sort[]=id'), repeatText(6, () => 'sort[]=id')],
    ['5 relations deep', 'populate=tags.news.tags.news.tags', 'populate=tags.news.tags.news.tags.news'],
  ])('accepts a query at its limit and refuses one above: %s', async (_what, acceptedQuery, refusedQuery) => {
    expect([await status(acceptedQuery), await status(refusedQuery)]).toEqual([200, 400])
  })
  it('accepts a body at its limits and refuses one above: 1 MB, 32 levels, 1,000 keys', async () => {
    const post = async (data: unknown) => (await resourceApp.ask('POST', '/products', { data })).status
    const nestedValue = (depth: number): unknown => (depth === 0 ? 1 : [nestedValue(depth - 1)])
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
    // The keys `data` and `name` of the body add two levels or keys.
    expect([
      await post({ name: 'P', aliases: nestedValue(30) }),
      await post({ name: 'P', aliases: nestedValue(31) }),
    ]).toEqual([200, 400])
    expect([await post({ name: 'P', aliases: keys(997) }), await post({ name: 'P', aliases: keys(998) })]).toEqual([
      200, 400,
    ])
    expect([
      await post({ name: 'P', x: 'a'.repeat(1_048_500) }),
      await post({ name: 'P', x: 'a'.repeat(1_048_576) }),
    ]).toEqual([200, 413])
  })
})

describe('fields and populate of writes', () => {
  it('applies fields and populate to the answers of POST, PUT, DELETE and restore', async () => {
    const query = 'fields=title&populate[region][fields]=name'
    const shownMeta = {
      meta: {},
      data: {
        id: expect.any(Number) as number,
        attributes: { title: 'T', region: { data: { id: ids.region, attributes: { name: 'Navoiy' } } } },
      },
    }
    const createdAnswer = await resourceApp.ask('POST', `/news?${query}`, { data: { title: 'T', region: ids.region } })
    const { id } = (createdAnswer.body as { data: { id: number } }).data
    for (const answer of [
      createdAnswer,
      await resourceApp.ask('PUT', `/news/${id}?${query}`, { data: { views: 3 } }),
      await resourceApp.ask('DELETE', `/news/${id}?${query}`),
      await resourceApp.ask('POST', `/news/${id}/restore?${query}`),
    ]) {
      expect(answer).toEqual({ status: 200, body: shownMeta })
    }
  })
  it.each(['fields=bogus', 'populate=tags.news.tags.news.tags.news'])(
    'refuses a write with the query "%s" before anything is written',
    async (query) => {
      const total = async () => (await resourceApp.read<List>('/news')).meta.pagination.total
      const totalBefore = await total()
      expect((await resourceApp.ask('POST', `/news?${query}`, { data: { title: 'T' } })).status).toBe(400)
      expect((await resourceApp.ask('DELETE', `/news/${ids.c}?${query}`)).status).toBe(400)
      expect(await total()).toBe(totalBefore)
    },
  )
})

describe('a list without languages', () => {
  it('shows linked records of a list without languages in the requested language', async () => {
    const region = await buildRegion(resourceApp.database, { name: 'Buxoro' })
    const district = await buildDistrict(resourceApp.database, { name: 'Olot', region })
    await buildTranslation(resourceApp.database, 'districts', district, 'ru', { name: 'Алат' })
    const unit = await buildRecord(resourceApp.database, 'units', { name: { en: 'kg' } })
    const product = await buildRecord(resourceApp.database, 'products', { name: 'P' })
    const pricedate = await buildRecord(resourceApp.database, 'pricedates', { date: '2026-01-05' })
    await buildRecord(resourceApp.database, 'pricelists', { product, district, unit, pricedate, price: 5 })
    const readTitles = async (query: string) => {
      const { data } = await resourceApp.read<List>(`/pricelists?populate[district][fields]=name${query}`)
      const [{ attributes }] = data as [List['data'][0]]
      return (attributes.district as { data: { attributes: { name: string } } }).data.attributes.name
    }
    expect([await readTitles(''), await readTitles('&locale=ru'), await readTitles('&locale=kaa')]).toEqual([
      'Olot',
      'Алат',
      'Olot',
    ])
  })
})

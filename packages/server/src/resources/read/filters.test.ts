import { describe, expect, it } from 'vitest'
import { buildRecord, buildNews, buildRegion, buildTag, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  ids.region = await buildRegion(database, { name: 'Navoiy', code: '1712' })
  ids.regionRu = await buildTranslation(database, 'regions', ids.region, 'ru', { name: 'Навои' })
  ids.other = await buildRegion(database, { name: 'Buxoro', code: '1706' })
  ids.red = await buildTag(database, { name: 'Cotton red', slug: 'red' })
  ids.redRu = await buildTranslation(database, 'tags', ids.red, 'ru', { name: 'Хлопок', slug: 'red' })
  ids.blue = await buildTag(database, { name: 'Cotton blue', slug: 'blue' })
  const a = await buildNews(database, {
    title: 'Alpha Oʻzbek',
    description: '100% _wool',
    views: 1,
    kind: 'event',
    date: '2026-01-01',
    region: ids.region,
    tags: [ids.red, ids.blue],
    featured: true,
  })
  const b = await buildNews(database, {
    title: 'beta ЁЛКА',
    views: 5,
    date: '2026-02-01',
    region: ids.other,
    tags: [ids.blue],
  })
  const gammaNews = await buildNews(database, {
    title: 'Gamma\\path',
    description: 'plain',
    views: 10,
    link: 'https://example.org/c',
  })
  Object.assign(ids, { a, b, c: gammaNews })
  await buildRecord(database, 'units', {
    name: { en: 'Tonne', ru: 'Тонна' },
    code: 'tonne',
    factor: 1000,
    kind: 'mass',
  })
  await buildRecord(database, 'units', { name: 'kg', code: 'kg', factor: 1, kind: 'mass' })
  await buildRecord(database, 'units', { name: { ru: 'Ящик' }, code: 'box' })
})

interface List {
  data: { id: number; attributes: Record<string, unknown> }[]
  meta: { pagination: { total: number } }
}
/** Returns the letters of the news that were found, and compares their number with the total. */
const findTitles = async (query: string) => {
  const { data, meta } = await resourceApp.read<List>(
    `/news?${query.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))}`,
  )
  expect(meta.pagination.total).toBe(data.length)
  return data.map(({ id }) => ['a', 'b', 'c'].find((name) => ids[name] === id)).join('')
}

describe('operators (contract §6)', () => {
  it.each([
    ['', 'abc'],
    ['filters[views]=5', 'b'],
    ['filters[views][$eq]=5', 'b'],
    ['filters[views]_eq=5', 'b'],
    ['filters%5Bviews%5D%5B%24eq%5D=5', 'b'],
    ['filters[views][$eq][0]=5&filters[views][$eq][1]=1', 'ab'],
    ['filters[views]=5&filters[views]=1', 'ab'],
    ['filters[views][$ne]=5', 'ac'],
    ['filters[views][$ne][]=5&filters[views][$ne][]=1', 'c'],
    ['filters[views][$lt]=5', 'a'],
    ['filters[views][$lte]=5', 'ab'],
    ['filters[views][$gt]=5', 'c'],
    ['filters[views][$gte]=5', 'bc'],
    ['filters[views][$in][0]=1&filters[views][$in][1]=10', 'ac'],
    ['filters[views][$in]=10', 'c'],
    ['filters[views][$notIn][0]=1&filters[views][$notIn][1]=10', 'b'],
    ['filters[views][$between][0]=1&filters[views][$between][1]=5', 'ab'],
    ['filters[views][$gt]=1&filters[views][$lt]=10', 'b'],
    ['filters[views]=9223372036854775807', ''],
    ['filters[date][$gt]=2026-01-15', 'b'],
    ['filters[date][$lte]=2026-02-01', 'ab'],
    ['filters[createdAt][$lt]=2020-01-01T00:00:00Z', ''],
    ['filters[title][$eqi]=BETA ёлка', 'b'],
    ['filters[title][$nei]=BETA ёлка', 'ac'],
    ['filters[title][$contains]=beta', 'b'],
    ['filters[title][$contains]=BETA', ''],
    ['filters[title][$containsi]=ёлк', 'b'],
    ['filters[title][$containsi]=oʻZB', 'a'],
    ['filters[title][$notContains]=a', ''],
    ['filters[title][$notContainsi]=ELKA', 'abc'],
    ['filters[title][$startsWith]=Al', 'a'],
    ['filters[title][$startsWithi]=AL', 'a'],
    ['filters[title][$endsWith]=path', 'c'],
    ['filters[title][$endsWithi]=PATH', 'c'],
    ['filters[title][$lt]=B', 'a'],
    ['filters[featured]=true', 'a'],
    ['filters[featured]=1', 'a'],
    ['filters[featured]=t', 'a'],
    ['filters[featured]=0', 'bc'],
    ['filters[kind]=event', 'a'],
    ['filters[id][$in][0]={a}&filters[id][$in][1]={c}', 'ac'],
    ['filters[locale]=en', 'abc'],
    ['filters[outdated]=true', ''],
    ['filters[version]=1', 'abc'],
  ])('finds by the operators in "%s" the news "%s"', async (query, letters) => {
    expect(await findTitles(query)).toBe(letters)
  })
})

describe('nulls (contract §6)', () => {
  it.each([
    ['filters[description][$null]=true', 'b'],
    ['filters[description][$null]=false', 'ac'],
    ['filters[description][$notNull]=true', 'ac'],
    ['filters[description][$notNull]=false', 'b'],
    // Negative operators find no rows without a value.
    ['filters[description][$ne]=plain', 'a'],
    ['filters[description][$nei]=PLAIN', 'a'],
    ['filters[description][$notIn][0]=plain', 'a'],
    ['filters[description][$notContains]=wool', 'c'],
    ['filters[description][$notContainsi]=WOOL', 'c'],
    ['filters[description][$not][$contains]=wool', 'c'],
    ['filters[$not][description][$contains]=wool', 'c'],
  ])('finds by the null conditions in "%s" the news "%s"', async (query, letters) => {
    expect(await findTitles(query)).toBe(letters)
  })
})

describe('nested conditions', () => {
  it.each([
    ['filters[$and][0][views][$gt]=1&filters[$and][1][views][$lt]=10', 'b'],
    ['filters[$or][0][views]=1&filters[$or][1][views]=10', 'ac'],
    ['filters[$not][views]=1', 'bc'],
    ['filters[$not][$or][0][views]=1&filters[$not][$or][1][views]=5', 'c'],
    [
      'filters[$or][0][$and][0][$or][0][views]=1&filters[$or][0][$and][0][$or][1][views]=5&filters[$or][0][$and][1][featured]=true',
      'a',
    ],
    ['filters[views][$or][0][$lt]=2&filters[views][$or][1][$gt]=9', 'ac'],
    ['filters[title][$not][$containsi]=ALPHA', 'bc'],
    ['filters[$or][0][views]=1&filters[kind]=event', 'a'],
    ['filters[region][$or][0][code]=1712&filters[region][$or][1][code]=1706', 'ab'],
  ])('finds by the nested conditions in "%s" the news "%s"', async (query, letters) => {
    expect(await findTitles(query)).toBe(letters)
  })
})

describe('literal text in filters', () => {
  it.each([
    ['filters[description][$contains]=%25', 'a'],
    ['filters[description][$contains]=_', 'a'],
    ['filters[title][$contains]=_', ''],
    ['filters[title][$contains]=%5C', 'c'],
    ['filters[title][$startsWith]=%25', ''],
    ['_q=%25', 'a'],
    ['_q=_', 'a'],
    ["filters[title]=x' or 1=1 --", ''],
  ])('finds by the literal text in "%s" the news "%s"', async (query, letters) => {
    expect(await findTitles(query)).toBe(letters)
  })
})

describe('a search by _q', () => {
  it.each([
    ['_q=елка', 'b'],
    ['_q=ozbek', 'a'],
    ["_q=O'ZBEK", 'a'],
    ['_q=10', 'ac'],
    ['_q=5', 'b'],
    ['_q=05.0', 'b'],
    ['_q=example.org', 'c'],
    ['_q=nothing at all', ''],
    ['_q=', 'abc'],
    ['_q=beta&filters[views]=1', ''],
  ])('finds by the search "%s" the news "%s"', async (query, letters) => {
    expect(await findTitles(query)).toBe(letters)
  })
})

describe('filters through relations', () => {
  it.each([
    ['filters[region]={region}', 'a'],
    ['filters[region]={regionRu}', 'a'],
    ['filters[region][$eq]={region}', 'a'],
    ['filters[region][id]={region}', 'a'],
    ['filters[region][id][$eq]={regionRu}', 'a'],
    ['filters[region][id][$in][0]={region}&filters[region][id][$in][1]={other}', 'ab'],
    ['filters[region][$ne]={region}', 'b'],
    ['filters[region][$null]=true', 'c'],
    ['filters[region][$notNull]=true', 'ab'],
    ['filters[region][id][$null]=true', 'c'],
    ['filters[region][code]=1712', 'a'],
    ['filters[region][name][$containsi]=NAV', 'a'],
    // A filter on a link compares the language that `populate` shows: the English name of an English record's
    // region.
    ['filters[region][name]=Навои', ''],
    ['filters[tags]={blue}', 'ab'],
    ['filters[tags][slug][$in][0]=red&filters[tags][slug][$in][1]=blue', 'ab'],
    ['filters[tags][name][$containsi]=cotton', 'ab'],
    ['filters[tags][id][$in][0]={red}&filters[tags][id][$in][1]={redRu}&filters[tags][id][$in][2]={blue}', 'ab'],
    // `$ne` on a list of tags finds news with some other tag.
    ['filters[tags][id][$ne]={red}', 'ab'],
    ['filters[tags][$ne]={blue}', 'a'],
    ['filters[tags][$null]=true', 'c'],
    ['filters[tags][news][title][$startsWith]=beta', 'ab'],
    ['filters[tags][news][region][code]=1706', 'ab'],
    ['filters[$not][tags][slug]=red', 'bc'],
    ['filters[region][id]=999999', ''],
    // News without a region match neither another region nor another code of a region.
    ['filters[region][$ne]=999999', 'ab'],
    ['filters[$not][region]=999999', 'ab'],
    ['filters[$not][region][code]=1712', 'b'],
    ['filters[$not][$not][region][code]=1712', 'a'],
    // An id of any language names the record, also among other conditions on the same record.
    ['filters[region][id]={regionRu}&filters[region][code]=1712', 'a'],
    ['filters[region][$or][0][id]={regionRu}&filters[region][$or][1][code]=1706', 'ab'],
    ['filters[tags][id][$ne]={redRu}&filters[tags][slug]=red', ''],
    ['filters[region][id][$gt]={region}', 'b'],
    ['filters[region][id][$not][$eq]={regionRu}', 'b'],
    ['filters[tags][id][$between][0]={red}&filters[tags][id][$between][1]={red}', 'a'],
  ])('finds by the filter through relations "%s" the news "%s"', async (query, letters) => {
    expect(await findTitles(query)).toBe(letters)
  })
})

describe('filters on texts in several languages', () => {
  it.each([
    ['filters[name]=Tonne', ['tonne']],
    ['filters[name]=Тонна', []],
    ['locale=ru&filters[name]=Тонна', ['tonne']],
    ['locale=ru&filters[name][$containsi]=ящ', ['box']],
    // A name stored as a plain string is the same text in all languages.
    ['locale=kaa&filters[name]=kg', ['kg']],
    ['locale=ru&sort=name', ['kg', 'tonne', 'box']],
    ['sort=name', ['kg', 'tonne', 'box']],
    ['filters[name][$null]=true', ['box']],
    ['filters[factor][$gte]=1000', ['tonne']],
    ['filters[factor]=1.000', ['kg']],
    ['_q=тонна&locale=ru', ['tonne']],
  ])('finds by the filter on localized texts "%s" the units %j', async (query, codes) => {
    const { data } = await resourceApp.read<List>(`/units?${query}`)
    expect(data.map(({ attributes }) => attributes.code)).toEqual(codes)
  })
})

import { describe, expect, it } from 'vitest'
import {
  buildDistrict,
  buildNews,
  buildRegion,
  buildTag,
  buildUpload,
  buildUser,
  buildTranslation,
} from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  ids.region = await buildRegion(database, { name: 'Navoiy' })
  ids.near = await buildDistrict(database, { name: 'Near', region: ids.region, order: 2 })
  ids.far = await buildDistrict(database, { name: 'Far', region: ids.region, order: 1 })
  ids.beta = await buildTag(database, { name: 'Beta' })
  ids.alpha = await buildTag(database, { name: 'Alpha' })
  ids.image = await buildUpload(database, { width: 10 })
  ids.news = await buildNews(database, {
    region: ids.region,
    tags: [ids.beta, ids.alpha],
    image: ids.image,
    gallery: [ids.image],
  })
  ids.newsRu = await buildTranslation(database, 'news', ids.news, 'ru', { title: 'Новость' })
  ids.bare = await buildNews(database)
  ids.consultant = await buildUser(database, 'authenticated', {
    is_consultant: true,
    name: 'Gulshat',
    surname: 'M.',
    region: ids.region,
  })
})

type Attributes = Record<string, unknown>
interface One<A = Attributes> {
  data: { id: number; attributes: A }
}
const links = ['gallery', 'image', 'localizations', 'region', 'tags']
const readNews = async <A = Attributes>(query: string, id = ids.news) =>
  (await resourceApp.read<One<A>>(`/news/${id}?${query}`)).data.attributes
const linksOf = (attributes: Attributes) => links.filter((name) => name in attributes)
const names = (link: unknown) => {
  const { data } = link as { data: { attributes: Attributes }[] }
  return data.map(({ attributes }) => attributes.name)
}

describe('populate (contract §6)', () => {
  it.each<[query: string, shown: string[]]>([
    ['', []],
    ['populate=*', links],
    ['populate=true', links],
    ['populate=false', []],
    ['populate=tags,region', ['region', 'tags']],
    ['populate[0]=tags', ['tags']],
    ['populate[]=tags&populate[]=image', ['image', 'tags']],
    ['populate=tags&populate=image', ['image', 'tags']],
    ['populate[tags]=true', ['tags']],
    ['populate[tags]=*', ['tags']],
    ['populate[tags]=false&populate[image]=true', ['image']],
    ['populate[*]=true&populate[tags]=false', ['gallery', 'image', 'localizations', 'region']],
    ['populate=bogus', []],
    ['populate[bogus]=true&populate[tags]=true', ['tags']],
    ['populate=title', []],
  ])('populates by the query "%s" the links %j', async (query, expectedLinks) => {
    expect(linksOf(await readNews(query))).toEqual(expectedLinks)
  })

  it('wraps a populated to-one link, a to-many link, and a link without a target', async () => {
    expect(await readNews('populate=*')).toMatchObject({
      region: { data: { id: ids.region, attributes: { name: 'Navoiy' } } },
      image: { data: { id: ids.image, attributes: { width: 10 } } },
      tags: { data: [{ id: ids.beta }, { id: ids.alpha }] },
      localizations: { data: [{ id: ids.newsRu, attributes: { locale: 'ru', title: 'Новость' } }] },
    })
    expect(await readNews('populate=*', ids.bare)).toMatchObject({
      region: { data: null },
      image: { data: null },
      gallery: { data: [] },
      tags: { data: [] },
      localizations: { data: [] },
    })
  })
  it.each([
    'populate=region.districts',
    'populate[0]=region.districts',
    'populate[region][populate]=districts',
    'populate[region][populate][districts]=true',
    'populate[region][populate][0]=districts',
    'populate[region][populate]=*',
  ])('populates deeper levels of relations by the query "%s"', async (query) => {
    const { region } = await readNews<{ region: One }>(query)
    expect(names(region.data.attributes.districts)).toEqual(['Near', 'Far'])
  })
  it('populates only the first level of relations with *', async () => {
    const { region } = await readNews<{ region: One }>('populate=*')
    expect(region.data.attributes).not.toHaveProperty('districts')
  })
  it.each([
    ['', ['Beta', 'Alpha']],
    ['&populate[tags][sort]=name', ['Alpha', 'Beta']],
    ['&populate[tags][sort]=name:desc', ['Beta', 'Alpha']],
    ['&populate[tags][filters][name][$startsWithi]=a', ['Alpha']],
    ['&populate[tags][filters][name]=none', []],
    ['&populate[tags][fields][0]=name', ['Beta', 'Alpha']],
  ])('filters and sorts a populated list by the query "%s"', async (query, list) => {
    expect(names((await readNews(`populate[tags][x]=1${query}`)).tags)).toEqual(list)
  })
  it('populates only the requested fields of relations, also on deeper levels', async () => {
    const { tags, region } = await readNews(
      'populate[tags][fields]=name&populate[region][fields][0]=name&populate[region][fields][1]=locale',
    )
    expect(tags).toEqual({
      data: [
        { id: ids.beta, attributes: { name: 'Beta' } },
        { id: ids.alpha, attributes: { name: 'Alpha' } },
      ],
    })
    expect(region).toEqual({ data: { id: ids.region, attributes: { name: 'Navoiy', locale: 'en' } } })
  })
  it('writes times inside populated lists in the format of the contract', async () => {
    const { tags } = await readNews<{ tags: { data: One['data'][] } }>('populate[tags][fields]=createdAt')
    const directTag = await resourceApp.read<One>(`/tags/${ids.beta}`)
    expect(tags.data[0]?.attributes.createdAt).toBe(directTag.data.attributes.createdAt)
    expect(directTag.data.attributes.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })
  it('applies populate to the answers of writes, also of DELETE', async () => {
    const createdNews = (
      await resourceApp.ask('POST', '/news?populate=tags', { data: { title: 'T', tags: [ids.beta] } })
    ).body as One
    expect(names(createdNews.data.attributes.tags)).toEqual(['Beta'])
    const deletedNews = (await resourceApp.ask('DELETE', `/news/${createdNews.data.id}?populate=*`)).body as One
    expect(names(deletedNews.data.attributes.tags)).toEqual(['Beta'])
  })

  const deepPopulate = (levels: number) =>
    Array.from({ length: levels }, (_, index) => (index % 2 === 0 ? 'region' : 'districts')).join('.')
  it('accepts five levels of populated relations and no more', async () => {
    expect((await resourceApp.ask('GET', `/news?populate=${deepPopulate(5)}`)).status).toBe(200)
    expect(await resourceApp.ask('GET', `/news?populate=${deepPopulate(6)}`)).toMatchObject({
      status: 400,
      body: { error: { message: 'The query is too large: populate depth' } },
    })
  })
  it('accepts at most twenty populated relations', async () => {
    const query = ['region', 'image', 'gallery', 'tags', 'localizations']
      .map((name) => `populate[${name}][populate]=*`)
      .join('&')
    const moreTagsQuery =
      '&populate[localizations][populate][tags][populate]=*&populate[tags][populate][news][populate]=*&populate[localizations][populate][region][populate]=*&populate[localizations][populate][localizations][populate]=*&populate[localizations][populate][image]=*&populate[localizations][populate][gallery]=*'
    expect((await resourceApp.ask('GET', `/news?${query}`)).status).toBe(200)
    expect(
      (
        await resourceApp.ask(
          'GET',
          `/news?${query.replace('&populate[localizations][populate]=*', '')}${moreTagsQuery}`,
        )
      ).status,
    ).toBe(400)
  })
})

describe('users seen through relations', () => {
  it('returns related users as cards to a reader without rights to users', async () => {
    const { body } = await resourceApp.ask('GET', `/users/${ids.consultant}?populate=*`, undefined, 'authenticated')
    const card = ['id', 'username', 'name', 'surname', 'first_name', 'last_name', 'avatar']
    expect(Object.keys(body as object).sort()).toEqual(card.sort())
  })
  it('returns related records flat below a flat user', async () => {
    expect(
      await resourceApp.read(`/users/${ids.consultant}?populate[region][fields]=name&populate=role`),
    ).toMatchObject({
      region: { id: ids.region },
    })
    expect(
      await resourceApp.read(`/users/${ids.consultant}?populate[0]=role&populate[1]=region&fields=username`),
    ).toMatchObject({
      role: { type: 'authenticated' },
      region: { id: ids.region, name: 'Navoiy' },
    })
  })
  it.each([
    '/users?filters[password]=x',
    '/users?filters[password][$startsWith]=$',
    '/users?sort=password',
    '/users?fields=password',
    '/users?sort=role.users',
    '/roles?filters[users][password][$notNull]=true',
    '/roles?filters[users]=1',
    '/roles?sort=users.password',
    '/users?populate[role][filters][users]=1',
    '/news?filters[password]=1',
  ])('refuses a query for a private or missing field: %s', async (url) => {
    expect(await resourceApp.ask('GET', url, undefined, 'owner')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^Invalid parameter/) as unknown } },
    })
  })
  it('returns no password of a populated or searched user', async () => {
    const answers = await Promise.all(
      ['/users?populate=*', '/users/me?populate=*', '/users?_q=argon2'].map((url) =>
        resourceApp.ask('GET', url, undefined, 'owner'),
      ),
    )
    expect(JSON.stringify(answers)).not.toMatch(/argon2|password/)
  })
})

/**
 * Tests of @refinedev/strapi-v4, the data provider of refine panels, which flattens the answers of Strapi v4.
 */
import type { CrudFilters, CrudOperators, CrudSort, GetListParams } from '@refinedev/core'
import { AuthHelper, axiosInstance, DataProvider, getValueProps, mediaUploadMapper } from '@refinedev/strapi-v4'
import axios from 'axios'
import { beforeAll, describe, expect, it } from 'vitest'
import { stories, storiesOf, type ConditionTitle } from './conditions.ts'
import { apiUrl, farmer, owner, pixel, serverUrl, uniqueWord } from './server.ts'

type FlatRecord<Attributes> = Attributes & { id: number }
type NamedRecord = { name: string; locale: string; districts?: FlatRecord<{ name: string }>[] }
type News = {
  title: string
  description: string | null
  views: number
  locale: string
  createdAt: string
  tags?: FlatRecord<NamedRecord>[]
  region?: FlatRecord<NamedRecord> | null
  image?: FlatRecord<{ name: string; url: string }> | null
  localizations?: FlatRecord<{ title: string }>[]
}
type SavedRecord = { data: { id: number; attributes: { title: string } } }
type Account = { username: string; name?: string | null; role?: { id: number; type: string } }

const auth = AuthHelper(apiUrl)
/** refine uses its own HTTP library, with the token in the defaults, as panels do. */
const panel = DataProvider(apiUrl)

beforeAll(async () => {
  const { data } = await auth.login(owner.identifier, owner.password)
  axiosInstance.defaults.headers.common['Authorization'] = `Bearer ${data.jwt}`
})

/** Data provider of refine for an account other than the owner. */
const panelOf = (token: string) => DataProvider(apiUrl, axios.create({ headers: { Authorization: `Bearer ${token}` } }))

async function add(resource: string, variables: Record<string, unknown>): Promise<number> {
  return (await panel.create<SavedRecord>({ resource, variables })).data.data.id
}

const addNews = (data: Record<string, unknown> = {}) => add('news', { title: uniqueWord('News'), ...data })

async function addRegion(name = uniqueWord('Region')): Promise<number> {
  const region = await add('regions', { name })
  await add('districts', { name: `${name} east`, region })
  return region
}

const readNews = async (id: number, meta: GetListParams['meta'] = {}) =>
  (await panel.getOne<FlatRecord<News>>({ resource: 'news', id, meta })).data

const listNews = (params: Omit<GetListParams, 'resource'>) =>
  panel.getList<FlatRecord<News>>({ resource: 'news', ...params })

const titlesOf = ({ data }: { data: FlatRecord<News>[] }) => data.map(({ title }) => title)
const idsOf = (entries: { id: number }[] | undefined) => entries?.map(({ id }) => id) ?? []

describe('signing in', () => {
  it('returns a token and the user on sign-in, with the role when requested', async () => {
    const { data } = await auth.login(owner.identifier, owner.password)
    expect(data.user).toMatchObject({ email: owner.identifier, blocked: false })
    expect((await auth.me(data.jwt)).data).not.toHaveProperty('role')
    for (const populate of ['role', ['role'], '*']) {
      expect((await auth.me(data.jwt, { meta: { populate } })).data.role.type).toBe('owner')
    }
  })

  it('signs in and reads while a stale token is attached to every call of the client', async () => {
    axios.defaults.headers.common['Authorization'] = 'Bearer stale'
    try {
      expect((await auth.login(owner.identifier, owner.password)).status).toBe(200)
    } finally {
      delete axios.defaults.headers.common['Authorization']
    }
  })

  it('shows the refusal of a wrong password', async () => {
    await expect(auth.login(uniqueWord(), 'wrong-pass')).rejects.toMatchObject({
      response: { status: 400, data: { error: { message: 'Invalid identifier or password', details: {} } } },
    })
  })

  it('ends the session when the user logs out', async () => {
    const { data } = await auth.login(owner.identifier, owner.password)
    const signedIn = panelOf(data.jwt)
    const answer = await signedIn.custom({ url: `${apiUrl}/auth/logout`, method: 'post' })
    expect(answer.data).toEqual({ ok: true })
    await expect(auth.me(data.jwt)).rejects.toMatchObject({ response: { status: 401 } })
  })
})

describe('reading', () => {
  it('lists the records of a page with their total', async () => {
    const link = `https://example.org/${uniqueWord()}`
    for (let views = 1; views <= 5; views += 1) await addNews({ link, views, title: `Item ${views}` })
    const filters: CrudFilters = [{ field: 'link', operator: 'eq', value: link }]
    const sorters: CrudSort[] = [{ field: 'views', order: 'asc' }]
    const secondPage = await listNews({ filters, sorters, pagination: { currentPage: 2, pageSize: 2 } })
    expect(titlesOf(secondPage)).toEqual(['Item 3', 'Item 4'])
    expect(secondPage.total).toBe(5)
    const allNews = await listNews({ filters, pagination: { mode: 'off' } })
    expect(allNews.data).toHaveLength(5)
    expect(await listNews({ filters, pagination: { currentPage: 9, pageSize: 2 } })).toEqual({ data: [], total: 5 })
  })

  it('sorts news by several fields and through a relation', async () => {
    const link = `https://example.org/${uniqueWord()}`
    const [b, a] = [await addRegion('Bukhara'), await addRegion('Andijan')]
    await addNews({ link, title: 'one', views: 2, date: '2026-01-01', region: b })
    await addNews({ link, title: 'two', views: 1, date: '2026-01-02', region: a })
    await addNews({ link, title: 'three', views: 1, date: '2026-01-03', region: b })
    const readSortedNews = async (...sorters: CrudSort[]) =>
      titlesOf(await listNews({ filters: [{ field: 'link', operator: 'eq', value: link }], sorters }))
    expect(await readSortedNews({ field: 'date', order: 'desc' })).toEqual(['three', 'two', 'one'])
    expect(await readSortedNews({ field: 'views', order: 'asc' }, { field: 'date', order: 'desc' })).toEqual([
      'three',
      'two',
      'one',
    ])
    expect(await readSortedNews({ field: 'region.name', order: 'asc' }, { field: 'date', order: 'asc' })).toEqual([
      'two',
      'one',
      'three',
    ])
  })

  it('reads 32 records by their ids in one call', async () => {
    const variables = Array.from({ length: 32 }, () => ({ name: uniqueWord('Tag') }))
    const { data } = await panel.createMany<SavedRecord>({ resource: 'tags', variables })
    const ids = data.map((answer) => answer.data.id)
    const readTags = await panel.getMany<FlatRecord<NamedRecord>>({ resource: 'tags', ids })
    expect(idsOf(readTags.data)).toEqual(ids.toSorted((one, other) => one - other))
    const deletedTags = await panel.deleteMany({ resource: 'tags', ids: ids.slice(0, 30) })
    expect(deletedTags.data).toHaveLength(30)
    expect((await panel.getMany({ resource: 'tags', ids })).data).toHaveLength(2)
  })

  it('chooses fields and populates relations by star, text, list and object', async () => {
    const [tag, region] = [await add('tags', { name: 'Water' }), await addRegion()]
    const id = await addNews({ title: 'Canal', tags: [tag], region })
    expect(await readNews(id, { fields: ['title', 'views'] })).toEqual({ id, title: 'Canal', views: 0 })
    const star = await readNews(id, { populate: '*' })
    expect(star).toMatchObject({ image: null, localizations: [], tags: [{ id: tag, name: 'Water' }] })
    expect(star.region).toMatchObject({ id: region })
    for (const populate of ['tags,region', ['tags', 'region'], { tags: { fields: ['name'] }, region: true }]) {
      expect(idsOf((await readNews(id, { populate })).tags)).toEqual([tag])
      const { data } = await listNews({ filters: [{ field: 'id', operator: 'eq', value: id }], meta: { populate } })
      expect(data[0]?.region?.id).toBe(region)
    }
    for (const populate of [['region.districts'], { region: { populate: ['districts'] } }]) {
      expect((await readNews(id, { populate })).region?.districts).toHaveLength(1)
    }
  })
})

describe('filtering', () => {
  const link = `https://example.org/${uniqueWord()}`
  let tag = 0
  beforeAll(async () => {
    tag = await add('tags', { name: 'Cereals' })
    await addNews({ ...stories.wheat, link, tags: [tag], region: await addRegion('Khorezm') })
    await addNews({ ...stories.bread, link, tags: [tag, await add('tags', { name: 'Cereals of spring' })] })
    await addNews({ ...stories.cotton, link })
  })
  const findTitles = async (...filters: CrudFilters) => {
    const answer = await listNews({ filters: [{ field: 'link', operator: 'eq', value: link }, ...filters] })
    expect(answer.total).toBe(answer.data.length)
    return storiesOf(titlesOf(answer))
  }

  it.each<[operator: Exclude<CrudOperators, 'or' | 'and'>, field: string, value: unknown, ...found: ConditionTitle[]]>([
    ['eq', 'views', 5, 'bread'],
    ['ne', 'views', 5, 'wheat', 'cotton'],
    ['lt', 'views', 5, 'wheat'],
    ['lte', 'views', 5, 'wheat', 'bread'],
    ['gt', 'date', '2026-02-10', 'cotton'],
    ['gte', 'date', '2026-02-10', 'bread', 'cotton'],
    ['in', 'views', [1, 9], 'wheat', 'cotton'],
    ['nin', 'views', [1, 9], 'bread'],
    ['contains', 'title', 'WHEAT', 'wheat', 'bread'],
    ['ncontains', 'title', 'WHEAT', 'cotton'],
    ['containss', 'title', 'Wheat', 'wheat'],
    ['ncontainss', 'title', 'Wheat', 'bread', 'cotton'],
    ['between', 'views', [5, 9], 'bread', 'cotton'],
    ['null', 'description', true, 'bread'],
    ['nnull', 'description', true, 'wheat', 'cotton'],
    ['startswith', 'title', 'wheat', 'bread'],
    ['endswith', 'title', 'ахта', 'cotton'],
    ['eq', 'region.name', 'Khorezm', 'wheat'],
    ['contains', 'tags.name', 'cereals', 'wheat', 'bread'],
  ])("filters by refine's operator %s on the field %s", async (operator, field, value, ...expected) => {
    expect(await findTitles({ field, operator, value })).toEqual(expected)
  })

  // refine offers these operators to every backend; Strapi v4 lacks them, and refine sends them unchanged.
  it.each([
    ...(['eqs', 'nes', 'ina', 'nina', 'nbetween', 'nstartswith', 'startswiths', 'nstartswiths'] as const),
    ...(['nendswith', 'endswiths', 'nendswiths'] as const),
  ])('reports with 400 that the server has no operator %s', async (operator) => {
    await expect(findTitles({ field: 'title', operator, value: 'x' })).rejects.toMatchObject({ statusCode: 400 })
  })

  it('nests "or" filters in "and" filters, and "and" filters in "or" filters', async () => {
    const views = (value: number) => ({ field: 'views', operator: 'eq', value }) as const
    expect(await findTitles({ operator: 'or', value: [views(1), views(9)] })).toEqual(['wheat', 'cotton'])
    const innerFilter = { operator: 'or', value: [views(1), views(9)] } as const
    const title = { field: 'title', operator: 'contains', value: 'пахта' } as const
    expect(
      await findTitles({
        operator: 'or',
        value: [{ operator: 'and', value: [{ ...innerFilter, value: [...innerFilter.value] }, title] }],
      }),
    ).toEqual(['cotton'])
  })

  it('accepts a query in the metadata of a call beside its sort and filters', async () => {
    const { data } = await panel.custom<{ data: { attributes: News }[] }>({
      url: `${apiUrl}/news`,
      method: 'get',
      filters: [{ field: 'link', operator: 'eq', value: link }],
      sorters: [{ field: 'views', order: 'desc' }],
      query: { pagination: { start: 0, limit: 2 }, fields: ['title'] },
    })
    expect(data).toMatchObject({ meta: { pagination: { start: 0, limit: 2, total: 3 } } })
    expect(data.data.map(({ attributes }) => attributes)).toEqual([{ title: 'Пахта' }, { title: 'wheat bread' }])
  })
})

describe('writing', () => {
  it('sends a whole flattened record back, with relations and pictures as objects', async () => {
    const [tag, region] = [await add('tags', { name: uniqueWord('Tag') }), await addRegion()]
    const id = await addNews({ title: 'Harvest', tags: [tag], region })
    const record = await readNews(id, { populate: '*' })
    await panel.update({
      resource: 'news',
      id,
      variables: { ...record, title: 'Late harvest', locale: 'ru', publishedAt: null },
    })
    const newsAfter = await readNews(id, { populate: '*' })
    expect(newsAfter).toMatchObject({ title: 'Late harvest', locale: 'en', createdAt: record.createdAt })
    expect([idsOf(newsAfter.tags), newsAfter.region?.id]).toEqual([[tag], region])

    // Forms of refine send relations as ids, select boxes as texts.
    const form = {
      ...newsAfter,
      tags: [String(tag)],
      region: String(region),
      localizations: idsOf(newsAfter.localizations),
    }
    const updatedNews = await panel.update<SavedRecord>({
      resource: 'news',
      id,
      variables: { ...form, title: 'Harvested' },
    })
    expect(updatedNews.data).toMatchObject({ data: { id, attributes: { title: 'Harvested' } }, meta: {} })
    expect(idsOf((await readNews(id, { populate: 'tags' })).tags)).toEqual([tag])
  })

  it('sets, connects and clears the relations of a record', async () => {
    const [a, b] = [await add('tags', { name: uniqueWord('A') }), await add('tags', { name: uniqueWord('B') })]
    const region = await addRegion()
    const id = await addNews()
    const readAfterUpdate = async (variables: Record<string, unknown>) => {
      await panel.update({ resource: 'news', id, variables })
      const { tags, region: savedRegion } = await readNews(id, { populate: ['tags', 'region'] })
      return [idsOf(tags), savedRegion?.id ?? null]
    }
    expect(await readAfterUpdate({ tags: [b, a], region })).toEqual([[b, a], region])
    expect(await readAfterUpdate({ tags: { disconnect: [b] } })).toEqual([[a], region])
    expect(await readAfterUpdate({ tags: { connect: [{ id: b }] } })).toEqual([[a, b], region])
    expect(await readAfterUpdate({ tags: { set: [b] }, region: { set: [region] } })).toEqual([[b], region])
    expect(await readAfterUpdate({ tags: [], region: null })).toEqual([[], null])
  })

  it('updates and deletes many records in one call', async () => {
    const ids = [await addNews(), await addNews(), await addNews()]
    await panel.updateMany({ resource: 'news', ids, variables: { views: 4 } })
    const { data } = await panel.getMany<FlatRecord<News>>({ resource: 'news', ids })
    expect(data.map(({ views }) => views)).toEqual([4, 4, 4])
    const [firstId = 0, ...otherIds] = ids
    const deletedNews = await panel.deleteOne<SavedRecord>({ resource: 'news', id: firstId })
    expect(deletedNews.data.data.id).toBe(firstId)
    await panel.deleteMany({ resource: 'news', ids: otherIds })
    expect((await panel.getMany({ resource: 'news', ids })).data).toEqual([])
  })

  it('translates a record through a resource of its own and lists records by language', async () => {
    const link = `https://example.org/${uniqueWord()}`
    const id = await addNews({ title: 'Rain', link })
    // The method `create` wraps every body in `data`; `custom` sends a translation unwrapped, as v4 expects.
    const russian = await panel.create<FlatRecord<News>>({
      resource: `news/${id}/localizations`,
      variables: { locale: 'ru', title: 'Дождь' },
    })
    expect(russian.data).toMatchObject({ title: 'Дождь', locale: 'ru', link, localizations: [{ id }] })
    const url = `${apiUrl}/news/${id}/localizations`
    const kaa = await panel.custom<FlatRecord<News>>({
      url,
      method: 'post',
      payload: { locale: 'kaa', title: 'Jawın' },
    })
    expect(idsOf((await readNews(id, { populate: ['localizations'] })).localizations)).toEqual([
      russian.data.id,
      kaa.data.id,
    ])
    const titles = async (locale?: string) =>
      titlesOf(
        await listNews({
          filters: [{ field: 'link', operator: 'eq', value: link }],
          meta: { ...(locale && { locale }), publicationState: 'preview' },
        }),
      )
    expect(await titles()).toEqual(['Rain'])
    expect(await titles('ru')).toEqual(['Дождь'])
    expect(await titles('kaa')).toEqual(['Jawın'])
    expect(await titles('uz')).toEqual([])
    expect(await titles('all')).toEqual(['Rain', 'Дождь', 'Jawın'])
    await panel.update({ resource: 'news', id: russian.data.id, variables: { views: 12 } })
    expect(await readNews(id)).toMatchObject({ title: 'Rain', views: 12 })
    await expect(
      panel.custom({ url, method: 'post', payload: { locale: 'kaa', title: 'Again' } }),
    ).rejects.toMatchObject({ statusCode: 400, response: { data: { error: { message: 'locale is already used' } } } })
    await panel.deleteOne({ resource: 'news', id: russian.data.id })
    expect(await titles('all')).toEqual(['Rain', 'Jawın'])
  })
})

describe('files', () => {
  // Types of `mediaUploadMapper` and `getValueProps`, which their package leaves untyped.
  const formValues: (form: Record<string, unknown>) => Record<string, unknown> = mediaUploadMapper
  const uploadBox: (picture: unknown, host: string) => { fileList: unknown[] } = getValueProps

  it('stores an uploaded picture in a media field and shows it again', async () => {
    const payload = new FormData()
    payload.append('files', new Blob([pixel], { type: 'image/png' }), 'field.png')
    const { data: response } = await panel.custom({ url: `${apiUrl}/upload`, method: 'post', payload })
    expect(response).toEqual([expect.objectContaining({ name: 'field.png', mime: 'image/png' })])
    // An upload box stores each file's answer as `response`; the helper takes the ids.
    const values = formValues({
      title: 'With a picture',
      image: { fileList: [{ response }] },
      gallery: { fileList: [{ response }] },
    })
    const id = await addNews(values)
    const { image } = await readNews(id, { populate: '*' })
    const { fileList } = uploadBox(image, serverUrl)
    expect(fileList).toMatchObject([{ name: 'field.png', type: 'image/png', uid: image?.id }])
    expect((await fetch(`${serverUrl}${image?.url}`)).status).toBe(200)
    // A form that is saved unchanged lists its stored file without the response of an upload.
    await panel.update({ resource: 'news', id, variables: formValues({ image: { fileList } }) })
    expect((await readNews(id, { populate: 'image' })).image?.id).toBe(image?.id)
    await panel.update({ resource: 'news', id, variables: { image: null } })
    expect((await readNews(id, { populate: 'image' })).image).toBeNull()
  })
})

describe('people', () => {
  it('reads and writes accounts without an envelope, and counts their bare list', async () => {
    const account = farmer()
    const createdUser = await panel.create<FlatRecord<Account>>({
      resource: 'users',
      variables: { ...account, name: 'Marat' },
    })
    expect(createdUser.data).toMatchObject({
      username: account.username,
      name: 'Marat',
      role: { type: 'authenticated' },
    })
    const { id } = createdUser.data
    const filters: CrudFilters = [{ field: 'username', operator: 'eq', value: account.username }]
    const list = await panel.getList<FlatRecord<Account>>({ resource: 'users', filters, meta: { populate: 'role' } })
    expect(list).toMatchObject({ data: [{ id, role: { type: 'authenticated' } }], total: 1 })
    expect((await panel.getMany({ resource: 'users', ids: [id] })).data).toMatchObject([{ id }])
    const { data: savedAccount } = await panel.getOne<FlatRecord<Account>>({
      resource: 'users',
      id,
      meta: { populate: '*' },
    })
    const updatedUser = await panel.update<FlatRecord<Account>>({
      resource: 'users',
      id,
      variables: { ...savedAccount, name: 'M.' },
    })
    expect(updatedUser.data).toMatchObject({ id, name: 'M.' })
    const { data: session } = await auth.login(account.email, account.password)
    expect((await auth.me(session.jwt)).data).toMatchObject({ username: account.username })
    await expect(panel.create({ resource: 'users', variables: account })).rejects.toMatchObject({ statusCode: 400 })
    expect((await panel.deleteOne({ resource: 'users', id })).data).toMatchObject({ id })
    await expect(panel.getOne({ resource: 'users', id })).rejects.toMatchObject({ statusCode: 404 })
  })
})

describe('refusals', () => {
  it('marks every invalid field of a form', async () => {
    const createCall = panel.create({ resource: 'news', variables: { views: 'many', kind: 'poem' } })
    const refusal: unknown = await createCall.catch((error: unknown) => error)
    expect(refusal).toMatchObject({ statusCode: 400, message: '3 errors occurred' })
    expect(refusal).toHaveProperty('errors', {
      title: [expect.stringMatching(/ title|^title /)],
      views: [expect.stringMatching(/^views /)],
      kind: [expect.stringMatching(/^kind /)],
    })
    const id = await addNews()
    const updateCall = panel.update({ resource: 'news', id, variables: { title: '' } })
    await expect(updateCall).rejects.toMatchObject({ statusCode: 400, errors: { title: ['please enter a title'] } })
  })

  it('reports a missing permission and a missing record', async () => {
    const account = farmer()
    await panel.create({ resource: 'users', variables: account })
    const { data } = await auth.login(account.username, account.password)
    await expect(panelOf(data.jwt).create({ resource: 'news', variables: { title: 'Mine' } })).rejects.toMatchObject({
      statusCode: 403,
      errors: {},
    })
    await expect(readNews(2_000_000_000)).rejects.toMatchObject({ statusCode: 404 })
    await expect(panel.getList({ resource: 'nowhere' })).rejects.toMatchObject({ statusCode: 404 })
    await expect(panelOf('stale').getList({ resource: 'news' })).rejects.toMatchObject({ response: { status: 401 } })
  })
})

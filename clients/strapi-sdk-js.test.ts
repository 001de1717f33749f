/** Tests of strapi-sdk-js 2, which passes requests and answers of Strapi v4 through unchanged. */
import FormData from 'form-data'
import Strapi, { type StrapiResponse } from 'strapi-sdk-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { conditions, stories, storiesOf } from './conditions.ts'
import { farmer, owner, pixel, serverUrl, uniqueWord } from './server.ts'
import type { Account, Entry, NamedRecord, News, Picture } from './wire.ts'

const strapi = new Strapi({ url: serverUrl })

beforeAll(async () => {
  await strapi.login(owner)
})

const addNews = async (data: Record<string, unknown> = {}): Promise<Entry<News>> =>
  (await strapi.create<Entry<News>>('news', { title: uniqueWord('News'), ...data })).data

const addTag = async (name = uniqueWord('Tag')): Promise<number> =>
  (await strapi.create<Entry<NamedRecord>>('tags', { name })).data.id

/** Adds a region with the given name, and one district whose name begins with it. */
async function addRegion(name = uniqueWord('Region')): Promise<{ region: number; district: number }> {
  const region = (await strapi.create<Entry<NamedRecord>>('regions', { name })).data.id
  const district = (await strapi.create<Entry<NamedRecord>>('districts', { name: `${name} east`, region })).data.id
  return { region, district }
}

const titlesOf = ({ data }: StrapiResponse<Entry<News>[]>): string[] => data.map(({ attributes }) => attributes.title)

const idsOf = (linkedEntries: { data: Entry<unknown>[] } | undefined): number[] =>
  linkedEntries?.data.map(({ id }) => id) ?? []

const unknownTarget: unknown = expect.stringMatching(/^1 relation\(s\) of type .* do not exist$/)

describe('signing in', () => {
  it('signs in with an e-mail in any case or a user name, and knows the user afterwards', async () => {
    const account = farmer()
    await strapi.request('post', '/users', { data: account })
    for (const identifier of [account.email, account.email.toUpperCase(), account.username]) {
      const client = new Strapi({ url: serverUrl })
      const { user, jwt } = await client.login({ identifier, password: account.password })
      expect(user).toMatchObject({ username: account.username, email: account.email, provider: 'local' })
      expect(user).not.toHaveProperty('password')
      expect(client.getToken()).toBe(jwt)
      expect(await client.fetchUser()).not.toHaveProperty('role')
      expect(await client.fetchUser({ populate: 'role' })).toMatchObject({ role: { type: 'authenticated' } })
    }
  })

  it.each(['not-a-token', 'ended'])('signs in while a stale token is attached to the client (%s)', async (kind) => {
    const client = new Strapi({ url: serverUrl })
    const { jwt } = await client.login(owner)
    await client.request('post', '/auth/logout')
    client.setToken(kind === 'ended' ? jwt : kind)
    // The client's `login` drops the token first; its raw request attaches the stored token.
    const answer = await client.request<{ jwt: string }>('post', '/auth/local', { data: owner })
    client.setToken(answer.jwt)
    expect(await client.fetchUser()).toMatchObject({ email: owner.identifier })
  })

  it('reports a wrong password and missing fields at sign-in', async () => {
    const client = new Strapi({ url: serverUrl })
    await expect(client.login({ identifier: uniqueWord(), password: 'wrong-pass' })).rejects.toMatchObject({
      data: null,
      error: { status: 400, name: 'ValidationError', message: 'Invalid identifier or password' },
    })
    await expect(client.login({ identifier: '', password: '' })).rejects.toMatchObject({
      error: { details: { errors: [{ path: ['identifier'] }, { path: ['password'] }] } },
    })
  })

  it('registers an account, changes its password and requests a reset email', async () => {
    const account = farmer()
    const client = new Strapi({ url: serverUrl })
    const { user } = await client.register({ ...account, name: 'Jamila', role: 1, confirmed: false })
    expect(user).toMatchObject({ username: account.username, name: 'Jamila' })
    expect(await client.fetchUser({ populate: ['role'] })).toMatchObject({ role: { type: 'authenticated' } })

    const password = 'Rain-and-field-2'
    await client.changePassword({ currentPassword: account.password, password, passwordConfirmation: password })
    expect(await client.fetchUser()).toMatchObject({ username: account.username })
    await client.login({ identifier: account.email, password })

    expect(await client.forgotPassword({ email: account.email })).toEqual({ ok: true })
    await expect(
      client.resetPassword({ code: 'unknown', password, passwordConfirmation: password }),
    ).rejects.toMatchObject({ error: { status: 400, message: 'Incorrect code provided' } })
    await expect(client.register(account)).rejects.toMatchObject({
      error: { name: 'ApplicationError', message: 'Email or Username are already taken' },
    })
  })

  it('ends the session when the user logs out', async () => {
    const client = new Strapi({ url: serverUrl })
    await client.login(owner)
    expect(await client.request('post', '/auth/logout')).toEqual({ ok: true })
    await expect(client.find('news')).rejects.toMatchObject({ error: { status: 401, name: 'UnauthorizedError' } })
    client.logout()
    expect(client.getToken()).toBeNull()
    await expect(client.find('news')).rejects.toMatchObject({ error: { status: 401 } })
  })
})

describe('reading', () => {
  it('returns one record in the format of Strapi v4', async () => {
    const { id } = await addNews({ title: 'Dry spring', views: 3 })
    const { data, meta } = await strapi.findOne<Entry<News>>('news', id)
    expect(meta).toEqual({})
    expect(data.id).toBe(id)
    expect(data.attributes).toMatchObject({ title: 'Dry spring', description: null, views: 3, locale: 'en' })
    expect(data.attributes.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    for (const absentName of ['id', 'tags', 'region', 'image', 'localizations']) {
      expect(data.attributes).not.toHaveProperty(absentName)
    }
  })

  it('reads lists by page number and by offset', async () => {
    const link = `https://example.org/${uniqueWord()}`
    for (let views = 1; views <= 5; views += 1) await addNews({ link, views, title: `Item ${views}` })
    const page = (pagination: { page: number; pageSize: number } | { start: number; limit: number }) =>
      strapi.find<Entry<News>[]>('news', { filters: { link }, sort: 'views', pagination })

    const secondPage = await page({ page: 2, pageSize: 2 })
    expect(titlesOf(secondPage)).toEqual(['Item 3', 'Item 4'])
    expect(secondPage.meta).toEqual({ pagination: { page: 2, pageSize: 2, pageCount: 3, total: 5 } })

    const offset = await page({ start: 3, limit: 5 })
    expect(titlesOf(offset)).toEqual(['Item 4', 'Item 5'])
    expect(offset.meta).toEqual({ pagination: { start: 3, limit: 5, total: 5 } })

    const uncountedPage = await strapi.find('news', {
      filters: { link },
      pagination: { page: 1, pageSize: 2, withCount: false },
    })
    expect(uncountedPage.meta).toEqual({ pagination: { page: 1, pageSize: 2 } })

    const emptyPage = await page({ page: 9, pageSize: 2 })
    expect(emptyPage).toEqual({ data: [], meta: { pagination: { page: 9, pageSize: 2, pageCount: 3, total: 5 } } })
  })

  it('sorts news by text, by list and through a relation', async () => {
    const link = `https://example.org/${uniqueWord()}`
    const [b, a] = [await addRegion('Bukhara'), await addRegion('Andijan')]
    await addNews({ link, title: 'one', views: 2, date: '2026-01-01', region: b.region })
    await addNews({ link, title: 'two', views: 1, date: '2026-01-02', region: a.region })
    await addNews({ link, title: 'three', views: 1, date: '2026-01-03', region: b.region })
    const readSortedNews = async (sort: string | string[]) =>
      titlesOf(await strapi.find<Entry<News>[]>('news', { filters: { link }, sort }))
    expect(await readSortedNews('date')).toEqual(['one', 'two', 'three'])
    expect(await readSortedNews('date:desc')).toEqual(['three', 'two', 'one'])
    expect(await readSortedNews('views:asc,date:desc')).toEqual(['three', 'two', 'one'])
    expect(await readSortedNews(['views:DESC', 'date'])).toEqual(['one', 'two', 'three'])
    expect(await readSortedNews(['region.name', 'date:desc'])).toEqual(['two', 'three', 'one'])
  })

  it('chooses fields and populates relations by star, text, list and object', async () => {
    const [tag, { region }] = [await addTag('Water'), await addRegion()]
    const { id } = await addNews({ title: 'Canal', tags: [tag], region })
    const readNews = async (params: Parameters<typeof strapi.findOne>[2]) =>
      (await strapi.findOne<Entry<News>>('news', id, params)).data.attributes

    expect(await readNews({ fields: ['title', 'views'] })).toEqual({ title: 'Canal', views: 0 })

    const star = await readNews({ populate: '*' })
    expect(star.image).toEqual({ data: null })
    expect(star.localizations).toEqual({ data: [] })
    expect(star.tags).toMatchObject({ data: [{ id: tag, attributes: { name: 'Water', locale: 'en' } }] })
    expect(star.region?.data?.attributes).not.toHaveProperty('districts')

    for (const populate of ['tags,region', ['tags', 'region'], { tags: true, region: '*', image: false }]) {
      const populatedNews = await readNews({ populate })
      expect(idsOf(populatedNews.tags)).toEqual([tag])
      expect(populatedNews.region?.data?.id).toBe(region)
      expect(populatedNews).not.toHaveProperty('image')
    }
    for (const populate of ['region.districts', ['region.districts'], { region: { populate: ['districts'] } }]) {
      expect((await readNews({ populate })).region?.data?.attributes.districts?.data).toHaveLength(1)
    }
    const narrowNews = await readNews({
      fields: ['title'],
      populate: { tags: { fields: ['name'], filters: { name: { $ne: 'Water' } } }, region: { fields: ['name'] } },
    })
    expect(narrowNews.tags).toEqual({ data: [] })
    expect(Object.keys(narrowNews.region?.data?.attributes ?? {})).toEqual(['name'])
  })
})

describe('filtering', () => {
  const link = `https://example.org/${uniqueWord()}`
  let tag = 0
  let areaIds = { region: 0, district: 0 }
  beforeAll(async () => {
    ;[tag, areaIds] = [await addTag('Cereals'), await addRegion('Khorezm')]
    const otherTag = await addTag('Cereals of spring')
    await addNews({ ...stories.wheat, link, tags: [tag, otherTag], region: areaIds.region })
    await addNews({ ...stories.bread, link, tags: [tag] })
    await addNews({ ...stories.cotton, link })
  })
  const findTitles = async (filters: Record<string, unknown>) => {
    const answer = await strapi.find<Entry<News>[]>('news', { filters: { link, ...filters } })
    expect(answer.meta).toMatchObject({ pagination: { total: answer.data.length } })
    return storiesOf(titlesOf(answer))
  }

  it.each(conditions)(
    'finds the expected news with a filter by $operator',
    async ({ filters, matchedStories: expected }) => {
      expect(await findTitles(filters)).toEqual(expected)
    },
  )

  it('filters through relations without counting a record twice', async () => {
    expect(await findTitles({ region: areaIds.region })).toEqual(['wheat'])
    expect(await findTitles({ region: { id: { $in: [areaIds.region] } } })).toEqual(['wheat'])
    expect(await findTitles({ region: { name: { $containsi: 'KHOREZ' } } })).toEqual(['wheat'])
    expect(await findTitles({ region: { districts: { id: areaIds.district } } })).toEqual(['wheat'])
    expect(await findTitles({ region: { $null: true } })).toEqual(['bread', 'cotton'])
    expect(await findTitles({ region: { id: { $null: true } } })).toEqual(['bread', 'cotton'])
    expect(await findTitles({ tags: { name: { $startsWith: 'Cereals' } } })).toEqual(['wheat', 'bread'])
    expect(await findTitles({ tags: { id: { $ne: tag } } })).toEqual(['wheat'])
  })

  it('refuses an unknown field or operator in a filter', async () => {
    await expect(findTitles({ bogus: 1 })).rejects.toMatchObject({
      error: { status: 400, name: 'ValidationError', message: 'Invalid parameter bogus' },
    })
    await expect(findTitles({ views: { $about: 1 } })).rejects.toMatchObject({ error: { status: 400 } })
  })
})

describe('writing', () => {
  it('creates a record, accepts its own whole answer back, and deletes it', async () => {
    const [tag, { region }] = [await addTag(), await addRegion()]
    const createdNews = await strapi.create<Entry<News>>(
      'news',
      { title: 'Harvest', tags: [tag], region, unknown: 'ignored', id: 999_999 },
      { populate: '*' },
    )
    expect(createdNews.meta).toEqual({})
    expect(createdNews.data.id).not.toBe(999_999)
    expect(createdNews.data.attributes).toMatchObject({
      title: 'Harvest',
      region: { data: { id: region } },
      active: true,
    })

    const { id, attributes } = (await strapi.findOne<Entry<News>>('news', createdNews.data.id, { populate: '*' })).data
    const echoedDraft = {
      id,
      ...attributes,
      title: 'Late harvest',
      tags: idsOf(attributes.tags),
      region: String(attributes.region?.data?.id),
      image: null,
      gallery: [],
      localizations: idsOf(attributes.localizations),
      locale: 'ru',
      createdAt: '2001-01-01T00:00:00.000Z',
      publishedAt: null,
    }
    const updatedNews = (await strapi.update<Entry<News>>('news', id, echoedDraft, { populate: '*' })).data
    expect(updatedNews.attributes).toMatchObject({
      title: 'Late harvest',
      locale: 'en',
      createdAt: attributes.createdAt,
    })
    expect(idsOf(updatedNews.attributes.tags)).toEqual([tag])
    expect(updatedNews.attributes.region?.data?.id).toBe(region)

    const savedAttributes = (await strapi.update<Entry<News>>('news', id, { views: '7', featured: 'true' })).data
      .attributes
    expect(savedAttributes).toMatchObject({ title: 'Late harvest', views: 7, featured: true })

    const deletedNews = await strapi.delete<Entry<News>>('news', id, { populate: '*' })
    expect(deletedNews.data).toMatchObject({ id, attributes: { title: 'Late harvest' } })
    await expect(strapi.findOne('news', id)).rejects.toMatchObject({ error: { status: 404, name: 'NotFoundError' } })
  })

  it('sets, connects, disconnects and clears the relations of a record', async () => {
    const [a, b, thirdTag] = [await addTag(), await addTag(), await addTag()]
    const { region } = await addRegion()
    const { id } = await addNews()
    const readAfterUpdate = async (data: Record<string, unknown>) =>
      (await strapi.update<Entry<News>>('news', id, data, { populate: ['tags', 'region'] })).data.attributes
    const tags = async (value: unknown) => idsOf((await readAfterUpdate({ tags: value })).tags)
    const regionOf = async (value: unknown) => (await readAfterUpdate({ region: value })).region?.data?.id

    expect(await tags([b, a])).toEqual([b, a])
    expect(await tags([{ id: a }, String(thirdTag)])).toEqual([a, thirdTag])
    expect(await tags({ connect: [b], disconnect: [{ id: a }] })).toEqual([thirdTag, b])
    expect(await tags({ set: [a] })).toEqual([a])
    expect(await tags([])).toEqual([])
    for (const value of [region, String(region), { id: region }, [region], { connect: [region] }, { set: [region] }]) {
      expect(await regionOf(value)).toBe(region)
      expect(await regionOf(null)).toBeUndefined()
    }
    await regionOf(region)
    expect(await regionOf({ disconnect: [region] })).toBeUndefined()
    await regionOf(region)
    expect(await regionOf([])).toBeUndefined()

    await tags([a])
    const foundTag = await strapi.findOne<Entry<{ news: { data: Entry<News>[] } }>>('tags', a, { populate: 'news' })
    expect(idsOf(foundTag.data.attributes.news)).toEqual([id])
    await strapi.delete('tags', a)
    expect(idsOf((await readAfterUpdate({})).tags)).toEqual([])
    await expect(tags([2_000_000_000])).rejects.toMatchObject({
      error: { status: 400, name: 'ValidationError', message: unknownTarget },
    })
  })

  it('stores each translation of a record as a record with its own id', async () => {
    const { region } = await addRegion()
    const link = `https://example.org/${uniqueWord()}`
    const { id } = await addNews({ title: 'Rain', link, region })
    // The package strapi-sdk-js has no function for translations; Strapi v4 sends and answers them without an
    // envelope.
    const createTranslation = (data: Record<string, unknown>) =>
      strapi.request<News & { id: number }>('post', `/news/${id}/localizations`, { data })
    const russian = await createTranslation({ locale: 'ru', title: 'Дождь' })
    expect(russian).toMatchObject({ title: 'Дождь', locale: 'ru', link, localizations: [{ id, title: 'Rain' }] })
    const karakalpak = await createTranslation({ locale: 'kaa', title: 'Jawın' })

    const family = (await strapi.findOne<Entry<News>>('news', id, { populate: ['localizations'] })).data.attributes
    expect(idsOf(family.localizations)).toEqual([russian.id, karakalpak.id])

    const titles = async (locale: string) =>
      titlesOf(await strapi.request('get', '/news', { params: { filters: { link }, locale, sort: 'id' } }))
    expect(titlesOf(await strapi.find('news', { filters: { link }, locale: 'ru' }))).toEqual(['Дождь'])
    expect(titlesOf(await strapi.find('news', { filters: { link } }))).toEqual(['Rain'])
    expect(await titles('kaa')).toEqual(['Jawın'])
    expect(await titles('uz')).toEqual([])
    expect(await titles('all')).toEqual(['Rain', 'Дождь', 'Jawın'])

    await strapi.update('news', russian.id, { views: 12, title: 'Ливень' })
    const english = await strapi.findOne<Entry<News>>('news', id, { populate: 'region' })
    expect(english.data.attributes).toMatchObject({ title: 'Rain', views: 12, region: { data: { id: region } } })

    await expect(createTranslation({ locale: 'ru', title: 'Снова' })).rejects.toMatchObject({
      error: { status: 400, name: 'ApplicationError', message: 'locale is already used' },
    })
    await strapi.delete('news', russian.id)
    expect(await titles('all')).toEqual(['Rain', 'Jawın'])
    const listedLocales = await strapi.request<{ code: string }[]>('get', '/i18n/locales')
    expect(listedLocales.map(({ code }) => code).sort()).toEqual(['en', 'kaa', 'ru', 'uz'])
  })
})

describe('files', () => {
  /** On Node the HTTP library of strapi-sdk-js accepts only forms of the package `form-data`. */
  const formWith = (parts: Record<string, string>, file = 'files') => {
    const form = new FormData()
    form.append(file, pixel, { filename: 'field.png', contentType: 'image/png' })
    for (const [name, value] of Object.entries(parts)) form.append(name, value)
    return form
  }

  it('uploads a picture and accepts its id as the value of a media field', async () => {
    const data = formWith({ fileInfo: JSON.stringify({ name: 'Field', alternativeText: 'A field' }) })
    const [file] = await strapi.request<Picture[]>('post', '/upload', { data })
    expect(file).toMatchObject({ name: 'Field', alternativeText: 'A field', mime: 'image/png' })
    expect(file?.url).toMatch(/^\/uploads\/[^/]+\.png$/)
    expect((await fetch(`${serverUrl}${file?.url}`)).headers.get('content-type')).toBe('image/png')

    const { id } = await addNews({ image: file?.id })
    const { data: newsEntry } = await strapi.findOne<Entry<News>>('news', id, { populate: 'image' })
    expect(newsEntry.attributes.image?.data).toMatchObject({ id: file?.id, attributes: { url: file?.url } })

    const clearedNews = await strapi.update<Entry<News>>('news', id, { image: null }, { populate: 'image' })
    expect(clearedNews.data.attributes.image).toEqual({ data: null })
    expect(await strapi.request('delete', `/upload/files/${file?.id}`)).toMatchObject({ id: file?.id })
    await expect(strapi.request('get', `/upload/files/${file?.id}`)).rejects.toMatchObject({ error: { status: 404 } })
  })

  it('creates a record and its picture in one call', async () => {
    const data = formWith({ data: JSON.stringify({ title: 'With a picture', image: [] }) }, 'files.image')
    const answer = await strapi.request<StrapiResponse<Entry<News>>>('post', '/news', {
      data,
      params: { populate: '*' },
    })
    expect(answer.data.attributes).toMatchObject({
      title: 'With a picture',
      image: { data: { attributes: { mime: 'image/png' } } },
    })
  })
})

describe('people', () => {
  it('reads and writes accounts without an envelope', async () => {
    const account = farmer()
    const createdUser = await strapi.request<Account>('post', '/users', { data: { ...account, name: 'Marat' } })
    expect(createdUser).toMatchObject({ username: account.username, name: 'Marat', role: { type: 'authenticated' } })
    const filters = { username: account.username }
    expect(await strapi.request<Account[]>('get', '/users', { params: { filters, populate: 'role' } })).toMatchObject([
      { id: createdUser.id, role: { type: 'authenticated' } },
    ])
    expect(await strapi.request('get', '/users/count', { params: { filters } })).toBe(1)
    expect(
      await strapi.request('put', `/users/${createdUser.id}`, {
        data: { ...createdUser, role: createdUser.role?.id, name: 'M.' },
      }),
    ).toMatchObject({ id: createdUser.id, name: 'M.' })
    await expect(strapi.request('post', '/users', { data: account })).rejects.toMatchObject({
      error: { status: 400, name: 'ApplicationError', message: 'Email already taken' },
    })
    expect(await strapi.request('delete', `/users/${createdUser.id}`)).toMatchObject({ id: createdUser.id })
    await expect(strapi.request('get', `/users/${createdUser.id}`)).rejects.toMatchObject({ error: { status: 404 } })
  })
})

describe('refusals', () => {
  it('names every invalid field of a refused record', async () => {
    await expect(strapi.create('news', { views: 'many', kind: 'poem' })).rejects.toMatchObject({
      data: null,
      error: {
        status: 400,
        name: 'ValidationError',
        message: '3 errors occurred',
        details: { errors: [{ path: ['title'] }, { path: ['kind'] }, { path: ['views'] }] },
      },
    })
    await expect(strapi.request('post', '/news', { data: { title: 'bare' } })).rejects.toMatchObject({
      error: { status: 400, message: 'Missing "data" payload in the request body' },
    })
  })

  it('reports a missing permission and a missing record', async () => {
    const account = farmer()
    const client = new Strapi({ url: serverUrl })
    await client.register(account)
    await expect(client.create('news', { title: 'Mine' })).rejects.toMatchObject({
      data: null,
      error: { status: 403, name: 'ForbiddenError' },
    })
    for (const path of ['/news/2000000000', '/news/abc', '/nowhere']) {
      await expect(strapi.request('get', path)).rejects.toMatchObject({
        data: null,
        error: { status: 404, name: 'NotFoundError' },
      })
    }
  })
})

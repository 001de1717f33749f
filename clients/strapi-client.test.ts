/**
 * Tests of @strapi/client, the official client. Its types describe Strapi 5 (flat documents with a
 * `documentId`), but its calls fit Strapi 4 as well, and it returns the server's answer unchanged: `id` and
 * `attributes`.
 */
import {
  type API,
  HTTPAuthorizationError,
  HTTPBadRequestError,
  HTTPError,
  HTTPForbiddenError,
  HTTPNotFoundError,
  strapi,
  type StrapiClient,
} from '@strapi/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { conditions, stories, storiesOf } from './conditions.ts'
import { apiUrl, farmer, owner, pixel, serverUrl, uniqueWord } from './server.ts'
import type { Account, Entry, News } from './wire.ts'

let client = strapi({ baseURL: apiUrl })

async function json<Body>(answer: Promise<Response>): Promise<Body> {
  return (await (await answer).json()) as Body
}

const post = <Body>(path: string, body: unknown, sender = client) =>
  json<Body>(
    sender.fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  )

/** The official client of Strapi accepts only tokens, so a user signs in through its raw request. */
async function signIn(identifier: string, password: string): Promise<{ token: string; signedIn: StrapiClient }> {
  const { jwt } = await post<{ jwt: string }>('/auth/local', { identifier, password }, strapi({ baseURL: apiUrl }))
  return { token: jwt, signedIn: strapi({ baseURL: apiUrl, auth: jwt }) }
}

beforeAll(async () => {
  client = (await signIn(owner.identifier, owner.password)).signedIn
})

function isEntry(value: unknown): value is Entry<News> {
  return typeof value === 'object' && value !== null && 'id' in value && 'attributes' in value
}

/** A record in the shape of Strapi v4, under the client's type of a v5 document. */
function entryOf(document: unknown): Entry<News> {
  if (!isEntry(document)) throw new Error(`No entry in the shape of v4: ${JSON.stringify(document)}`)
  return document
}

type Query = API.BaseQueryParams

const add = async (resource: string, data: Record<string, unknown>): Promise<number> =>
  entryOf((await client.collection(resource).create(data)).data).id

const addNews = (data: Record<string, unknown> = {}) => add('news', { title: uniqueWord('News'), ...data })

async function addRegion(name = uniqueWord('Region')): Promise<number> {
  const region = await add('regions', { name })
  await add('districts', { name: `${name} east`, region })
  return region
}

/** Strapi v4 has no `documentId`: the address contains the id instead. */
const readNews = async (id: number, query: Query = {}) =>
  entryOf((await client.collection('news').findOne(String(id), query)).data).attributes

const titles = async (query: Query): Promise<string[]> =>
  (await client.collection('news').find(query)).data.map((document) => entryOf(document).attributes.title)

const idsOf = (linkedEntries: { data: Entry<unknown>[] } | undefined) => linkedEntries?.data.map(({ id }) => id) ?? []

/** The failure of a call: the client's error class, and the body of the answer. */
async function failure(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof HTTPError)) throw new Error('The call should have been refused', { cause: error })
  const body: unknown = await error.response.json()
  return { kind: error.constructor, status: error.response.status, body }
}

describe('signing in', () => {
  it('signs in with an e-mail or a user name, even with a stale token attached', async () => {
    const account = farmer()
    await client.collection('users').create(account)
    for (const identifier of [account.email, account.username]) {
      const { signedIn } = await signIn(identifier, account.password)
      const me = await json<Account>(signedIn.fetch('/users/me?populate=role'))
      expect(me).toMatchObject({ username: account.username, role: { type: 'authenticated' } })
    }
    const staleClient = strapi({ baseURL: apiUrl, auth: 'stale' })
    const { password } = account
    expect(await post('/auth/local', { identifier: account.email, password }, staleClient)).toHaveProperty('jwt')
  })

  it('fails a sign-in with the message of the server', async () => {
    expect(await failure(signIn(uniqueWord(), 'wrong-pass'))).toMatchObject({
      kind: HTTPBadRequestError,
      status: 400,
      body: { data: null, error: { message: 'Invalid identifier or password', details: {} } },
    })
  })

  it('ends the session when the user logs out', async () => {
    const { signedIn } = await signIn(owner.identifier, owner.password)
    expect(await json(signedIn.fetch('/auth/logout', { method: 'POST' }))).toEqual({ ok: true })
    expect(await failure(signedIn.collection('news').find())).toMatchObject({
      kind: HTTPAuthorizationError,
      body: { error: { status: 401, name: 'UnauthorizedError' } },
    })
  })
})

describe('reading', () => {
  it('reads lists by page number and by offset', async () => {
    const link = `https://example.org/${uniqueWord()}`
    for (let views = 1; views <= 5; views += 1) await addNews({ link, views, title: `Item ${views}` })
    const page = async (pagination: NonNullable<Query['pagination']>) => {
      const { data, meta } = await client.collection('news').find({ filters: { link }, sort: 'views', pagination })
      return [data.map((document) => entryOf(document).attributes.views), meta.pagination]
    }
    expect(await page({ page: 2, pageSize: 2 })).toEqual([[3, 4], { page: 2, pageSize: 2, pageCount: 3, total: 5 }])
    expect(await page({ start: 3, limit: 5 })).toEqual([[4, 5], { start: 3, limit: 5, total: 5 }])
    expect(await page({ page: 1, pageSize: 2, withCount: false })).toEqual([[1, 2], { page: 1, pageSize: 2 }])
  })

  it('sorts news by text, by list and through a relation', async () => {
    const link = `https://example.org/${uniqueWord()}`
    const [b, a] = [await addRegion('Bukhara'), await addRegion('Andijan')]
    await addNews({ link, title: 'one', views: 2, date: '2026-01-01', region: b })
    await addNews({ link, title: 'two', views: 1, date: '2026-01-02', region: a })
    await addNews({ link, title: 'three', views: 1, date: '2026-01-03', region: b })
    const sortedTitles = (sort: string | string[]) => titles({ filters: { link }, sort })
    expect(await sortedTitles('date:desc')).toEqual(['three', 'two', 'one'])
    expect(await sortedTitles('views,date:desc')).toEqual(['three', 'two', 'one'])
    expect(await sortedTitles(['region.name:asc', 'date:desc'])).toEqual(['two', 'three', 'one'])
  })

  it('chooses fields and populates relations by star, text, list and object', async () => {
    const [tag, region] = [await add('tags', { name: 'Water' }), await addRegion()]
    const id = await addNews({ title: 'Canal', tags: [tag], region })
    expect(await readNews(id, { fields: ['title', 'views'] })).toEqual({ title: 'Canal', views: 0 })
    // The parameter `status` chooses drafts in Strapi v5; v4 ignores it as an unknown parameter.
    const star = await readNews(id, { populate: '*', status: 'draft' })
    expect(star).toMatchObject({ image: { data: null }, localizations: { data: [] }, region: { data: { id: region } } })
    for (const populate of ['tags,region', ['tags', 'region'], { tags: { fields: ['name'] }, region: true }]) {
      const populatedNews = await readNews(id, { populate })
      expect([idsOf(populatedNews.tags), populatedNews.region?.data?.id]).toEqual([[tag], region])
    }
    const deepNews = await readNews(id, { populate: { region: { populate: { districts: { sort: ['name'] } } } } })
    expect(deepNews.region?.data?.attributes.districts?.data).toHaveLength(1)
    // The official client of Strapi writes an empty list as `populate[]`.
    expect(await readNews(id, { populate: [] })).not.toHaveProperty('tags')
  })
})

describe('filtering', () => {
  const link = `https://example.org/${uniqueWord()}`
  let [tag, region] = [0, 0]
  beforeAll(async () => {
    ;[tag, region] = [await add('tags', { name: 'Cereals' }), await addRegion('Khorezm')]
    await addNews({ ...stories.wheat, link, tags: [tag, await add('tags', { name: 'Cereals of spring' })], region })
    await addNews({ ...stories.bread, link, tags: [tag] })
    await addNews({ ...stories.cotton, link })
  })
  const findTitles = async (filters: Record<string, unknown>) =>
    storiesOf(await titles({ filters: { link, ...filters }, sort: 'views' }))

  it.each(conditions)(
    'finds the expected news with a filter by $operator',
    async ({ filters, matchedStories: expected }) => {
      expect(await findTitles(filters)).toEqual(expected)
    },
  )

  it('filters through relations without counting a record twice', async () => {
    expect(await findTitles({ region })).toEqual(['wheat'])
    expect(await findTitles({ region: { name: { $containsi: 'KHOREZ' } } })).toEqual(['wheat'])
    expect(await findTitles({ region: { id: { $null: true } } })).toEqual(['bread', 'cotton'])
    expect(await titles({ filters: { link, tags: { name: { $startsWith: 'Cereals' } } } })).toHaveLength(2)
    expect(await findTitles({ tags: { id: { $in: [tag] } } })).toEqual(['wheat', 'bread'])
  })

  it('reports a filter on an unknown field', async () => {
    const body = { error: { name: 'ValidationError', message: 'Invalid parameter bogus' } }
    expect(await failure(findTitles({ bogus: 1 }))).toMatchObject({ kind: HTTPBadRequestError, body })
  })
})

describe('writing', () => {
  it('creates a record, accepts its own whole answer back, and deletes it', async () => {
    const [tag, region] = [await add('tags', { name: uniqueWord('Tag') }), await addRegion()]
    const createdNews = await client
      .collection('news')
      .create({ title: 'Harvest', tags: [tag], region }, { populate: '*' })
    const { id, attributes } = entryOf(createdNews.data)
    expect(idsOf(attributes.tags)).toEqual([tag])
    const echoedDraft = {
      id,
      ...attributes,
      title: 'Late harvest',
      tags: idsOf(attributes.tags),
      region: { id: region },
      image: null,
      gallery: [],
      localizations: [],
      locale: 'ru',
      documentId: null,
      publishedAt: null,
    }
    const updatedNews = await client.collection('news').update(String(id), echoedDraft, { populate: '*' })
    expect(entryOf(updatedNews.data)).toMatchObject({
      id,
      attributes: { title: 'Late harvest', locale: 'en', region: { data: { id: region } } },
    })
    // Strapi v5 answers a deletion without a body, v4 with the record; the client reads neither.
    expect(await client.collection('news').delete(String(id), { populate: '*' })).toBeUndefined()
    expect(await failure(readNews(id))).toMatchObject({ kind: HTTPNotFoundError, body: { data: null } })
  })

  it('sets, connects and clears the relations of a record', async () => {
    const [a, b] = [await add('tags', { name: uniqueWord('A') }), await add('tags', { name: uniqueWord('B') })]
    const region = await addRegion()
    const id = await addNews()
    const readAfterUpdate = async (data: Record<string, unknown>) => {
      const answer = await client.collection('news').update(String(id), data, { populate: ['tags', 'region'] })
      const { attributes } = entryOf(answer.data)
      return [idsOf(attributes.tags), attributes.region?.data?.id ?? null]
    }
    expect(await readAfterUpdate({ tags: [b, a], region })).toEqual([[b, a], region])
    expect(await readAfterUpdate({ tags: { disconnect: [b] } })).toEqual([[a], region])
    expect(await readAfterUpdate({ tags: { connect: [{ id: b }] } })).toEqual([[a, b], region])
    expect(await readAfterUpdate({ tags: { set: [b] }, region: { connect: [region] } })).toEqual([[b], region])
    expect(await readAfterUpdate({ tags: [], region: null })).toEqual([[], null])
    // In Strapi v5 `documentId` identifies the target of a link; v4 has no `documentId`, and sets no link by
    // it.
    expect(await failure(readAfterUpdate({ tags: ['k3x9documentid'] }))).toMatchObject({ kind: HTTPBadRequestError })
  })

  it("translates a record through the client's raw request, and lists records by language", async () => {
    const link = `https://example.org/${uniqueWord()}`
    const id = await addNews({ title: 'Rain', link })
    type Translation = News & { id: number }
    const createTranslation = (data: Record<string, unknown>) => post<Translation>(`/news/${id}/localizations`, data)
    const russian = await createTranslation({ locale: 'ru', title: 'Дождь' })
    expect(russian).toMatchObject({ title: 'Дождь', locale: 'ru', link })
    const kaa = await createTranslation({ locale: 'kaa', title: 'Jawın' })
    expect(idsOf((await readNews(id, { populate: ['localizations'] })).localizations)).toEqual([russian.id, kaa.id])
    const listTitles = (locale: string) => titles({ filters: { link }, locale, sort: 'id' })
    expect([await listTitles('ru'), await listTitles('uz'), await listTitles('all')]).toEqual([
      ['Дождь'],
      [],
      ['Rain', 'Дождь', 'Jawın'],
    ])
    // A document of Strapi v5 has all languages under `?locale=`; in v4 an id belongs to one language.
    await client.collection('news').update(String(id), { title: 'Heavy rain' }, { locale: 'ru' })
    expect(await readNews(id, { locale: 'ru' })).toMatchObject({ title: 'Heavy rain', locale: 'en' })
    expect(await readNews(russian.id)).toMatchObject({ title: 'Дождь', locale: 'ru' })
    expect(await failure(createTranslation({ locale: 'ru', title: 'Again' }))).toMatchObject({
      kind: HTTPBadRequestError,
      body: { error: { name: 'ApplicationError', message: 'locale is already used' } },
    })
    await client.collection('news').delete(String(russian.id))
    expect(await listTitles('all')).toEqual(['Heavy rain', 'Jawın'])
    await client.collection('news').delete(String(id), { locale: 'all' })
    expect(await listTitles('all')).toEqual([])
  })

  it('updates the single page in each language', async () => {
    const aboutClient = client.single('about')
    const [title, russian] = [uniqueWord('About'), uniqueWord('О нас')]
    const aboutEntry = entryOf((await aboutClient.update({ title, phone: '+998 61 222 00 00' }, { locale: 'en' })).data)
    const russianAbout = entryOf((await aboutClient.update({ title: russian }, { locale: 'ru', populate: '*' })).data)
    expect(idsOf(russianAbout.attributes.localizations)).toContain(aboutEntry.id)
    expect((await aboutClient.find()).data).toMatchObject({ id: aboutEntry.id, attributes: { title, locale: 'en' } })
    expect((await aboutClient.find({ locale: 'ru' })).data).toMatchObject({
      attributes: { title: russian, phone: '+998 61 222 00 00' },
    })
    expect(entryOf((await aboutClient.update({ title: `${russian}!` }, { locale: 'ru' })).data).id).toBe(
      russianAbout.id,
    )
    expect(await aboutClient.delete({ locale: 'ru' })).toBeUndefined()
    expect(await failure(aboutClient.find({ locale: 'ru' }))).toMatchObject({ kind: HTTPNotFoundError })
  })
})

describe('files', () => {
  it('uploads pictures from a buffer or a blob', async () => {
    const fileInfo = { name: uniqueWord('Field'), alternativeText: 'A field' }
    const [file] = await client.files.upload(pixel, { filename: 'field.png', mimetype: 'image/png', fileInfo })
    if (!file) throw new Error('The upload was answered with an empty list')
    expect(file).toMatchObject({ ...fileInfo, mime: 'image/png', ext: '.png', width: 1, height: 1 })
    const secondFile = await client.files.upload(new File([pixel], 'second.png', { type: 'image/png' }))
    expect(secondFile).toMatchObject([{ name: 'second.png' }])
    expect(await client.files.find({ filters: { name: fileInfo.name }, sort: 'id:desc' })).toMatchObject([
      { id: file.id },
    ])
    expect(await client.files.findOne(file.id)).toMatchObject({ url: file.url })
    expect((await fetch(`${serverUrl}${file.url}`)).status).toBe(200)
    expect(await client.files.update(file.id, { alternativeText: 'A dry field', caption: 'May' })).toMatchObject({
      id: file.id,
      name: fileInfo.name,
      alternativeText: 'A dry field',
      caption: 'May',
      url: file.url,
    })

    const id = await addNews({ image: file.id })
    expect((await readNews(id, { populate: 'image' })).image?.data).toMatchObject({
      id: file.id,
      attributes: { caption: 'May' },
    })
    expect(await client.files.delete(file.id)).toMatchObject({ id: file.id })
    expect((await readNews(id, { populate: 'image' })).image).toEqual({ data: null })
    expect(await failure(client.files.findOne(file.id))).toMatchObject({ status: 404 })
    expect(await failure(client.files.upload(new Blob(['text'], { type: 'text/plain' })))).toMatchObject({
      kind: HTTPBadRequestError,
    })
  })

  it('creates a record and its picture in one call', async () => {
    const body = new FormData()
    body.append('data', JSON.stringify({ title: 'With a picture', image: [] }))
    body.append('files.image', new Blob([pixel], { type: 'image/png' }), 'field.png')
    expect(await json(client.fetch('/news?populate=*', { method: 'POST', body }))).toMatchObject({
      data: { attributes: { title: 'With a picture', image: { data: { attributes: { mime: 'image/png' } } } } },
    })
  })
})

describe('people', () => {
  it('reads and writes accounts without an envelope', async () => {
    const users = client.collection('users')
    const account = farmer()
    // Accounts are flat in v4 and v5 alike, but the client types them as wrapped documents.
    const createdUser: unknown = await users.create({ ...account, name: 'Marat' })
    expect(createdUser).toMatchObject({ username: account.username, name: 'Marat', role: { type: 'authenticated' } })
    const foundUsers: unknown = await users.find({ filters: { email: account.email }, populate: 'role' })
    expect(foundUsers).toEqual([expect.objectContaining({ username: account.username })])
    const id = Array.isArray(foundUsers) ? Number(foundUsers.map((user: Account) => user.id)[0]) : 0
    expect(await users.findOne(id, { populate: ['role'] })).toMatchObject({ id, role: { type: 'authenticated' } })
    expect(await users.update(id, { name: 'M.', role: 1, id: 999 })).toMatchObject({ id, name: 'M.' })
    expect(await failure(users.create(account))).toMatchObject({
      kind: HTTPBadRequestError,
      body: { error: { name: 'ApplicationError' } },
    })
    expect(await json(client.fetch('/users/count'))).toEqual(expect.any(Number))
    expect(await users.delete(id)).toBeUndefined()
    expect(await failure(users.findOne(id))).toMatchObject({ kind: HTTPNotFoundError })
  })
})

describe('refusals', () => {
  it('names every invalid field of a refused record', async () => {
    const { kind, body } = await failure(client.collection('news').create({ views: 'many', kind: 'poem' }))
    expect(kind).toBe(HTTPBadRequestError)
    expect(body).toMatchObject({
      data: null,
      error: {
        name: 'ValidationError',
        message: '3 errors occurred',
        details: { errors: [{ path: ['title'] }, { path: ['kind'] }, { path: ['views'] }] },
      },
    })
  })

  it('throws separate errors for 403 and 404, and a general error for other statuses', async () => {
    const account = farmer()
    await client.collection('users').create(account)
    const { signedIn } = await signIn(account.username, account.password)
    expect(await failure(signedIn.collection('news').create({ title: 'Mine' }))).toMatchObject({
      kind: HTTPForbiddenError,
      body: { data: null, error: { status: 403, name: 'ForbiddenError' } },
    })
    for (const id of ['2000000000', 'k3x9documentid']) {
      expect(await failure(client.collection('news').findOne(id))).toMatchObject({
        kind: HTTPNotFoundError,
        body: { error: { name: 'NotFoundError' } },
      })
    }
    const id = await addNews()
    await client.collection('news').update(String(id), { views: 1 })
    expect(await failure(client.collection('news').update(String(id), { views: 2, version: 1 }))).toMatchObject({
      kind: HTTPError,
      status: 409,
      body: { error: { name: 'ConflictError' } },
    })
  })
})

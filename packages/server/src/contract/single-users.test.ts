import { describe, expect, it } from 'vitest'
import { buildUser } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const resourceApp = startResourceApp(async ({ database }) => {
  for (let index = 0; index < 18; index += 1)
    await buildUser(database, 'authenticated', { name: `Name ${index}`, surname: 'S.', is_consultant: index < 2 })
})

describe('the single type about (contract §9)', () => {
  const putAbout = (locale: string, data: Record<string, unknown>) =>
    resourceApp.ask('PUT', `/about?locale=${locale}`, { data })
  const idOf = ({ body }: { body: unknown }) => (body as { data: { id: number } }).data.id

  it('creates, translates and changes the single page by PUT, and returns it by language', async () => {
    expect((await resourceApp.ask('GET', '/about?locale=ru')).status).toBe(404)
    expect(await putAbout('ru', { phone: '1' })).toMatchObject({
      status: 400,
      body: { error: { message: 'title must be defined.' } },
    })
    const ru = await putAbout('ru', { title: 'О нас', phone: '1' })
    expect(ru).toMatchObject({
      status: 200,
      body: { data: { attributes: { title: 'О нас', locale: 'ru' } }, meta: {} },
    })
    expect((await resourceApp.ask('GET', '/about')).status).toBe(404)
    const kaa = await putAbout('kaa', { title: 'Biz haqqımızda', phone: '2' })
    expect(idOf(kaa)).not.toBe(idOf(ru))
    expect(idOf(await putAbout('kaa', { title: 'Biz' }))).toBe(idOf(kaa))
    expect(await resourceApp.read('/about?locale=ru&populate=localizations')).toMatchObject({
      data: { attributes: { phone: '2', localizations: { data: [{ id: idOf(kaa), attributes: { title: 'Biz' } }] } } },
      meta: {},
    })
  })
  it('accepts translations of the single page and deletes its languages', async () => {
    expect(await resourceApp.ask('POST', '/about/localizations', { locale: 'ru', title: 'x' })).toMatchObject({
      status: 400,
      body: { error: { message: 'locale is already used' } },
    })
    expect(await resourceApp.ask('POST', '/about/localizations', { locale: 'uz', title: 'Biz' })).toMatchObject({
      status: 200,
      body: { locale: 'uz', phone: '2' },
    })
    expect(await resourceApp.ask('DELETE', '/about?locale=uz')).toMatchObject({
      status: 200,
      body: { data: { attributes: { title: 'Biz' } } },
    })
    expect((await resourceApp.ask('GET', '/about?locale=uz')).status).toBe(404)
    expect((await resourceApp.ask('DELETE', '/about?locale=uz')).status).toBe(404)
  })
  it.each(['GET', 'PUT', 'DELETE'] as const)('refuses an unknown language of the single page: %s', async (method) => {
    const body = method === 'PUT' ? { data: { title: 'T' } } : undefined
    expect(await resourceApp.ask(method, '/about?locale=de', body)).toMatchObject({
      status: 400,
      body: { error: { name: 'ApplicationError' } },
    })
  })
  it('creates the single page once by concurrent first writes', async () => {
    await resourceApp.ask('DELETE', '/about?locale=all')
    const answers = await Promise.all(['en', 'ru', 'uz', 'ru'].map((locale) => putAbout(locale, { title: locale })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { data } = await resourceApp.read<{ data: { attributes: { localizations: { data: unknown[] } } } }>(
      '/about?populate=localizations',
    )
    expect(data.attributes.localizations.data).toHaveLength(2)
  })
})

describe('users (contract §3)', () => {
  it('returns users as a bare array without start and limit, whatever the requested page', async () => {
    for (const query of ['', '?pagination[page]=2&pagination[pageSize]=5']) {
      const { body } = await resourceApp.ask('GET', `/users${query}`, undefined, 'owner')
      expect(body).toHaveLength(22)
    }
  })
  it.each([
    ['start=0&limit=15', 15, { start: 0, limit: 15, total: 22 }],
    ['start=20', 2, { start: 20, limit: 15, total: 22 }],
    ['limit=3', 3, { start: 0, limit: 3, total: 22 }],
    ['start=0&limit=5&filters[is_consultant]=true', 2, { start: 0, limit: 5, total: 2 }],
  ])('returns for the query "%s" of users %i of them', async (query, rows, pagination) => {
    const { body } = await resourceApp.ask('GET', `/users?${query}`, undefined, 'owner')
    expect(body).toMatchObject({ count: pagination.total, meta: { pagination } })
    expect((body as { data: unknown[] }).data).toHaveLength(rows)
  })
  it('returns users flat, with first and last names, and without secrets', async () => {
    const { body } = await resourceApp.ask('GET', '/users?filters[name]=Name 1&populate=role', undefined, 'owner')
    expect(body).toMatchObject([
      { first_name: 'Name 1', last_name: 'S.', provider: 'local', role: { type: 'authenticated' } },
    ])
    expect(JSON.stringify(body)).not.toMatch(/password|attributes/)
  })
  it('returns the count of users as a bare number', async () => {
    expect((await resourceApp.ask('GET', '/users/count', undefined, 'owner')).body).toBe(22)
    expect((await resourceApp.ask('GET', '/users/count?filters[is_consultant]=true', undefined, 'owner')).body).toBe(2)
  })
  it.each(['', '?populate=role', '?populate[0]=role', '?populate=*'])(
    'returns the user at /users/me%s with a role only on request',
    async (query) => {
      const { body } = await resourceApp.ask('GET', `/users/me${query}`, undefined, 'authenticated')
      expect(body).toMatchObject({ id: resourceApp.people.authenticated, username: 'authenticated' })
      expect('role' in (body as object)).toBe(query !== '')
    },
  )
  it('returns 404 for an unknown account', async () => {
    expect(await resourceApp.ask('GET', '/users/999999', undefined, 'owner')).toMatchObject({
      status: 404,
      body: { error: { message: 'User not found' } },
    })
  })
})

describe('roles', () => {
  it('lists roles in both forms, with their numbers of users', async () => {
    const { body } = await resourceApp.ask('GET', '/users-permissions/roles')
    const roles = (body as { roles: { type: string; nb_users: number }[] }).roles
    expect(roles.find(({ type }) => type === 'authenticated')?.nb_users).toBe(19)
    expect(await resourceApp.read('/roles?filters[type]=owner')).toMatchObject({
      data: [{ attributes: { type: 'owner', nb_users: 1 } }],
    })
    expect((await resourceApp.read<{ data: unknown[] }>('/roles?filters[nb_users][$gt]=1')).data).toHaveLength(1)
  })
  it.each([
    ['POST', '/roles'],
    ['DELETE', '/roles/1'],
  ] as const)('refuses to create or delete roles: %s %s', async (method, url) => {
    expect(
      await resourceApp.ask(method, url, method === 'POST' ? { data: { name: 'x' } } : undefined, 'owner'),
    ).toMatchObject({ status: 422, body: { error: { message: 'These records are fixed' } } })
  })
})

/**
 * Contract §1 and its introduction: the shape and name of every kind of refusal, and which addresses exist.
 */
import { resources, type Resource } from '@dala/model'
import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { descriptions } from '../testing/descriptions.ts'
import { tokenOf } from '../testing/app.ts'
import { buildNews, buildRegion, nextNumber } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface Refusal {
  data: null
  error: {
    status: number
    name: string
    message: string
    code: string
    details: { errors?: { path: string[]; message: string; name: string; code: string; params: object }[] }
  }
}
const refusalOf = (body: unknown) => (body as Refusal).error
const tokens = new Map<string, Promise<string>>()
const makeToken = (userName: string) => {
  const token = tokens.get(userName) ?? tokenOf(resourceApp.app, userName)
  tokens.set(userName, token)
  return token
}
const sendRequest = async (options: InjectOptions, userName = 'admin') =>
  resourceApp.app.inject({
    ...options,
    headers: { authorization: `Bearer ${await makeToken(userName)}`, ...options.headers },
  })

describe('an error body', () => {
  it('names path, message, error name, code and figures of each field in an error body', async () => {
    const firstAnswer = await resourceApp.ask('POST', '/news', { data: { title: 'T', views: -1 } })
    const views = {
      path: ['views'],
      message: expect.any(String) as string,
      name: 'ValidationError',
      code: 'validation.min',
      params: { field: 'views', min: 0 },
    }
    expect(firstAnswer.body).toEqual({
      data: null,
      error: {
        status: 400,
        name: 'ValidationError',
        message: refusalOf(firstAnswer.body).details.errors?.[0]?.message,
        code: 'validation.min',
        params: undefined,
        details: { errors: [views] },
      },
    })
    const secondAnswer = await resourceApp.ask('POST', '/news', { data: { views: -1 } })
    expect(refusalOf(secondAnswer.body)).toMatchObject({ message: '2 errors occurred', details: { errors: [{}, {}] } })
  })
  it.each<[status: number, name: string, ask: () => Promise<{ status: number; body: unknown }>]>([
    [400, 'ValidationError', () => resourceApp.ask('POST', '/news', { data: {} })],
    [400, 'ValidationError', () => resourceApp.ask('GET', '/news?filters[bogus]=1')],
    [400, 'ApplicationError', () => resourceApp.ask('POST', '/news', { data: { title: 'T', locale: 'de' } })],
    [401, 'UnauthorizedError', () => resourceApp.ask('GET', '/news', undefined, 'public')],
    [403, 'ForbiddenError', () => resourceApp.ask('POST', '/news', { data: { title: 'T' } }, 'authenticated')],
    [404, 'NotFoundError', () => resourceApp.ask('GET', '/news/999999')],
    [404, 'NotFoundError', () => resourceApp.ask('GET', '/bogus')],
    [
      409,
      'ConflictError',
      async () =>
        resourceApp.ask('PUT', `/news/${await buildNews(resourceApp.database)}`, { data: { title: 'T', version: 99 } }),
    ],
    [422, 'UnprocessableEntityError', () => resourceApp.ask('POST', '/roles', { data: { name: 'R' } }, 'owner')],
  ])('names a refusal with the status %i %s', async (status, name, ask) => {
    const { status: answeredStatus, body } = await ask()
    expect([answeredStatus, body]).toMatchObject([status, { data: null, error: { status, name, details: {} } }])
  })
  it.each([
    [413, 'PayloadTooLargeError', { 'content-type': 'application/json' }, `{"data":"${'x'.repeat(1_048_577)}"}`],
    [415, 'UnsupportedMediaTypeError', { 'content-type': 'text/plain' }, 'x'],
    [400, 'ValidationError', { 'content-type': 'application/json' }, '{"data":'],
  ])('answers %i %s for an unreadable body', async (status, name, headers, payload) => {
    const answer = await sendRequest({ method: 'POST', url: '/api/news', headers, payload })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      status,
      { data: null, error: { status, name, details: {} } },
    ])
  })
})

describe('the Authorization header', () => {
  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'bearer-less',
    'Basic YWRtaW46cGFzc3dvcmQ=',
    'Token abc',
    'Bearer a.b.c',
    'Bearer one two',
  ])('refuses the Authorization header %j', async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await resourceApp.app.inject({ url: '/api/news', headers })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      401,
      { data: null, error: { name: 'UnauthorizedError', details: {} } },
    ])
  })
  it('refuses a token anywhere but in the Authorization header', async () => {
    const token = await makeToken('admin')
    const tokenRequests: InjectOptions[] = [
      { url: `/api/users/me?token=${token}&access_token=${token}` },
      { url: '/api/users/me', headers: { cookie: `token=${token}; jwt=${token}; Authorization=Bearer ${token}` } },
      { url: '/api/users/me', headers: { 'x-authorization': `Bearer ${token}`, 'x-access-token': token } },
      { method: 'POST', url: '/api/auth/logout', payload: { token, jwt: token } },
    ]
    for (const tokenRequest of tokenRequests) expect((await resourceApp.app.inject(tokenRequest)).statusCode).toBe(401)
    expect((await sendRequest({ url: '/api/users/me' })).statusCode).toBe(200)
  })
})

describe('a method that a path does not support', () => {
  it.each<[method: NonNullable<InjectOptions['method']>, url: string]>([
    ['PATCH', '/api/news'],
    ['PATCH', '/api/news/1'],
    ['PUT', '/api/news'],
    ['DELETE', '/api/news'],
    ['POST', '/api/news/1'],
    ['GET', '/api/news/1/localizations'],
    ['GET', '/api/news/1/restore'],
    ['POST', '/api/about'],
    ['PUT', '/api/about/1'],
    ['GET', '/api/about/1'],
    ['POST', '/api/i18n/locales'],
    ['OPTIONS', '/api/news'],
    ['PATCH', '/api/users/1'],
    ['POST', '/api/statistics'],
    ['PUT', '/api/statistics/1'],
    ['DELETE', '/api/statistics/1'],
  ])('answers a method that a path does not support with 404, never 405: %s %s', async (method, url) => {
    const answer = await sendRequest({ method, url })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      404,
      { data: null, error: { name: 'NotFoundError', code: 'route.not-found', details: {} } },
    ])
    expect(answer.headers.allow).toBeUndefined()
  })
})

describe('addresses', () => {
  it.each(Object.values<Resource>(resources).map(({ wire, single }) => [wire, single] as const))(
    'answers at the address /api/%s of the specification',
    async (wire, isSingle) => {
      const answer = await sendRequest({ url: `/api/${wire}` }, 'owner')
      // The single page does not exist yet, which is another 404 than that of an unknown address.
      const { error } = answer.json<Partial<Refusal>>()
      expect([answer.statusCode, error?.code]).toEqual(isSingle ? [404, 'record.not-found'] : [200, undefined])
    },
  )
  it.each(Object.keys(descriptions).filter((key) => key.startsWith('GET ')))(
    'accepts a trailing slash in the address: %s',
    async (key) => {
      const path = key.slice(4).replaceAll(/[:{]\w+\}?/g, '999999')
      const outcome = async (url: string) => {
        const { statusCode, headers, body } = await sendRequest({ url })
        // The refusal of a shared page is a page.
        const isPage = headers['content-type']?.toString().startsWith('text/html') === true
        const refusal = statusCode < 400 ? undefined : isPage ? body : (JSON.parse(body) as Refusal).error.code
        return [statusCode, headers['content-type'], refusal]
      }
      expect(await outcome(`${path}/`)).toEqual(await outcome(path))
    },
  )
  it('accepts a trailing slash in the addresses of writes', async () => {
    const createdAnswer = await resourceApp.ask('POST', '/news/', { data: { title: 'T' } })
    const { id } = (createdAnswer.body as { data: { id: number } }).data
    expect([
      createdAnswer.status,
      (await resourceApp.ask('PUT', `/news/${id}/`, { data: { title: 'U' } })).status,
      (await resourceApp.ask('POST', `/news/${id}/localizations/`, { locale: 'ru', title: 'Р' })).status,
      (await resourceApp.ask('DELETE', `/news/${id}/?locale=all`)).status,
      (await resourceApp.ask('POST', `/news/${id}/restore/`)).status,
      (await resourceApp.ask('PUT', '/about/?locale=en', { data: { title: 'A' } })).status,
      (await resourceApp.ask('DELETE', '/about/')).status,
    ]).toEqual([200, 200, 200, 200, 200, 200, 200])
  })
  it.each([
    ['//api/news', 404],
    ['/api//news', 404],
    ['/API/news', 404],
    ['/api/News', 404],
    ['/api/news;x=1', 404],
    ['/api/news%2F1', 404],
    ['/api/news/1;x=1', 401],
    ['/api/news/1%3Bx', 401],
  ])('answers the unusual address %s without a token with %i', async (url, status) => {
    const headers = { accept: 'application/json' }
    expect((await resourceApp.app.inject({ url, headers })).statusCode).toBe(status)
    expect((await sendRequest({ url, headers })).statusCode).toBe(404)
  })
  it('decodes letters of an address before the token is checked', async () => {
    expect((await resourceApp.app.inject({ url: '/api/%6eews' })).statusCode).toBe(401)
    const draft = { method: 'POST', url: '/api/%6eews', payload: { data: { title: 'T' } } } as const
    expect((await sendRequest(draft, 'authenticated')).statusCode).toBe(403)
    expect((await sendRequest(draft)).statusCode).toBe(200)
  })
  it.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
    'ignores the method in the header %s',
    async (header) => {
      const id = await buildRegion(resourceApp.database, { code: `m-${nextNumber()}` })
      const payload = { data: { name: 'R' } }
      const url = `/api/regions/${id}`
      expect((await sendRequest({ method: 'POST', url, headers: { [header]: 'PUT' }, payload })).statusCode).toBe(404)
      expect((await sendRequest({ url: `${url}?_method=DELETE`, headers: { [header]: 'DELETE' } })).statusCode).toBe(
        200,
      )
      expect((await sendRequest({ url })).statusCode).toBe(200)
    },
  )
  it('answers HEAD like GET without the body', async () => {
    const answer = await sendRequest({ method: 'HEAD', url: '/api/news' })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect((await resourceApp.app.inject({ method: 'HEAD', url: '/api/news' })).statusCode).toBe(401)
  })
})

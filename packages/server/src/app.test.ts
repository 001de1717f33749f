import { connect } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { runInBoundedTime } from './testing/bounded-time.ts'
import { openTestApp, type TestApp, tokenOf } from './testing/app.ts'
import { buildUser, testPassword } from './testing/factories.ts'

let context: TestApp
beforeAll(async () => {
  context = await openTestApp()
})

const json = { 'content-type': 'application/json' }
const login = { method: 'POST', url: '/api/auth/local', headers: json } as const

describe('the error body of contract §1', () => {
  test.each<[what: string, request: InjectOptions, status: number, code: string]>([
    ['an unknown route', { url: '/api/nothing' }, 404, 'route.not-found'],
    ['an unknown route with a slash', { url: '/api/nothing/' }, 404, 'route.not-found'],
    [
      'an unknown page asked for by a program',
      { url: '/nothing', headers: { accept: 'application/json' } },
      404,
      'route.not-found',
    ],
    ['PATCH on a known path', { method: 'PATCH', url: '/api/auth/local' }, 404, 'route.not-found'],
    ['GET on a route that only posts', { url: '/api/auth/local' }, 404, 'route.not-found'],
    ['OPTIONS', { method: 'OPTIONS', url: '/api/auth/local' }, 404, 'route.not-found'],
    ['a broken address', { url: '/api/%ZZ' }, 400, 'request.header'],
    ['a broken query', { url: '/api/auth/local?a=%ZZ' }, 400, 'request.header'],
    ['a deep query', { url: `/api/auth/local?a${'[b]'.repeat(20)}=1` }, 400, 'query.too-large'],
    ['a forbidden key in the query', { url: '/api/auth/local?__proto__[a]=1' }, 400, 'request.forbidden-key'],
    ['broken JSON', { ...login, payload: '{' }, 400, 'request.json'],
    ['a forbidden key in the body', { ...login, payload: '{"__proto__":1}' }, 400, 'request.forbidden-key'],
    ['a null byte', { ...login, payload: String.raw`{"identifier":"\u0000"}` }, 400, 'request.text'],
    ['XML', { ...login, headers: { 'content-type': 'text/xml' }, payload: '<a/>' }, 415, 'request.media-type'],
    [
      'a form',
      { ...login, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=1' },
      415,
      'request.media-type',
    ],
    [
      'another JSON type',
      { ...login, headers: { 'content-type': 'application/jsonx' }, payload: '{}' },
      415,
      'request.media-type',
    ],
    [
      'a patch type',
      { ...login, headers: { 'content-type': 'application/json-patch+json' }, payload: '{}' },
      415,
      'request.media-type',
    ],
    [
      'another charset',
      { ...login, headers: { 'content-type': 'application/json; charset=utf-16' }, payload: '{}' },
      415,
      'request.media-type',
    ],
    [
      'a second type',
      { ...login, headers: { 'content-type': 'application/json, text/xml' }, payload: '{}' },
      415,
      'request.media-type',
    ],
    ['more than 1 MB', { ...login, payload: `"${'a'.repeat(1_048_576)}"` }, 413, 'request.too-large'],
    ['nobody signed in', { method: 'POST', url: '/api/auth/logout' }, 401, 'auth.unauthorized'],
    [
      'nobody signed in, and a type for a body that is not there',
      {
        method: 'POST',
        url: '/api/auth/logout',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' },
      },
      401,
      'auth.unauthorized',
    ],
    [
      'a form for an unknown route',
      {
        method: 'POST',
        url: '/api/nothing',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'a=1',
      },
      404,
      'route.not-found',
    ],
  ])('sends the error body of the contract for %s', async (_what, request, status, code) => {
    const answer = await context.app.inject(request)
    const body: unknown = answer.json()
    expect(body).toMatchObject({
      data: null,
      error: { status, code, details: {} },
    })
    expect(body).toHaveProperty('error.message')
    expect(body).toHaveProperty('error.name')
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test('answers an unexpected error with its request id only, and logs its stack', async () => {
    const { app, log } = await openTestApp({ database: context.database, settings: { LOG_LEVEL: 'info' } })
    // The session cannot be looked up because its table was changed, although the token is right.
    const { app: otherApp, database } = await openTestApp({ database: context.database })
    await buildUser(database, 'admin', { username: 'someone' })
    const token = await tokenOf(otherApp, 'someone')
    await database.script(
      'alter table sessions rename column agent to agent_kept; alter table sessions rename column last_seen_at to seen_kept',
    )
    try {
      const answer = await app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${token}` } })
      const id = answer.headers['x-request-id']
      expect([answer.statusCode, answer.json()]).toEqual([
        500,
        {
          data: null,
          error: {
            status: 500,
            name: 'InternalServerError',
            message: 'internal server error',
            code: 'server.internal',
            details: { requestId: id },
          },
        },
      ])
      expect(log()).toContain(String(id))
      expect(log()).toContain('"stack"')
      expect(log()).not.toContain(token)
    } finally {
      await database.script(
        'alter table sessions rename column agent_kept to agent; alter table sessions rename column seen_kept to last_seen_at',
      )
    }
  })
})

test('answers a connection whose bytes are not HTTP with an error', async () => {
  const address = await context.app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  expect(answer).toContain('HTTP/1.1 400')
  expect(answer).toContain('"code":"request.header"')
})

test('sends the security headers with pages, and the order to stay with https only with https pages', async () => {
  const { headers } = await context.app.inject({ url: '/app', headers: { accept: 'text/html' } })
  expect(headers).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  const policy = String(headers['content-security-policy']).split(';')
  for (const directive of [
    "default-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ])
    expect(policy).toContain(directive)
  for (const banner of ['server', 'x-powered-by']) expect(headers).not.toHaveProperty(banner)
  expect((await context.app.inject({ url: '/api/i18n/locales' })).headers['cache-control']).toBe('no-store')
  expect(headers['content-security-policy']).toContain(
    ";media-src 'self' https:;frame-src https://www.youtube-nocookie.com https://player.vimeo.com;",
  )
  expect(headers['permissions-policy']).toContain('camera=()')
  expect(headers['content-security-policy']).not.toContain('unsafe')
  expect(headers['strict-transport-security']).toBeUndefined()
  const secureApp = await openTestApp({
    database: context.database,
    settings: { PUBLIC_URL: 'https://dala.example.org' },
  })
  expect((await secureApp.app.inject({ url: '/health' })).headers['strict-transport-security']).toContain('max-age=')
})

test('allows requests of other origins only when the settings list exactly that origin', async () => {
  const { app } = await openTestApp({
    database: context.database,
    settings: { CORS_ORIGINS: 'https://apps.example.org' },
  })
  const readAllowedOrigin = async (origin: string) =>
    (await app.inject({ url: '/health', headers: { origin } })).headers['access-control-allow-origin']
  expect(await readAllowedOrigin('https://apps.example.org')).toBe('https://apps.example.org')
  expect(await readAllowedOrigin('https://apps.example.org.evil.example')).toBeUndefined()
  expect(await readAllowedOrigin('null')).toBeUndefined()
  const closedAnswer = await context.app.inject({ url: '/health', headers: { origin: 'https://apps.example.org' } })
  expect(closedAnswer.headers['access-control-allow-origin']).toBeUndefined()
})

test('writes no password, token or address of a person to the log', async () => {
  const { app, database, log } = await openTestApp({ database: context.database })
  await buildUser(database, 'admin', { username: 'canary-person', email: 'canary-person@example.org' })
  const token = await tokenOf(app, 'canary-person@example.org')
  await app.inject({ ...login, payload: { identifier: 'canary-person@example.org', password: 'canary-wrong' } })
  await app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${token}` } })
  await app.inject({
    url: `/api/users?filters[email]=canary-person@example.org&token=${token}`,
    headers: { authorization: `Bearer ${token}` },
  })
  app.log.info({
    password: 'canary-1',
    user: { email: 'canary-2', phone: 'canary-3' },
    body: { data: { token: 'canary-4' } },
  })
  app.log.error({
    err: Object.assign(new Error(`Key (email)=(canary-person@example.org) and ${token}`), { params: ['canary-5'] }),
  })
  expect(log()).toContain('/api/auth/local')
  expect(log()).not.toContain('canary-')
  expect(log()).not.toContain(testPassword)
  expect(log()).not.toContain(token)
})

test('logs only a part of a long message, in time proportional to its length', async () => {
  const { app, log } = await openTestApp({ database: context.database })
  runInBoundedTime(() => app.log.info('eyJ-'.repeat(40_000)))
  const lengthBefore = log().length
  app.log.error({ err: new Error(`${'word '.repeat(399)}canary-person@example.org ${'word '.repeat(10_000)}`) })
  const line = JSON.parse(log().slice(lengthBefore)) as { err: { message: string; stack: string } }
  expect(line.err.message.length).toBeLessThanOrEqual(2_000)
  expect(line.err.stack.length).toBeLessThanOrEqual(8_000)
  expect(log()).not.toContain('canary-')
})

describe('the panel', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dala-panel-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Dala</title>')
  writeFileSync(join(folder, 'index.html.br'), 'compressed page')
  writeFileSync(join(folder, 'assets/app-1a2b.js'), 'export {}')
  writeFileSync(join(folder, 'assets/app-1a2b.js.br'), 'compressed')
  writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), 'zipped')
  writeFileSync(join(folder, 'assets/app-1a2b.js.map'), '{}')
  writeFileSync(join(folder, 'service-worker.js'), 'worker')
  writeFileSync(join(folder, '.env'), 'secret')
  let panel: TestApp
  beforeAll(async () => {
    panel = await openTestApp({ database: context.database, panelDir: folder })
  })

  test.each(['/', '/app', '/app/news/7', '/user/login', '/no/such/page'])(
    'answers %s with the page of the panel, which browsers revalidate every time',
    async (url) => {
      const answer = await panel.app.inject({ url, headers: { accept: 'text/html' } })
      expect([answer.statusCode, answer.headers['cache-control'], answer.body]).toEqual([
        200,
        'no-cache',
        expect.stringContaining('Dala'),
      ])
    },
  )

  test("allows browsers to cache the panel's hashed files for a year, and sends them precompressed", async () => {
    const answer = await panel.app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': 'br' } })
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    })
    expect(answer.headers['content-type']).toContain('javascript')
  })

  test('sends hashed files without the headers for documents or for revalidation', async () => {
    const { headers } = await panel.app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': 'br' } })
    expect(Object.keys(headers).toSorted()).toEqual([
      'cache-control',
      'connection',
      'content-encoding',
      'content-length',
      'content-type',
      'cross-origin-resource-policy',
      'date',
      'vary',
      'x-content-type-options',
    ])
  })

  test('sends the copy of a hashed file that a client accepts, else the file itself, with the length of each', async () => {
    const read = async (encoding: string) => {
      const { headers, body } = await panel.app.inject({
        url: '/assets/app-1a2b.js',
        headers: { 'accept-encoding': encoding },
      })
      return [headers['content-encoding'], Number(headers['content-length']), body, headers.vary]
    }
    expect(await read('gzip;q=0.5, br;q=0')).toEqual(['gzip', 6, 'zipped', 'accept-encoding'])
    expect(await read('identity')).toEqual([undefined, 9, 'export {}', 'accept-encoding'])
    expect(await read('br;q=0')).toEqual([undefined, 9, 'export {}', 'accept-encoding'])
  })

  test('answers HEAD for a hashed file with the headers of GET and no body', async () => {
    const answer = await panel.app.inject({ method: 'HEAD', url: '/assets/app-1a2b.js' })
    expect([answer.statusCode, answer.headers['content-length'], answer.body]).toEqual([200, '9', ''])
  })

  test('answers 404 for a hashed file that a new build has removed', async () => {
    const file = join(folder, 'assets/gone-1a2b.js')
    writeFileSync(file, 'gone')
    const other = await openTestApp({ database: context.database, panelDir: folder })
    rmSync(file)
    const answer = await other.app.inject({ url: '/assets/gone-1a2b.js' })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-store'])
    expect(answer.headers['x-request-id']).toBeDefined()
  })

  test('answers 304 to a browser that has the worker already, and the new worker after a change', async () => {
    const read = (tag?: string) =>
      panel.app.inject({ url: '/service-worker.js', headers: tag === undefined ? {} : { 'if-none-match': tag } })
    const tag = String((await read()).headers.etag)
    const repeated = await read(tag)
    expect([repeated.statusCode, repeated.body, repeated.headers.etag]).toEqual([304, '', tag])
    writeFileSync(join(folder, 'service-worker.js'), 'a newer worker')
    const changed = await read(tag)
    expect([changed.statusCode, changed.body]).toEqual([200, 'a newer worker'])
    writeFileSync(join(folder, 'service-worker.js'), 'worker')
  })

  test('sends the page precompressed to clients that accept compression, with every security header', async () => {
    const readEncodedPage = (encoding: string) =>
      panel.app.inject({ url: '/user/login', headers: { accept: 'text/html', 'accept-encoding': encoding } })
    const packedAnswer = await readEncodedPage('gzip, br')
    expect([packedAnswer.headers['content-encoding'], packedAnswer.body]).toEqual(['br', 'compressed page'])
    expect(packedAnswer.headers).toMatchObject({ vary: 'accept-encoding', 'x-frame-options': 'DENY' })
    expect(packedAnswer.headers['content-security-policy']).toContain("script-src 'self'")
    const plainAnswer = await readEncodedPage('gzip')
    expect([plainAnswer.headers['content-encoding'], plainAnswer.body]).toEqual([
      undefined,
      expect.stringContaining('Dala'),
    ])
  })

  test.each([
    '/.env',
    '/assets/nothing.js',
    '/assets/app-1a2b.js.map',
    '/assets/app-1a2b.js.br',
    '/api/nothing',
    '/assets/..%2f.env',
    '/.git/config',
  ])('does not serve %s as a file of the panel', async (url) => {
    expect((await panel.app.inject({ url, headers: { accept: 'text/html' } })).statusCode).toBe(404)
  })

  test("answers the address of a missing panel's worker with a worker that removes itself from browsers", async () => {
    const answer = await context.app.inject({ url: '/service-worker.js' })
    expect([answer.statusCode, answer.headers['cache-control'], answer.headers['content-type']]).toEqual([
      200,
      'no-cache',
      'text/javascript; charset=utf-8',
    ])
    expect(answer.body).toContain('registration.unregister()')
  })

  test("sends the panel's worker with revalidation every time, and with the policy for its own calls", async () => {
    const answer = await panel.app.inject({ url: '/service-worker.js' })
    expect([answer.statusCode, answer.headers['cache-control'], answer.body]).toEqual([200, 'no-cache', 'worker'])
    expect(answer.headers['content-security-policy']).toContain("connect-src 'self'")
  })

  test('explains how to build the panel when it is not built', async () => {
    const answer = await context.app.inject({ url: '/', headers: { accept: 'text/html' } })
    expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining('npm start')])
  })
})

test('answers health and readiness requests with one word', async () => {
  const bodyOf = async (url: string) => (await context.app.inject({ url })).json<unknown>()
  expect(await bodyOf('/health')).toEqual({ status: 'ok' })
  expect(await bodyOf('/ready/')).toEqual({ status: 'ready' })
})

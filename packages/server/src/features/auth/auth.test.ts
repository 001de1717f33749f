import { SignJWT } from 'jose'
import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp, tokenOf } from '../../testing/app.ts'
import { buildUser, testPassword } from '../../testing/factories.ts'
import { addressKey } from '../../domain/accounts/throttle.ts'

const settings = {
  LOGIN_THROTTLE: '3/15m',
  ADDRESS_THROTTLE: '8/15m',
  JWT_SECRET: 'test-key-0123456789-abcdefghijklmnop',
}

let context: TestApp
beforeEach(async () => {
  context = await openTestApp({ settings: { ...settings, TRUSTED_PROXIES: '127.0.0.1' } })
  await buildUser(context.database, 'admin', { username: 'Marat', email: 'marat@example.org' })
  await buildUser(context.database, 'authenticated', { username: 'blocked' })
  await context.database.query(sql`update users set blocked = true where username = 'blocked'`)
})

async function signIn(payload: object, address = '203.0.113.1', headers = {}) {
  const answer = await context.app.inject({
    method: 'POST',
    url: '/api/auth/local',
    payload,
    headers: { 'x-forwarded-for': address, ...headers },
  })
  const body: { user?: Record<string, unknown>; error?: { message: string; code: string; details: unknown } } =
    answer.json()
  return { status: answer.statusCode, body, retryAfter: answer.headers['retry-after'] }
}

const me = async (authorization?: string) =>
  (await context.app.inject({ url: '/api/users/me', headers: authorization === undefined ? {} : { authorization } }))
    .statusCode

describe('POST /api/auth/local', () => {
  test.each(['Marat', 'marat', 'Marat@example.org', ' MARAT@EXAMPLE.ORG '])(
    'accepts the account name %s at sign-in',
    async (identifier) => {
      const { status, body } = await signIn({ identifier, password: testPassword })
      expect([status, body.user?.username]).toEqual([200, 'Marat'])
      expect(JSON.stringify(body)).not.toContain('argon2')
    },
  )

  test('ignores a stale token in the header of a sign-in', async () => {
    const { status } = await signIn({ identifier: 'Marat', password: testPassword }, undefined, {
      authorization: 'Bearer stale',
    })
    expect(status).toBe(200)
  })

  test.each([
    ['a wrong password', { identifier: 'Marat', password: 'wrong' }],
    ['another case', { identifier: 'Marat', password: testPassword.replace('H', 'h') }],
    ['a space before it', { identifier: 'Marat', password: ` ${testPassword}` }],
    ['a space after it', { identifier: 'Marat', password: `${testPassword} ` }],
    ['more than 16 characters', { identifier: 'Marat', password: `${testPassword}${'x'.repeat(9)}` }],
    ['an unknown account', { identifier: 'nobody', password: testPassword }],
    ['a blocked account', { identifier: 'blocked', password: testPassword }],
    ['an account named like SQL', { identifier: "' or 1=1 --", password: 'x' }],
  ])('returns the same response for a sign-in with %s', async (_what, credentials) => {
    const { status, body } = await signIn(credentials)
    expect([status, body]).toEqual([
      400,
      {
        data: null,
        error: {
          status: 400,
          name: 'ValidationError',
          message: 'Invalid identifier or password',
          code: 'auth.invalid-credentials',
          details: {},
        },
      },
    ])
  })

  test.each<[what: string, payload: object, fields: string[]]>([
    ['nothing', {}, ['identifier', 'password']],
    ['no password', { identifier: 'Marat' }, ['password']],
    ['empty texts', { identifier: '', password: '' }, ['identifier', 'password']],
    ['null', { identifier: null, password: null }, ['identifier', 'password']],
    ['an object', { identifier: { $ne: '' }, password: 'x' }, ['identifier']],
    ['a list', { identifier: ['Marat'], password: ['x'] }, ['identifier', 'password']],
    ['numbers', { identifier: 1, password: 2 }, ['identifier', 'password']],
    ['a list as body', [1], ['identifier', 'password']],
  ])('names the missing fields of a sign-in with %s', async (_what, payload, fields) => {
    const { status, body } = await signIn(payload)
    expect(status).toBe(400)
    expect(body.error?.details).toMatchObject({ errors: fields.map((field) => ({ path: [field] })) })
  })

  test('names a missing field of a sign-in by the message of contract §2', async () => {
    expect((await signIn({ identifier: 'Marat' })).body.error?.message).toBe('password is a required field')
  })
})

describe('the throttles of sign-in', () => {
  const wrongCredentials = { identifier: 'marat@example.org', password: 'wrong' }

  test('locks an account after repeated failures, for every spelling and even for the right password', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await signIn(wrongCredentials)).status).toBe(400)
    for (const [identifier, address] of [
      ['Marat', '203.0.113.1'],
      ['MARAT@example.org', '203.0.113.2'],
    ] as const) {
      const { status, body, retryAfter } = await signIn({ identifier, password: testPassword }, address)
      expect([status, body.error?.code]).toEqual([429, 'auth.throttled'])
      expect(Number(retryAfter)).toBeGreaterThan(800)
      expect(Number(retryAfter)).toBeLessThanOrEqual(900)
    }
  })

  test('counts concurrent guesses of a password like sequential guesses', async () => {
    const answers = await Promise.all(Array.from({ length: 7 }, () => signIn(wrongCredentials)))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
  })

  test('locks a network address after failed sign-ins with any accounts', async () => {
    for (let attempt = 0; attempt < 8; attempt += 1)
      expect((await signIn({ identifier: `nobody-${attempt}`, password: 'x' })).status).toBe(400)
    expect((await signIn({ identifier: 'Marat', password: testPassword })).status).toBe(429)
    expect((await signIn({ identifier: 'Marat', password: testPassword }, '203.0.113.9')).status).toBe(200)
  })

  test('does not count right passwords or sessions in use as failed sign-ins', async () => {
    const token = await tokenOf(context.app, 'Marat')
    for (let attempt = 0; attempt < 9; attempt += 1)
      expect((await signIn({ identifier: 'Marat', password: testPassword })).status).toBe(200)
    for (let attempt = 0; attempt < 4; attempt += 1) await signIn(wrongCredentials)
    expect(await me(`Bearer ${token}`)).toBe(200)
  })

  test('accepts a sign-in again when the window of the throttle has passed', async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) await signIn(wrongCredentials)
    await context.database.query(sql`update throttles set window_started_at = now() - interval '16 minutes'`)
    expect((await signIn({ identifier: 'Marat', password: testPassword })).status).toBe(200)
  })

  test('accepts a sign-in again when the clock has gone back an hour', async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) await signIn(wrongCredentials)
    await context.database.query(sql`update throttles set window_started_at = now() + interval '1 hour'`)
    expect((await signIn({ identifier: 'Marat', password: testPassword })).status).toBe(200)
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await signIn(wrongCredentials)).status).toBe(400)
    const { status, retryAfter } = await signIn(wrongCredentials)
    expect([status, Number(retryAfter) <= 900]).toEqual([429, true])
  })

  test('stores no e-mail address in the throttles of sign-in', async () => {
    await signIn({ identifier: 'somebody@example.org', password: 'x' })
    const rows = await context.database.query(sql<{ key: string }>`select key from throttles`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('somebody')
  })

  test.each([
    ['203.0.113.1', 'address:203.0.113.1'],
    ['::ffff:203.0.113.1', 'address:203.0.113.1'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', 'address:2001:db8:1:2::/64'],
    ['2001:db8::9', 'address:2001:db8:0:0::/64'],
  ])('counts sign-ins from the network address %s under the key %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})

describe('sessions', () => {
  const forgeToken = (claims: Record<string, unknown>, key = settings.JWT_SECRET, alg = 'HS256') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(key))
  const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('issues session tokens that contain only the session and its times', async () => {
    const [, claims = ''] = (await tokenOf(context.app, 'Marat')).split('.')
    const readClaims = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, number>
    expect(Object.keys(readClaims).toSorted()).toEqual(['exp', 'iat', 'sid'])
    expect(Number(readClaims.exp) - Number(readClaims.iat)).toBeGreaterThanOrEqual(604_799)
  })

  test('refuses forged, foreign and malformed session tokens', async () => {
    const token = await tokenOf(context.app, 'Marat')
    const [head = '', claims = '', signature = ''] = token.split('.')
    const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string }
    const refusedTokens = [
      undefined,
      '',
      token,
      `Basic ${token}`,
      `Token ${token}`,
      'Bearer',
      'Bearer a.b.c',
      `Bearer ${token}x`,
      `Bearer ${token} ${token}`,
      `Bearer ${head}.${claims}.`,
      `Bearer ${encodePart({ alg: 'none' })}.${claims}.`,
      `Bearer ${encodePart({ alg: 'none' })}.${claims}.${signature}`,
      `Bearer ${await forgeToken({ sid }, 'another-key-0123456789-abcdefghijkl')}`,
      `Bearer ${await forgeToken({ sid }, settings.JWT_SECRET.padEnd(64, 'x'), 'HS512')}`,
      `Bearer ${await forgeToken({ sid: 1 })}`,
      `Bearer ${await forgeToken({ sid: "' or 1=1" })}`,
      `Bearer ${await forgeToken({ sid: '00000000-0000-4000-8000-000000000000' })}`,
      `Bearer ${await forgeToken({ user: 1 })}`,
      `Bearer ${'a'.repeat(5_000)}.b.c`,
    ]
    expect(await me(`Bearer ${token}`)).toBe(200)
    for (const header of refusedTokens) expect([header, await me(header)]).toEqual([header, 401])
    const queryAnswer = await context.app.inject({
      url: `/api/users/me?token=${token}&access_token=${token}`,
      headers: { cookie: `jwt=${token}` },
    })
    expect(queryAnswer.statusCode).toBe(401)
  })

  test('ends only the present session at sign-out, and immediately', async () => {
    const [presentToken, otherToken] = [await tokenOf(context.app, 'Marat'), await tokenOf(context.app, 'Marat')]
    const answer = await context.app.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { authorization: `Bearer ${presentToken}` },
    })
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }])
    expect([await me(`Bearer ${presentToken}`), await me(`Bearer ${otherToken}`)]).toEqual([401, 200])
  })

  test.each([
    ['it has ended', sql`update sessions set expires_at = now() - interval '1 second'`],
    ['it was idle for a day', sql`update sessions set last_seen_at = now() - interval '25 hours'`],
    ['it was revoked', sql`update sessions set revoked_at = now()`],
    ['its user is blocked', sql`update users set blocked = true`],
    ['its user is gone', sql`delete from users`],
  ])('refuses a session when %s', async (_what, change) => {
    const token = await tokenOf(context.app, 'Marat')
    expect(await me(`Bearer ${token}`)).toBe(200)
    await context.database.transaction(async (trx) => {
      await trx.query(change)
      trx.changed('users')
    })
    expect(await me(`Bearer ${token}`)).toBe(401)
  })

  test('reads a session once for requests within a second, and updates it at most once a minute', async () => {
    const token = await tokenOf(context.app, 'Marat')
    const seenAnswers: string[] = []
    const end = context.database.onStatement((text) => /\bsessions\b/.test(text) && seenAnswers.push(text))
    await Promise.all(Array.from({ length: 5 }, () => me(`Bearer ${token}`)))
    end()
    expect(seenAnswers).toHaveLength(1)
  })

  test('stores the time at which a user was last seen, at sign-in and during work', async () => {
    const readSeenTimes = async () =>
      (
        await context.database.query(
          sql<{ ago: number | null }>`
            select extract(epoch from now() - last_seen_at)::int as ago from users where username = 'Marat'`,
        )
      )[0]?.ago
    expect(await readSeenTimes()).toBeNull()
    const token = await tokenOf(context.app, 'Marat')
    expect(await readSeenTimes()).toBeLessThan(60)
    await context.database.transaction(async (trx) => {
      await trx.query(sql`update users set last_seen_at = now() - interval '2 hours'`)
      await trx.query(sql`update sessions set last_seen_at = now() - interval '2 minutes'`)
      trx.changed('sessions')
    })
    await me(`Bearer ${token}`)
    expect(await readSeenTimes()).toBeLessThan(60)
  })
})

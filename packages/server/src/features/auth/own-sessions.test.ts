import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountApp, actionsOf, bearer, openAccountApp } from '../../testing/account-app.ts'
import { tokenOf } from '../../testing/app.ts'
import { buildUser } from '../../testing/factories.ts'

let accountApp: AccountApp
let token = ''
beforeEach(async () => {
  accountApp = await openAccountApp()
  token = await tokenOf(accountApp.app, 'marat')
})

interface Session {
  id: string
  current: boolean
  address: string | null
  agent: string | null
}
const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, callerToken = token) => {
  const answer = await accountApp.app.inject({ method, url: `/api/auth/sessions${path}`, headers: bearer(callerToken) })
  const body = answer.json<{ data: Session[]; ended: number; error?: { code: string } }>()
  return { status: answer.statusCode, body, code: body.error?.code }
}
const sessions = async (callerToken = token) => (await ask('GET', '', callerToken)).body.data
const ageSession = (change: ReturnType<typeof sql>, id: string | undefined) =>
  accountApp.database.query(sql`update sessions set ${change} where id = ${id}::uuid`)
const unknownId = '00000000-0000-4000-8000-000000000000'

describe('the list of own sessions', () => {
  test('lists the present session first, then the latest sessions, and no token', async () => {
    const olderToken = await tokenOf(accountApp.app, 'marat')
    const answer = await accountApp.app.inject({
      method: 'POST',
      url: '/api/auth/local',
      payload: { identifier: 'marat', password: 'Harvest-2026' },
      headers: { 'user-agent': 'Firefox', 'x-forwarded-for': '203.0.113.9' },
    })
    expect(answer.statusCode).toBe(200)
    const [olderSession] = await sessions(olderToken)
    await ageSession(sql`last_seen_at = now() - interval '1 hour'`, olderSession?.id)
    const listedSessions = await sessions()
    expect(listedSessions.map(({ current }) => current)).toEqual([true, false, false])
    expect(listedSessions[1]).toMatchObject({ agent: 'Firefox', address: '203.0.113.9' })
    expect(listedSessions[2]?.id).toBe(olderSession?.id)
    expect(Object.keys(listedSessions[0] ?? {}).toSorted()).toEqual(
      ['address', 'agent', 'created_at', 'current', 'expires_at', 'id', 'last_seen_at'].toSorted(),
    )
    expect(JSON.stringify(listedSessions)).not.toContain(token)
  })

  test('lists no session of another user', async () => {
    await buildUser(accountApp.database, 'authenticated', { username: 'gulnara' })
    const otherToken = await tokenOf(accountApp.app, 'gulnara')
    expect(await sessions()).toHaveLength(1)
    expect((await sessions(otherToken)).map(({ id }) => id)).not.toContain((await sessions())[0]?.id)
  })

  test.each([
    ['was ended', sql`revoked_at = now()`],
    ['has expired', sql`expires_at = now() - interval '1 second'`],
    ['was idle for a day', sql`last_seen_at = now() - interval '25 hours'`],
  ])('omits a session that %s from the list, and refuses to end it', async (_what, change) => {
    const otherToken = await tokenOf(accountApp.app, 'marat')
    const [hiddenSession] = await sessions(otherToken)
    await ageSession(change, hiddenSession?.id)
    expect(await sessions()).toHaveLength(1)
    expect(await ask('DELETE', `/${hiddenSession?.id}`)).toMatchObject({ status: 404, code: 'record.not-found' })
  })
})

describe('ending own sessions', () => {
  test('ends another session of the user immediately, and keeps the present session', async () => {
    const otherToken = await tokenOf(accountApp.app, 'marat')
    const [, otherSession] = await sessions()
    expect(await accountApp.me(otherToken)).toBe(200)
    expect(await ask('DELETE', `/${otherSession?.id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect([await accountApp.me(token), await accountApp.me(otherToken)]).toEqual([200, 401])
    expect((await actionsOf(accountApp.database)).at(-1)).toBe('session.end')
  })

  test('signs out when the present session is ended', async () => {
    const [ownSession] = await sessions()
    expect((await ask('DELETE', `/${ownSession?.id}`)).status).toBe(200)
    expect(await accountApp.me(token)).toBe(401)
    expect((await actionsOf(accountApp.database)).at(-1)).toBe('sign-out')
  })

  test('ends all sessions except the present one, and returns the number of ended sessions', async () => {
    const otherTokens = [
      await tokenOf(accountApp.app, 'marat'),
      await tokenOf(accountApp.app, 'marat'),
      await tokenOf(accountApp.app, 'marat'),
    ]
    const [, idleSession] = await sessions()
    await ageSession(sql`last_seen_at = now() - interval '25 hours'`, idleSession?.id)
    expect(await ask('POST', '/end-others')).toMatchObject({ status: 200, body: { ok: true, ended: 2 } })
    expect(await accountApp.me(token)).toBe(200)
    for (const otherToken of otherTokens) expect(await accountApp.me(otherToken)).toBe(401)
    expect((await ask('POST', '/end-others')).body.ended).toBe(0)
    expect(await actionsOf(accountApp.database)).toContain('sessions.end')
  })

  test.each([unknownId, 'abc', '1', '%27', `${unknownId}0`, 'null'])(
    'returns 404 for the unknown session %s',
    async (id) => {
      expect(await ask('DELETE', `/${id}`)).toMatchObject({ status: 404, code: 'record.not-found' })
    },
  )

  test('ends only sessions of the user who requests it', async () => {
    await buildUser(accountApp.database, 'owner', { username: 'boss' })
    const ownerToken = await tokenOf(accountApp.app, 'boss')
    const [ownSession] = await sessions()
    expect((await ask('DELETE', `/${ownSession?.id}`, ownerToken)).status).toBe(404)
    await ask('POST', '/end-others', ownerToken)
    expect(await accountApp.me(token)).toBe(200)
  })
})

test.each([
  ['GET', ''],
  ['DELETE', `/${unknownId}`],
  ['POST', '/end-others'],
] as const)('requires a session for %s /auth/sessions%s', async (method, path) => {
  expect(await ask(method, path, 'a.b.c')).toMatchObject({ status: 401, code: 'auth.unauthorized' })
})

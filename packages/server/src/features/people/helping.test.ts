import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RoleType } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { repeatPassword } from '../../testing/account-app.ts'
import { tokenOf } from '../../testing/app.ts'
import { buildUser, nextNumber, testPassword } from '../../testing/factories.ts'
import { openMailer } from '../../testing/letters.ts'
import { buildPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { turnTwoStepOn } from '../../testing/two-step.ts'
import { codeInEmail } from '../../testing/parse-email.ts'

const resourceApp = startResourceApp()
const dataDir = mkdtempSync(join(tmpdir(), 'dala-helped-'))
const letters = () => openMailer(resourceApp.database, dataDir).letters()
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from mails`)
})

const ask = async (...call: Parameters<typeof resourceApp.ask>) => {
  const answer = await resourceApp.ask(...call)
  const body = answer.body as Record<string, unknown> & { error?: { code: string }; data: { id: string }[] }
  return { status: answer.status, body, code: body.error?.code }
}
const post = async (path: string, payload: object) =>
  (await resourceApp.app.inject({ method: 'POST', url: `/api/auth/${path}`, payload })).statusCode
const unknownId = '00000000-0000-4000-8000-000000000000'

/** Actions on an account: method, path below the account, action in the audit. */
const calls = [
  ['POST', '/reset-password', 'user.password-letter'],
  ['GET', '/sessions', undefined],
  ['DELETE', '/sessions/:session', 'session.end'],
  ['DELETE', '/two-step', 'two-step.reset'],
] as const
const askers = ['public', 'authenticated', 'admin', 'super-admin', 'owner'] as const
const targets = ['owner', 'super-admin', 'admin', 'authenticated'] as const
/** Roles that each role may act on, copied by hand from contract §14. */
const lowerRoles: Readonly<Record<(typeof askers)[number], readonly RoleType[]>> = {
  public: [],
  authenticated: [],
  admin: ['authenticated'],
  'super-admin': ['admin', 'authenticated'],
  owner: targets,
}

describe('rank (checklist §2)', () => {
  const rows = askers.flatMap((callerRole) => targets.map((target) => [callerRole, target] as const))
  test.each(rows)(
    'checks the rank of a caller %s who helps a user %s with password, sessions and second step',
    async (callerRole, target) => {
      const username = `helped-${nextNumber()}`
      const id = await buildUser(resourceApp.database, target, { username })
      await turnTwoStepOn(resourceApp.app, await tokenOf(resourceApp.app, username))
      const [session] = await resourceApp.database.query(sql<{ id: string }>`
      select id from sessions where user_id = ${id} and revoked_at is null`)
      for (const [method, path, action] of calls) {
        const answer = await ask(
          method,
          `/users/${id}${path.replace(':session', session?.id ?? '')}`,
          undefined,
          callerRole,
        )
        const hiddenRefusal = callerRole === 'public' ? [401, 'auth.unauthorized'] : [404, 'user.not-found']
        const isAllowed = lowerRoles[callerRole].includes(target)
        expect([path, answer.status, answer.code]).toEqual([path, ...(isAllowed ? [200, undefined] : hiddenRefusal)])
        const lines = await resourceApp.database.query(sql`
        select user_id from audit where action = ${action ?? ''} and entry = ${id} and resource = 'users'`)
        expect(lines).toEqual(isAllowed && action ? [{ user_id: resourceApp.people[callerRole] }] : [])
      }
    },
  )

  test.each(calls)('refuses the caller’s own account on %s %s', async (method, path) => {
    for (const callerRole of ['authenticated', 'admin', 'super-admin', 'owner'] as const) {
      const answer = await ask(
        method,
        `/users/${resourceApp.people[callerRole]}${path.replace(':session', unknownId)}`,
        undefined,
        callerRole,
      )
      expect([callerRole, answer.status, answer.code]).toEqual([callerRole, 403, 'user.own-access'])
    }
  })

  test.each(calls)('returns 404 for an unknown account on %s %s', async (method, path) => {
    for (const id of ['999999', '0', 'abc', '99999999999'])
      expect((await ask(method, `/users/${id}${path.replace(':session', unknownId)}`)).status).toBe(404)
  })
})

describe('POST /api/users/:id/reset-password', () => {
  test('sends the ordinary letter for a forgotten password when staff reset a password', async () => {
    const id = await buildUser(resourceApp.database, 'authenticated', { email: 'lost@example.org', language: 'uz' })
    expect(await ask('POST', `/users/${id}/reset-password`)).toMatchObject({ status: 200, body: { ok: true } })
    const [letter] = await letters()
    expect(letter).toMatchObject({ to: 'lost@example.org', subject: 'Agropanel: Yangi parol oʻrnatish' })
    expect(await post('local', { identifier: 'lost@example.org', password: testPassword })).toBe(200)
    expect(
      await post('reset-password', { code: letter ? codeInEmail(letter) : '', ...repeatPassword('Melon-2026') }),
    ).toBe(200)
    expect(await post('local', { identifier: 'lost@example.org', password: testPassword })).toBe(400)
  })

  test('refuses to reset the password of a blocked account', async () => {
    const id = await buildUser(resourceApp.database, 'authenticated', { blocked: true })
    expect(await ask('POST', `/users/${id}/reset-password`)).toMatchObject({ status: 409, code: 'user.blocked' })
    expect(await letters()).toEqual([])
  })

  test('shares the limit of letters between staff and the user’s own requests', async () => {
    const email = 'throttled@example.org'
    const id = await buildUser(resourceApp.database, 'authenticated', { email })
    const sendReset = async () => (await ask('POST', `/users/${id}/reset-password`)).code
    for (let attempt = 0; attempt < 2; attempt += 1) expect(await post('forgot-password', { email })).toBe(200)
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await sendReset()).toBe(undefined)
    expect(await sendReset()).toBe('auth.throttled')
    expect(await post('forgot-password', { email })).toBe(429)
    expect((await letters()).every(({ to }) => to === email)).toBe(true)
  })
})

describe('sessions of another user', () => {
  test('lists the sessions of another user without a present session, and ends each session separately', async () => {
    const person = await buildPerson(resourceApp, 'authenticated')
    const [username] = await resourceApp.database.query(sql<{ username: string }>`
      select username from users where id = ${person.id}`)
    const otherToken = await tokenOf(resourceApp.app, username?.username ?? '')
    const { body } = await ask('GET', `/users/${person.id}/sessions`)
    expect(body.data).toHaveLength(2)
    expect(Object.keys(body.data[0] ?? {}).toSorted()).toEqual([
      'address',
      'agent',
      'created_at',
      'expires_at',
      'id',
      'last_seen_at',
    ])
    // The session of the account that was used last is listed first.
    expect(await ask('DELETE', `/users/${person.id}/sessions/${body.data[0]?.id}`)).toMatchObject({
      status: 200,
      body: { ok: true },
    })
    const me = async (token: string) =>
      (await resourceApp.app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${token}` } })).statusCode
    expect([await me(person.token), await me(otherToken)]).toEqual([200, 401])
    expect((await ask('GET', `/users/${person.id}/sessions`)).body.data).toHaveLength(1)
  })

  test.each<[what: string, session: (person: number) => Promise<string>]>([
    ['that ended', async (person) => endSessionOf(person)],
    ['of somebody else', async () => sessionOf(resourceApp.people.authenticated ?? 0)],
    ['that never was', async () => unknownId],
    ['that is no id', async () => 'abc'],
  ])('returns 404 for another user’s session %s', async (_what, session) => {
    const { id } = await buildPerson(resourceApp, 'authenticated')
    const answer = await ask('DELETE', `/users/${id}/sessions/${await session(id)}`)
    expect([answer.status, answer.code]).toEqual([404, 'record.not-found'])
    expect((await ask('GET', '/users/me', undefined, 'authenticated')).status).toBe(200)
  })
})

async function sessionOf(person: number): Promise<string> {
  const [session] = await resourceApp.database.query(sql<{ id: string }>`
    select id from sessions where user_id = ${person} and revoked_at is null`)
  return session?.id ?? ''
}
async function endSessionOf(person: number): Promise<string> {
  const id = await sessionOf(person)
  await resourceApp.database.query(sql`update sessions set revoked_at = now() where id = ${id}::uuid`)
  return id
}

describe('DELETE /api/users/:id/two-step', () => {
  test('turns the second step of a user off, ends all their sessions and sends a letter', async () => {
    const person = await buildPerson(resourceApp, 'authenticated', { email: 'app-lost@example.org', language: 'en' })
    await turnTwoStepOn(resourceApp.app, person.token)
    const signIn = () => post('local', { identifier: 'app-lost@example.org', password: testPassword })
    expect(await signIn()).toBe(422)
    expect(await ask('DELETE', `/users/${person.id}/two-step`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await person.ask('GET', '/users/me')).status).toBe(401)
    expect(await signIn()).toBe(200)
    const [letter] = await letters()
    expect(letter).toMatchObject({
      to: 'app-lost@example.org',
      subject: 'Agro back-office: Two-step sign-in was turned off',
    })
    expect(letter?.text).toMatch(/on \d{4}-\d\d-\d\d \d\d:\d\d\./)
  })

  test.each([
    ['was never set up', false],
    ['was not confirmed', true],
  ])('refuses to turn off a second step that %s', async (_what, isSetUp) => {
    const person = await buildPerson(resourceApp, 'authenticated')
    if (isSetUp) await person.ask('POST', '/auth/two-step', { password: testPassword })
    const answer = await ask('DELETE', `/users/${person.id}/two-step`)
    expect([answer.status, answer.code]).toEqual([409, 'auth.two-step-off'])
    expect([(await person.ask('GET', '/users/me')).status, await letters()]).toEqual([200, []])
  })
})

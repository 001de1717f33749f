import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RoleType, roleTypes } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { repeatPassword } from '../../testing/account-app.ts'
import { buildRecord, buildRole, buildUser, nextNumber, testPassword } from '../../testing/factories.ts'
import { openMailer } from '../../testing/letters.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { codeInEmail } from '../../testing/parse-email.ts'

const roles: Partial<Record<RoleType, number>> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  for (const type of roleTypes) roles[type] = await buildRole(database, type)
})
const dataDir = mkdtempSync(join(tmpdir(), 'dala-invited-'))
const letters = () => openMailer(resourceApp.database, dataDir).letters()
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from mails`)
})

const ask = async (...call: Parameters<typeof resourceApp.ask>) => {
  const answer = await resourceApp.ask(...call)
  const body = answer.body as Record<string, unknown> & { id: number; error?: { code: string; details: object } }
  return { status: answer.status, body, code: body.error?.code }
}
const address = () => `invited-${nextNumber()}@example.org`
const inviteUser = (body: object, callerRole: RoleType = 'admin') => ask('POST', '/users/invite', body, callerRole)
const post = async (path: string, payload: object) => {
  const answer = await resourceApp.app.inject({ method: 'POST', url: `/api/auth/${path}`, payload })
  const body = answer.json<{ jwt?: string; error?: { code: string } }>()
  return { status: answer.statusCode, code: body.error?.code, jwt: body.jwt }
}
const signIn = (identifier: string, password: string) => post('local', { identifier, password })
const readStoredAccount = async (id: number) =>
  (await resourceApp.database.query(sql<Record<string, unknown>>`select * from users where id = ${id}`))[0]

describe('an invitation', () => {
  test('leads from the letter of an invitation to a password and a session', async () => {
    const email = address()
    const { status, body } = await inviteUser({ email, name: 'Jamila', surname: 'A.', language: 'kaa' })
    expect([status, body]).toMatchObject([
      201,
      { email, name: 'Jamila', surname: 'A.', language: 'kaa', confirmed: false, role: { type: 'authenticated' } },
    ])
    expect(JSON.stringify(body)).not.toMatch(/password|argon2/)

    const [letter, ...otherLetters] = await letters()
    expect(otherLetters).toEqual([])
    expect(letter).toMatchObject({ to: email, subject: 'Agropanel: Siz shaqırıldıńız' })
    const code = letter ? codeInEmail(letter) : ''
    const link = `https://dala.example.org/user/reset-password?code=${code}&invited=1&lang=kaa`
    expect(letter?.text).toContain(link)
    expect(letter?.html).toContain(link.replaceAll('&', '&amp;'))
    expect(letter?.text).toContain('72')

    const answer = await post('reset-password', { code, ...repeatPassword('Melon-2026') })
    expect([answer.status, typeof answer.jwt]).toEqual([200, 'string'])
    expect(await readStoredAccount(body.id)).toMatchObject({ confirmed: true, blocked: false })
    expect((await signIn(email, 'Melon-2026')).status).toBe(200)
    expect(await post('reset-password', { code, ...repeatPassword('Peach-2026') })).toMatchObject({
      status: 400,
      code: 'auth.code',
    })
    // The first password of an account is no change that needs a notice.
    expect(await letters()).toEqual([])
    const actions = await resourceApp.database.query(sql`
      select action, user_id from audit where action = 'user.invite' and entry = ${body.id}`)
    expect(actions).toEqual([{ action: 'user.invite', user_id: resourceApp.people.admin }])
  })

  test('confirms an invitation also by a letter that the user requests', async () => {
    const email = address()
    const { body } = await inviteUser({ email })
    const [invitation] = await letters()
    await post('forgot-password', { email })
    const [letter] = await letters()
    expect(
      (
        await post('reset-password', {
          code: invitation ? codeInEmail(invitation) : '',
          ...repeatPassword('Melon-2026'),
        })
      ).code,
    ).toBe('auth.code')
    expect(
      (await post('reset-password', { code: letter ? codeInEmail(letter) : '', ...repeatPassword('Melon-2026') }))
        .status,
    ).toBe(200)
    expect(await readStoredAccount(body.id)).toMatchObject({ confirmed: true })
  })

  test.each([
    ['71 hours', 200],
    ['73 hours', 400],
  ])('responds to the link of an invitation %s later with %i', async (elapsedTime, status) => {
    const { body } = await inviteUser({ email: address() })
    const [letter] = await letters()
    await resourceApp.database.query(sql`
      update reset_codes set expires_at = expires_at - ${elapsedTime}::interval where user_id = ${body.id}`)
    const answer = await post('reset-password', {
      code: letter ? codeInEmail(letter) : '',
      ...repeatPassword('Melon-2026'),
    })
    expect(answer.status).toBe(status)
  })

  test('gives an invited user who is blocked meanwhile neither a session nor a letter', async () => {
    const { body } = await inviteUser({ email: address() })
    const [letter] = await letters()
    await ask('POST', `/users/${body.id}/block`, { reason: 'x' })
    const answer = await post('reset-password', {
      code: letter ? codeInEmail(letter) : '',
      ...repeatPassword('Melon-2026'),
    })
    expect(answer).toMatchObject({ status: 400, code: 'auth.code' })
  })

  test.each([testPassword, '', 'password', 'invited'])(
    'lets nobody sign in with the password “%s” before the invitation is accepted',
    async (password) => {
      const email = address()
      await inviteUser({ email })
      expect((await signIn(email, password)).status).toBe(400)
    },
  )
})

describe('POST /api/users/invite', () => {
  test('stores the given values of an invited user and nothing else', async () => {
    const category = await buildRecord(resourceApp.database, 'consultantcategories', { name: 'Soil' })
    const { status, body } = await inviteUser({
      email: address(),
      is_consultant: true,
      consultantcategories: [category],
      confirmed: true,
      blocked: true,
      password: 'Melon-2026',
      id: 1,
      phone: '+998',
      last_seen_at: '2026-01-01T00:00:00.000Z',
    })
    expect([status, body]).toMatchObject([
      201,
      { is_consultant: true, confirmed: false, blocked: false, phone: null, last_seen_at: null },
    ])
    expect(body.id).not.toBe(1)
    expect((await signIn(String(body.username), 'Melon-2026')).status).toBe(400)
    const linkedAnswer = await ask('GET', `/users/${body.id}?populate=consultantcategories`)
    expect(linkedAnswer.body.consultantcategories).toMatchObject([{ id: category }])
  })

  test.each([
    ['aman.kh@example.org', 'aman.kh'],
    ['aman.kh@example.com', 'aman.kh-2'],
    ['Aman.Kh@example.net', 'aman.kh-3'],
    ['x@example.org', 'user-x'],
    ['a+b!c@example.org', 'abc'],
    [`${'long'.repeat(14)}@example.org`, 'long'.repeat(6)],
  ])('derives from the address %s the user name %s', async (email, username) => {
    const { status, body } = await inviteUser({ email })
    expect([status, body.username]).toEqual([201, username])
  })

  test('uses the given user name for an invited user', async () => {
    expect((await inviteUser({ email: address(), username: 'Gulnara' })).body.username).toBe('Gulnara')
    expect(await inviteUser({ email: address(), username: 'gulnara' })).toMatchObject({
      status: 400,
      code: 'user.username-taken',
    })
  })

  test('creates one invited account for one idempotency key', async () => {
    const payload = { email: address() }
    const headers = { authorization: `Bearer ${resourceApp.tokens.admin}`, 'idempotency-key': 'invited-once' }
    const sendInvitation = () => resourceApp.app.inject({ method: 'POST', url: '/api/users/invite', payload, headers })
    const [firstAnswer, secondAnswer] = [await sendInvitation(), await sendInvitation()]
    expect([firstAnswer.statusCode, secondAnswer.statusCode]).toEqual([201, 201])
    expect(secondAnswer.json()).toEqual(firstAnswer.json())
    expect(await letters()).toHaveLength(1)
  })

  const freshDraft = { email: 'fresh@example.org' }
  test.each<[body: object, code: string]>([
    [{}, 'validation.several'],
    [{ email: '' }, 'validation.email'],
    [{ email: 'x', username: 'some-one' }, 'validation.emailLength'],
    [{ email: 'nobody', username: 'some-one' }, 'validation.emailInvalid'],
    [{ email: { $ne: '' }, username: 'some-one' }, 'validation.text'],
    [{ email: ['x@example.org'] }, 'validation.several'],
    [{ email: 'ADMIN@example.org' }, 'user.email-taken'],
    [{ ...freshDraft, username: 'Admin' }, 'user.username-taken'],
    [{ ...freshDraft, username: 'ab' }, 'validation.minLength'],
    [{ ...freshDraft, username: ['x'] }, 'validation.text'],
    [{ ...freshDraft, language: 'de' }, 'validation.choice'],
    [{ ...freshDraft, is_consultant: 'yes' }, 'validation.boolean'],
    [{ ...freshDraft, consultantcategories: [999_999] }, 'validation.relationMissing'],
    [{ ...freshDraft, role: 'owner' }, 'validation.relation'],
  ])('refuses the invitation %j', async (body, code) => {
    const answer = await inviteUser(body)
    expect([answer.status, answer.code]).toEqual([400, code])
    expect(await letters()).toEqual([])
  })
})

describe('rank (checklist §2)', () => {
  const askers = ['public', 'authenticated', 'admin', 'super-admin', 'owner'] as const
  const rolesBelow: Readonly<Record<(typeof askers)[number], readonly RoleType[]>> = {
    public: [],
    authenticated: [],
    admin: ['authenticated'],
    'super-admin': ['admin', 'authenticated'],
    owner: ['owner', 'super-admin', 'admin', 'authenticated'],
  }
  const deniedRefusal = (callerRole: (typeof askers)[number]) => {
    if (callerRole === 'public') return [401, 'auth.unauthorized']
    return callerRole === 'authenticated' ? [403, 'access.denied'] : [403, 'user.role-not-granted']
  }
  test.each(askers.flatMap((callerRole) => roleTypes.map((role) => [callerRole, role] as const)))(
    'checks the rank of a caller %s who invites a user with the role %s',
    async (callerRole, role) => {
      const answer = await inviteUser({ email: address(), role: roles[role] }, callerRole)
      expect([answer.status, answer.code]).toEqual(
        rolesBelow[callerRole].includes(role) ? [201, undefined] : deniedRefusal(callerRole),
      )
      expect(await letters()).toHaveLength(rolesBelow[callerRole].includes(role) ? 1 : 0)
    },
  )

  const targets = ['owner', 'super-admin', 'admin', 'authenticated'] as const
  test.each(askers.flatMap((callerRole) => targets.map((role) => [callerRole, role] as const)))(
    'checks the rank of a caller %s who invites a user with the role %s again',
    async (callerRole, role) => {
      const id = await buildUser(resourceApp.database, role, { confirmed: false })
      const answer = await ask('POST', `/users/${id}/invite`, undefined, callerRole)
      const hiddenRefusal = callerRole === 'public' ? [401, 'auth.unauthorized'] : [404, 'user.not-found']
      expect([answer.status, answer.code]).toEqual(
        rolesBelow[callerRole].includes(role) ? [200, undefined] : hiddenRefusal,
      )
      expect(await letters()).toHaveLength(rolesBelow[callerRole].includes(role) ? 1 : 0)
    },
  )
})

describe('POST /api/users/:id/invite', () => {
  test('voids the former link when an invitation is sent again', async () => {
    const { body } = await inviteUser({ email: address() })
    const [formerLetter] = await letters()
    expect(await ask('POST', `/users/${body.id}/invite`)).toMatchObject({ status: 200, body: { ok: true } })
    const [secondLetter] = await letters()
    const [firstCode, secondCode] = [formerLetter, secondLetter].map((letter) => (letter ? codeInEmail(letter) : ''))
    expect((await post('reset-password', { code: firstCode, ...repeatPassword('Melon-2026') })).status).toBe(400)
    expect((await post('reset-password', { code: secondCode, ...repeatPassword('Melon-2026') })).status).toBe(200)
    expect(await ask('POST', `/users/${body.id}/invite`)).toMatchObject({ status: 409, code: 'user.not-invited' })
  })

  test.each<[what: string, id: () => Promise<number | string>, status: number, code: string]>([
    [
      'an account that sets its own password',
      () => buildUser(resourceApp.database, 'authenticated'),
      409,
      'user.not-invited',
    ],
    [
      'a blocked one',
      () => buildUser(resourceApp.database, 'authenticated', { confirmed: false, blocked: true }),
      409,
      'user.blocked',
    ],
    ['the caller', async () => resourceApp.people.admin ?? 0, 403, 'user.own-access'],
    ['an unknown account', async () => 999_999, 404, 'user.not-found'],
    ['an invalid id', async () => 'abc', 404, 'record.not-found'],
  ])('refuses to send an invitation again to %s', async (_what, id, status, code) => {
    const answer = await ask('POST', `/users/${await id()}/invite`)
    expect([answer.status, answer.code]).toEqual([status, code])
    expect(await letters()).toEqual([])
  })

  test('limits repeated invitations per account', async () => {
    const { body } = await inviteUser({ email: address() })
    const codes: unknown[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) codes.push((await ask('POST', `/users/${body.id}/invite`)).code)
    expect(codes).toEqual([...Array.from({ length: 5 }, () => undefined), 'auth.throttled'])
    const otherInvitation = await inviteUser({ email: address() })
    expect((await ask('POST', `/users/${otherInvitation.body.id}/invite`)).status).toBe(200)
  })
})

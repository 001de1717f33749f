import { type Caller, resources, type RoleType, roleTypes } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { tokenOf } from '../../testing/app.ts'
import { buildRole, buildUser, nextNumber } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { accountWriters } from './writers.ts'

const roles: Partial<Record<RoleType, number>> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  for (const type of roleTypes) roles[type] = await buildRole(database, type)
  // The test adds a second owner, so that no test removes the last owner of the installation.
  await buildUser(database, 'owner', { username: 'founder' })
})
const ask: typeof resourceApp.ask = (...call) => resourceApp.ask(...call)
const askers = ['authenticated', 'admin', 'super-admin', 'owner'] as const
const targets = ['owner', 'super-admin', 'admin', 'authenticated'] as const

const draft = (change: object = {}) => {
  const username = `new-${nextNumber()}`
  return { username, email: `${username}@example.org`, password: 'Cotton-24', ...change }
}
const codeOf = ({ body }: { body: unknown }) => (body as { error?: { code: string } }).error?.code
const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id
const buildAccount = (role: RoleType, change: object = {}) => buildUser(resourceApp.database, role, { ...change })
const roleOf = async (id: number) =>
  (
    await resourceApp.database.query(
      sql<{ type: string }>`select r.type from users u join roles r on r.id = u.role_id where u.id = ${id}`,
    )
  )[0]?.type
const me = async (token: string) =>
  (await resourceApp.app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${token}` } })).statusCode

/**
 * Roles that each role may act on, copied by hand from contract §14: those below, and for an owner everybody.
 */
const lowerRoles: Record<(typeof askers)[number], readonly RoleType[]> = {
  authenticated: [],
  admin: ['authenticated'],
  'super-admin': ['admin', 'authenticated'],
  owner: ['owner', 'super-admin', 'admin', 'authenticated'],
}
const pairs = askers.flatMap((asker) => targets.map((target) => [asker, target] as const))
// A hidden account is a 404, an action that is never allowed a 403.
const hiddenRefusal = (asker: (typeof askers)[number], operation: 'update' | 'remove') =>
  asker === 'authenticated' && operation === 'remove' ? [403, 'access.denied'] : [404, 'user.not-found']

describe('rank (checklist §2)', () => {
  test.each(pairs)('checks the rank of a caller %s who creates a user %s', async (asker, target) => {
    const answer = await ask('POST', '/users', draft({ role: roles[target] }), asker)
    const expectedAnswer = asker === 'authenticated' ? [403, 'access.denied'] : [403, 'user.role-not-granted']
    expect([answer.status, codeOf(answer)]).toEqual(
      lowerRoles[asker].includes(target) ? [201, undefined] : expectedAnswer,
    )
  })
  test.each(pairs)(
    'checks the rank of a caller %s who changes, blocks and sets the password of a user %s',
    async (asker, target) => {
      for (const change of [{ name: 'Changed' }, { blocked: true }, { password: 'Melon-26' }]) {
        const answer = await ask('PUT', `/users/${await buildAccount(target)}`, change, asker)
        const expectedAnswer = lowerRoles[asker].includes(target) ? [200, undefined] : hiddenRefusal(asker, 'update')
        expect([change, answer.status, codeOf(answer)]).toEqual([change, ...expectedAnswer])
      }
    },
  )
  test.each(pairs)('checks the rank of a caller %s who deletes a user %s', async (asker, target) => {
    const id = await buildAccount(target)
    const answer = await ask('DELETE', `/users/${id}`, undefined, asker)
    const isAllowed = lowerRoles[asker].includes(target)
    expect([answer.status, codeOf(answer)]).toEqual(isAllowed ? [200, undefined] : hiddenRefusal(asker, 'remove'))
    expect((await ask('GET', `/users/${id}`, undefined, 'owner')).status).toBe(isAllowed ? 404 : 200)
  })
  test.each(pairs)('checks the rank of a caller %s who signs a user %s out', async (asker, target) => {
    const username = `out-${nextNumber()}`
    const id = await buildAccount(target, { username })
    const token = await tokenOf(resourceApp.app, username)
    expect(await me(token)).toBe(200)
    const answer = await ask('POST', `/users/${id}/sign-out`, undefined, asker)
    const isAllowed = lowerRoles[asker].includes(target)
    expect([answer.status, codeOf(answer)]).toEqual(isAllowed ? [200, undefined] : [404, 'user.not-found'])
    expect(await me(token)).toBe(isAllowed ? 401 : 200)
  })
  const grants = askers.flatMap((asker) => roleTypes.map((role) => [asker, role] as const))
  test.each(grants)(
    'checks the rank of a caller %s who grants the role %s to a registered user',
    async (asker, role) => {
      const id = await buildAccount('authenticated')
      const answer = await ask('PUT', `/users/${id}`, { role: { connect: [{ id: roles[role] }] } }, asker)
      const expectedAnswer =
        asker === 'authenticated'
          ? [404, 'user.not-found']
          : lowerRoles[asker].includes(role)
            ? [200, undefined]
            : [403, 'user.role-not-granted']
      // A body that repeats the present role of the account grants nothing.
      expect([answer.status, codeOf(answer)]).toEqual(expectedAnswer)
      expect(await roleOf(id)).toBe(expectedAnswer[0] === 200 ? role : 'authenticated')
    },
  )
})

describe('the caller’s own account', () => {
  test.each(askers)('lets %s change their own profile', async (role) => {
    const id = resourceApp.people[role]
    const { status, body } = await ask('PUT', `/users/${id}`, { name: 'Aman', phone: '+998', language: 'uz' }, role)
    expect([status, body]).toMatchObject([200, { id, name: 'Aman', phone: '+998', language: 'uz', first_name: 'Aman' }])
  })
  test('accepts nothing but the profile from a registered user', async () => {
    const id = resourceApp.people.authenticated
    const change = {
      email: 'x@example.org',
      username: 'other',
      password: 'Melon-26',
      role: roles.owner,
      blocked: true,
      confirmed: false,
      is_consultant: true,
      active: false,
      removed_at: '2026-01-01T00:00:00.000Z',
    }
    const { status, body } = await ask('PUT', `/users/${id}?populate=role`, change, 'authenticated')
    expect([status, body]).toMatchObject([
      200,
      {
        username: 'authenticated',
        email: 'authenticated@example.org',
        role: { type: 'authenticated' },
        blocked: false,
        confirmed: true,
        is_consultant: false,
        active: true,
      },
    ])
    expect(await me(await tokenOf(resourceApp.app, 'authenticated'))).toBe(200)
  })
  const staffRoles = ['admin', 'super-admin', 'owner'] as const
  test.each(staffRoles)(
    'refuses %s to change their role, block or delete themselves, or set a password without the old one',
    async (role) => {
      const id = resourceApp.people[role]
      const refusedDrafts: [body: object, status: number, code: string][] = [
        [{ role: roles.authenticated }, 403, 'user.own-role'],
        [{ role: roles.owner === undefined ? 0 : roles.public }, 403, 'user.own-role'],
        [{ blocked: true }, 403, 'user.own-access'],
        [{ password: 'Melon-26' }, 422, 'user.own-password'],
        [{ email: 'elsewhere@example.org' }, 422, 'user.own-email'],
      ]
      for (const [body, status, code] of refusedDrafts) {
        const answer = await ask('PUT', `/users/${id}`, body, role)
        expect([body, answer.status, codeOf(answer)]).toEqual([body, status, code])
      }
      const deleteAnswer = await ask('DELETE', `/users/${id}`, undefined, role)
      // Administrators may not delete accounts of their own rank, so a delete of their own account returns
      // 404.
      expect([deleteAnswer.status, codeOf(deleteAnswer)]).toEqual(
        role === 'owner' ? [403, 'user.own-access'] : [404, 'user.not-found'],
      )
      const { body } = await ask('GET', '/users/me?populate=role', undefined, role)
      expect((await ask('PUT', `/users/${id}`, body, role)).status).toBe(200)
    },
  )
  test('keeps the present session after signing out everywhere', async () => {
    const id = await buildAccount('authenticated', { username: 'everywhere' })
    const [presentToken, otherToken] = [
      await tokenOf(resourceApp.app, 'everywhere'),
      await tokenOf(resourceApp.app, 'everywhere'),
    ]
    const headers = { authorization: `Bearer ${presentToken}` }
    expect(
      (await resourceApp.app.inject({ method: 'POST', url: `/api/users/${id}/sign-out`, headers })).statusCode,
    ).toBe(200)
    expect([await me(presentToken), await me(otherToken)]).toEqual([200, 401])
  })
})

describe('writes of users (contract §3)', () => {
  test('responds to POST with 201, the flat account and its role, which is authenticated by default', async () => {
    const { status, body } = await ask('POST', '/users', draft({ name: 'Jamila' }))
    expect([status, body]).toMatchObject([
      201,
      { name: 'Jamila', first_name: 'Jamila', role: { type: 'authenticated' } },
    ])
    expect(JSON.stringify(body)).not.toMatch(/argon2|"password"|attributes|removed_at/)
  })
  test('changes only the sent fields of a user by PUT, and returns the account by DELETE', async () => {
    const id = idOf(await ask('POST', '/users', draft({ surname: 'A.' })))
    expect(await ask('PUT', `/users/${id}`, { name: 'B' })).toMatchObject({
      status: 200,
      body: { name: 'B', surname: 'A.' },
    })
    expect(await ask('DELETE', `/users/${id}?populate=*`)).toMatchObject({ status: 200, body: { id, name: 'B' } })
  })
  test.each([
    ['PUT', { name: 'x' }],
    ['DELETE', undefined],
    ['GET', undefined],
  ] as const)('returns 404 for %s of an unknown account', async (method, body) => {
    const missingAnswer = await ask(method, '/users/999999', body)
    expect(missingAnswer).toMatchObject({ status: 404, body: { error: { message: 'User not found' } } })
    for (const id of ['0', 'abc', '99999999999']) {
      expect([id, (await ask(method, `/users/${id}`, body)).status]).toEqual([id, 404])
    }
    expect((await ask('POST', '/users/999999/sign-out')).status).toBe(404)
  })
  test.each([
    ['email', { email: 'ADMIN@example.org' }, 'Email already taken'],
    ['username', { username: 'Admin' }, 'Username already taken'],
    ['email', { email: 'admin@example.org', username: 'admin' }, 'Email already taken'],
  ] as const)('names a taken %s of a new or changed user', async (field, change, message) => {
    const id = await buildAccount('authenticated')
    for (const answer of [await ask('POST', '/users', draft(change)), await ask('PUT', `/users/${id}`, change)]) {
      expect(answer).toMatchObject({ status: 400, body: { error: { name: 'ApplicationError', message } } })
      expect(JSON.stringify(answer.body)).toContain(`"path":["${field}"]`)
    }
  })
  test('reports every invalid field of a user, including a taken user name', async () => {
    const { status, body } = await ask('POST', '/users', { username: 'admin', email: 'x', role: 'abc' })
    expect([status, body]).toMatchObject([
      400,
      {
        error: {
          name: 'ValidationError',
          details: {
            errors: [{ path: ['email'] }, { path: ['password'] }, { path: ['role'] }, { path: ['username'] }],
          },
        },
      },
    ])
  })
  test.each([
    [{ password: '' }, 'please enter your password'],
    [{ password: null }, 'password must not be null.'],
    [{ password: 'abc' }, 'password must be between 4 and 16 characters'],
    [{ password: { a: 1 } }, 'password must be a string'],
    [{ email: '' }, 'please enter your email address'],
  ])('refuses the change %j of a user', async (change, message) => {
    const answer = await ask('PUT', `/users/${await buildAccount('authenticated')}`, change)
    expect(answer).toMatchObject({ status: 400, body: { error: { message } } })
  })
  test('refuses common passwords for powerful accounts', async () => {
    const weakDraft = draft({ password: 'qwerty123' })
    expect((await ask('POST', '/users', weakDraft)).status).toBe(201)
    const strongAnswer = await ask('POST', '/users', draft({ password: 'qwerty123', role: roles.admin }), 'owner')
    expect([strongAnswer.status, codeOf(strongAnswer)]).toEqual([400, 'validation.passwordCommon'])
  })
})

describe('the session of a user whose account changes', () => {
  test.each<[what: string, change: () => Promise<object>, status: number]>([
    ['a password', async () => ({ password: 'Melon-26' }), 401],
    ['a role', async () => ({ role: roles.admin }), 401],
    ['a block', async () => ({ blocked: true }), 401],
    ['a name', async () => ({ name: 'Other' }), 200],
    ['the role and block it has', async () => ({ role: roles.authenticated, blocked: false }), 200],
  ])('ends or keeps the sessions of a user after a change of %s', async (_what, change, status) => {
    const username = `ends-${nextNumber()}`
    const id = await buildAccount('authenticated', { username })
    const token = await tokenOf(resourceApp.app, username)
    expect(await me(token)).toBe(200)
    expect((await ask('PUT', `/users/${id}`, await change(), 'owner')).status).toBe(200)
    expect(await me(token)).toBe(status)
  })
  test('sends a letter after a change of password or e-mail, also to the former address', async () => {
    const id = await buildAccount('authenticated', { username: 'told', email: 'told@example.org' })
    await ask('PUT', `/users/${id}`, { password: 'Melon-26' })
    await ask('PUT', `/users/${id}`, { email: 'fresh@example.org', name: 'T' })
    const mails = await resourceApp.database.query(sql`
      select recipient, template from mails where recipient in ('told@example.org', 'fresh@example.org') order by id`)
    expect(mails).toEqual([
      { recipient: 'told@example.org', template: 'passwordChanged' },
      { recipient: 'told@example.org', template: 'emailChanged' },
      { recipient: 'fresh@example.org', template: 'emailChanged' },
    ])
  })
})

test('sends a user created unconfirmed a letter when a password is set together with the confirmation', async () => {
  const id = await buildAccount('authenticated', { username: 'undone', email: 'undone@example.org' })
  await ask('PUT', `/users/${id}`, { confirmed: false })
  expect((await ask('PUT', `/users/${id}`, { password: 'Melon-26', confirmed: true })).status).toBe(200)
  const mails = await resourceApp.database.query(sql`select template from mails where recipient = 'undone@example.org'`)
  expect(mails).toEqual([{ template: 'passwordChanged' }])
})

describe('the last owner', () => {
  const owners = sql`select u.id from users u join roles r on r.id = u.role_id where r.type = 'owner' and not u.blocked`
  let pair: { id: number; token: string }[]
  beforeAll(async () => {
    await resourceApp.database.transaction(async (trx) => {
      await trx.query(sql`update users set blocked = true where id in (${owners})`)
      trx.changed('users')
    })
    pair = await Promise.all(
      ['left', 'right'].map(async (username) => ({
        id: await buildAccount('owner', { username }),
        token: await tokenOf(resourceApp.app, username),
      })),
    )
  })
  const putUser = async (callerIndex: number, on: number, payload: object) =>
    resourceApp.app.inject({
      method: 'PUT',
      url: `/api/users/${pair[on]?.id}`,
      headers: { authorization: `Bearer ${pair[callerIndex]?.token}` },
      payload,
    })

  test.each([
    ['demote', () => ({ role: roles.admin })],
    ['block', () => ({ blocked: true })],
  ])('keeps one owner when two owners %s each other at once', async (_what, change) => {
    const answers = await Promise.all([putUser(0, 1, change()), putUser(1, 0, change())])
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1)
    expect([401, 403, 404, 422]).toContain(answers.find(({ statusCode }) => statusCode !== 200)?.statusCode)
    const leftOwners = await resourceApp.database.query(owners)
    expect(leftOwners).toHaveLength(1)
    for (const owner of pair) {
      await resourceApp.database.query(
        sql`update users set blocked = false, role_id = ${roles.owner} where id = ${owner.id}`,
      )
    }
    await resourceApp.database.transaction(async (trx) => {
      await trx.query(
        sql`update sessions set revoked_at = null where user_id = any(${pair.map(({ id }) => id)}::int[])`,
      )
      trx.changed('sessions')
    })
  })
  test('keeps the last owner when the caller has lost the owner role a moment ago', async () => {
    const [formerOwnerId, lastOwnerId] = pair.map(({ id }) => id)
    await resourceApp.database.query(sql`update users set role_id = ${roles.admin} where id = ${formerOwnerId}`)
    const caller: Caller = { id: formerOwnerId ?? 0, role: 'owner', isConsultant: false, language: 'en', sessionId: '' }
    const context = { database: resourceApp.database, author: { caller }, view: {} }
    const { update, remove } = accountWriters({ passwordPolicy: 'spec' })
    const lastOwner = { code: 'user.last-owner', status: 422 }
    await expect(update(context, resources.users, lastOwnerId ?? 0, { role: roles.admin })).rejects.toMatchObject(
      lastOwner,
    )
    await expect(update(context, resources.users, lastOwnerId ?? 0, { blocked: true })).rejects.toMatchObject(lastOwner)
    await expect(remove(context, resources.users, lastOwnerId ?? 0, false)).rejects.toMatchObject(lastOwner)
    expect(await resourceApp.database.query(owners)).toEqual([{ id: lastOwnerId }])
  })
})

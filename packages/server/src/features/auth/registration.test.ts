import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountApp, actionsOf, bearer, fieldsOf, openAccountApp } from '../../testing/account-app.ts'
import { buildRole, testPassword } from '../../testing/factories.ts'

let accountApp: AccountApp
beforeEach(async () => {
  accountApp = await openAccountApp()
})

describe('POST /api/auth/local/register', () => {
  const account = { username: 'Jamila', email: 'Jamila@Example.org', password: 'Cotton-24' }

  test('creates an account of the lowest role and signs it in', async () => {
    const { status, body } = await accountApp.post(
      'local/register',
      { ...account, name: 'Jamila', language: 'kaa' },
      bearer('stale'),
    )
    expect([status, body.user]).toMatchObject([
      200,
      { username: 'Jamila', email: 'jamila@example.org', provider: 'local', confirmed: false, blocked: false },
    ])
    expect(JSON.stringify(body)).not.toMatch(/argon2|Cotton-24/)
    const { body: self } = await accountApp.post('local', { identifier: 'jamila', password: 'Cotton-24' })
    const answer = await accountApp.app.inject({ url: '/api/users/me?populate=role', headers: bearer(self.jwt) })
    expect(answer.json()).toMatchObject({ name: 'Jamila', language: 'kaa', role: { type: 'authenticated' } })
    expect(await accountApp.me(body.jwt)).toBe(200)
    expect(await actionsOf(accountApp.database)).toEqual(['register', 'sign-in'])
    const revisions = await accountApp.database.query(sql<{ user_id: unknown }>`
      select user_id from revisions where resource = 'users' order by id desc limit 1`)
    expect(revisions).toEqual([{ user_id: null }])
    const [welcome] = await accountApp.letters()
    expect(welcome).toMatchObject({
      to: 'jamila@example.org',
      subject: expect.stringContaining('Xosh keldińiz') as unknown,
    })
  })

  test('ignores fields of the body that a registration may not set', async () => {
    const owner = await buildRole(accountApp.database, 'owner')
    const extraFields = {
      role: owner,
      blocked: true,
      confirmed: true,
      provider: 'x',
      id: 99,
      is_consultant: true,
      active: false,
    }
    const hiddenFields = {
      removed_at: '2026-01-01',
      first_name: 'X',
      experience_years: 3,
      createdAt: '2001-01-01',
      version: 7,
    }
    const { status, body } = await accountApp.post('local/register', { ...account, ...extraFields, ...hiddenFields })
    expect([status, body.user]).toMatchObject([
      200,
      {
        blocked: false,
        confirmed: false,
        provider: 'local',
        is_consultant: false,
        active: true,
        experience_years: null,
        version: 1,
      },
    ])
    expect(body.user?.id).not.toBe(99)
    const [storedUser] = await accountApp.database.query(sql<{ type: string; removed_at: unknown }>`
      select r.type, u.removed_at from users u join roles r on r.id = u.role_id where u.username = 'Jamila'`)
    expect(storedUser).toEqual({ type: 'authenticated', removed_at: null })
  })

  test.each<[what: string, change: object, fields: string[], message: string]>([
    ['a bad e-mail', { email: 'jamila' }, ['email'], 'please enter a valid email address'],
    ['a short e-mail', { email: 'j@e' }, ['email'], 'email must be at least 4 characters'],
    ['no e-mail', { email: undefined }, ['email'], 'please enter your email address'],
    ['no name', { username: '' }, ['username'], 'please enter a name'],
    ['a short password', { password: 'abc' }, ['password'], 'password must be between 4 and 16 characters'],
    ['a long password', { password: 'x'.repeat(17) }, ['password'], 'password must be between 4 and 16 characters'],
    ['no password', { password: null }, ['password'], 'please enter your password'],
    ['an object as name', { username: { $ne: '' } }, ['username'], 'username must be a string'],
    ['a list as e-mail', { email: ['a@b.org'] }, ['email'], 'email must be a string'],
    ['a number as password', { password: 12_345_678 }, ['password'], 'password must be a string'],
    ['all wrong', { username: 1, email: 2, password: 3 }, ['username', 'email', 'password'], '3 errors occurred'],
  ])('refuses a registration with %s by field', async (_what, change, fields, message) => {
    const answer = await accountApp.post('local/register', { ...account, ...change })
    expect([answer.status, answer.body.error?.name, fieldsOf(answer)]).toEqual([400, 'ValidationError', fields])
    expect(answer.body.error?.message).toBe(message)
  })

  test.each([
    ['the name', { ...account, username: 'MARAT' }],
    ['the address', { ...account, email: 'MARAT@example.org' }],
    ['both', { ...account, username: 'marat', email: 'marat@example.org' }],
  ])('refuses a registration with %s that another account has', async (_what, payload) => {
    const { status, body } = await accountApp.post('local/register', payload)
    expect([status, body.error]).toMatchObject([
      400,
      { name: 'ApplicationError', message: 'Email or Username are already taken', details: {} },
    ])
  })

  test('creates one account for two concurrent registrations', async () => {
    const answers = await Promise.all([
      accountApp.post('local/register', account),
      accountApp.post('local/register', account),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.body.error?.message).toMatch(/already taken/)
  })

  test('refuses a registration when the settings turn registration off', async () => {
    accountApp = await openAccountApp({ REGISTRATION: 'off' })
    const { status, body } = await accountApp.post('local/register', account)
    expect([status, body.error]).toMatchObject([400, { name: 'ApplicationError', code: 'auth.registration-off' }])
    expect((await accountApp.app.inject('/api/auth/settings')).json()).toEqual({
      registration: false,
      password: { min: 4, max: 16 },
      name: { en: null, ru: null, uz: null, kaa: null },
    })
  })

  test('throttles registrations by network address without counting invalid bodies', async () => {
    accountApp = await openAccountApp({ REGISTER_THROTTLE: '2/1h' })
    const registerUserNamed = (username: string) =>
      accountApp.post('local/register', { ...account, username, email: `${username}@example.org` })
    for (let attempt = 0; attempt < 4; attempt += 1) expect((await registerUserNamed('x')).status).toBe(400)
    expect((await registerUserNamed('marat')).status).toBe(400)
    expect((await registerUserNamed('first')).status).toBe(200)
    const thirdAnswer = await registerUserNamed('second')
    expect([thirdAnswer.status, thirdAnswer.body.error?.code]).toEqual([429, 'auth.throttled'])
    expect(Number(thirdAnswer.retryAfter)).toBeGreaterThan(3_000)
    const otherAddress = { 'x-forwarded-for': '203.0.113.9' }
    expect((await accountApp.post('local/register', account, otherAddress)).status).toBe(200)
  })
})

describe('the strict policy of passwords', () => {
  beforeEach(async () => {
    accountApp = await openAccountApp({ PASSWORD_POLICY: 'strict' })
  })
  const account = { username: 'Jamila', email: 'jamila@example.org' }

  test.each<[password: string, status: number, message?: string]>([
    ['Cotton-24', 400, 'password must be between 15 and 64 characters'],
    ['x'.repeat(65), 400, 'password must be between 15 and 64 characters'],
    ['passwordpassword', 400, 'this password is too easy to guess'],
    ['melons grow in the south', 200],
  ])('responds to the new password %s with %i under the strict policy', async (password, status, message) => {
    const answer = await accountApp.post('local/register', { ...account, password })
    expect([answer.status, answer.body.error?.message]).toEqual([status, message])
  })

  test('accepts at sign-in both long passwords and shorter passwords of the other policy', async () => {
    const password = 'melons grow in the south'
    await accountApp.post('local/register', { ...account, password })
    expect((await accountApp.signIn('jamila', password)).status).toBe(200)
    expect((await accountApp.signIn('marat', testPassword)).status).toBe(200)
  })
})

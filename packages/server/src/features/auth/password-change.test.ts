import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountApp, actionsOf, bearer, fieldsOf, openAccountApp, twice } from '../../testing/account-app.ts'
import { tokenOf } from '../../testing/app.ts'
import { buildUser, testPassword } from '../../testing/factories.ts'

let here: AccountApp
beforeEach(async () => {
  here = await openAccountApp()
})

describe('a forgotten password', () => {
  test('replaces a forgotten password by the code of the letter, once, and ends all other sessions immediately', async () => {
    const [firstToken, secondToken] = [await tokenOf(here.app, 'marat'), await tokenOf(here.app, 'marat')]
    expect([await here.me(firstToken), await here.me(secondToken)]).toEqual([200, 200])
    const code = await here.forgotten(' MARAT@example.org ')
    expect(code).toMatch(/^[\w-]{43}$/)
    const { status, body } = await here.post('reset-password', { code, ...twice('Melon-2026') }, bearer('stale'))
    expect([status, body.user?.username]).toEqual([200, 'marat'])
    expect([await here.me(firstToken), await here.me(secondToken), await here.me(body.jwt)]).toEqual([401, 401, 200])
    expect((await here.signIn('marat', testPassword)).status).toBe(400)
    expect((await here.signIn('marat', 'Melon-2026')).status).toBe(200)
    const again = await here.post('reset-password', { code, ...twice('Other-2026') })
    expect([again.status, again.body.error]).toMatchObject([
      400,
      { name: 'ValidationError', message: 'Incorrect code provided', details: {} },
    ])
    const [letter] = await here.letters()
    expect(letter?.to).toBe('marat@example.org')
    expect(letter?.subject).toContain('Ваш пароль изменён')
    expect(await actionsOf(here.database)).toEqual(
      expect.arrayContaining(['password.forgot', 'password.reset', 'password.refused']) as unknown,
    )
  })

  test('gives every address the same response to a forgotten password, with the same statements', async () => {
    await buildUser(here.database, 'authenticated', { username: 'blocked', blocked: true })
    const seen: string[][] = []
    for (const email of ['marat@example.org', 'nobody@example.org', 'blocked@example.org']) {
      const statements: string[] = []
      const end = here.database.onStatement((text) => void statements.push(text))
      const answer = await here.app.inject({ method: 'POST', url: '/api/auth/forgot-password', payload: { email } })
      end()
      expect([answer.statusCode, answer.body]).toEqual([200, '{"ok":true}'])
      seen.push(statements)
    }
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
    expect((await here.letters()).map(({ to }) => to)).toEqual(['marat@example.org'])
  })

  test('stores, logs and returns no code for a forgotten password', async () => {
    const code = await here.forgotten()
    const rows = await here.database.query(sql`select * from reset_codes`)
    const mails = await here.database.query(sql`select * from mails`)
    const audit = await here.database.query(sql`select * from audit`)
    expect(JSON.stringify([rows, mails, audit])).not.toContain(code)
    await here.post('reset-password', { code, ...twice('Melon-2026') })
    expect(here.log()).not.toContain(code)
    expect(here.log()).not.toContain('Melon-2026')
  })

  const expire = sql`update reset_codes set expires_at = now() - interval '1 second'`
  test.each<[what: string, change: () => Promise<unknown>]>([
    ['half an hour is over', () => here.database.query(expire)],
    ['a newer one was requested', () => here.forgotten()],
    [
      'the account was blocked',
      () => here.database.query(sql`update users set blocked = true where id = ${here.marat}`),
    ],
    [
      'the password was changed',
      async () => {
        const token = await tokenOf(here.app, 'marat')
        await here.post('change-password', { currentPassword: testPassword, ...twice('Melon-2026') }, bearer(token))
      },
    ],
    [
      'the e-mail was changed',
      async () => {
        await buildUser(here.database, 'owner', { username: 'owner' })
        const headers = bearer(await tokenOf(here.app, 'owner'))
        const url = `/api/users/${here.marat}`
        await here.app.inject({ method: 'PUT', url, headers, payload: { email: 'new@example.org' } })
      },
    ],
  ])('refuses the code for a forgotten password when %s', async (_what, change) => {
    const code = await here.forgotten()
    expect(code).not.toBe('')
    await change()
    const { status, body } = await here.post('reset-password', { code, ...twice('Peach-2026') })
    expect([status, body.error?.message]).toEqual([400, 'Incorrect code provided'])
  })

  test('sends no letter for a forgotten password to an address that was replaced meanwhile', async () => {
    await here.post('forgot-password', { email: 'marat@example.org' })
    await here.database.query(sql`update users set email = 'new@example.org' where id = ${here.marat}`)
    expect(await here.letters()).toEqual([])
    expect(await here.database.query(sql`select 1 from reset_codes`)).toEqual([])
  })

  test.each<[what: string, payload: object, fields: string[] | undefined, message: string]>([
    ['nothing', {}, ['code', 'password', 'passwordConfirmation'], '3 errors occurred'],
    ['objects', { code: {}, ...twice('Melon-2026') }, ['code'], 'code must be a string'],
    [
      'different passwords',
      { code: 'x', password: 'Melon-1', passwordConfirmation: 'Melon-2' },
      undefined,
      'Passwords do not match',
    ],
    ['a short one', { code: 'x', ...twice('abc') }, ['password'], 'password must be between 4 and 16 characters'],
    ['a wrong code', { code: 'x', ...twice('Melon-2026') }, undefined, 'Incorrect code provided'],
  ])('refuses %s in a reset of a password', async (_what, payload, fields, message) => {
    const answer = await here.post('reset-password', payload)
    expect([answer.status, answer.body.error?.name, fieldsOf(answer)]).toEqual([400, 'ValidationError', fields])
    expect(answer.body.error?.message).toBe(message)
  })

  test.each<[payload: object, message: string]>([
    [{}, 'email is a required field'],
    [{ email: '' }, 'email is a required field'],
    [{ email: { $ne: '' } }, 'email must be a string'],
    [{ email: ['a@b.org'] }, 'email must be a string'],
    [{ email: 'nobody' }, 'please enter a valid email address'],
  ])('refuses the body %j in a request for the letter of a forgotten password', async (payload, message) => {
    const answer = await here.post('forgot-password', payload)
    expect([answer.status, fieldsOf(answer), answer.body.error?.message]).toEqual([400, ['email'], message])
  })

  test.each(['marat@example.org', 'nobody@example.org'])(
    'throttles letters for a forgotten password to the address %s',
    async (email) => {
      here = await openAccountApp({ FORGOT_THROTTLE: '2/1h' })
      const answers = await Promise.all(Array.from({ length: 4 }, () => here.post('forgot-password', { email })))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429])
      const [row] = await here.database.query(sql<{ count: number }>`select count(*)::int as count from mails`)
      expect(row?.count).toBe(email.startsWith('marat') ? 2 : 0)
    },
  )

  test('throttles guessed codes for a forgotten password by network address', async () => {
    here = await openAccountApp({ ADDRESS_THROTTLE: '2/15m' })
    const guess = () => here.post('reset-password', { code: 'guess', ...twice('Melon-2026') })
    expect([(await guess()).status, (await guess()).status, (await guess()).status]).toEqual([400, 400, 429])
  })
})

describe('POST /api/auth/change-password', () => {
  const change = (token: string, payload: object) => here.post('change-password', payload, bearer(token))
  const right = { currentPassword: testPassword, ...twice('Melon-2026') }

  test('keeps the present session after a change of the password and ends all other sessions', async () => {
    const [one, other] = [await tokenOf(here.app, 'marat'), await tokenOf(here.app, 'marat')]
    expect(await here.me(other)).toBe(200)
    const { status, body } = await change(one, right)
    expect([status, body.user?.username, await here.me(body.jwt), await here.me(one), await here.me(other)]).toEqual([
      200,
      'marat',
      200,
      200,
      401,
    ])
    expect((await here.signIn('marat', 'Melon-2026')).status).toBe(200)
    expect((await here.letters()).map(({ to }) => to)).toEqual(['marat@example.org'])
  })

  test('requires a session for a change of the password', async () => {
    expect((await here.post('change-password', right)).status).toBe(401)
    expect((await change('a.b.c', right)).status).toBe(401)
  })

  test.each<[what: string, payload: object, fields: string[] | undefined, message: string]>([
    ['nothing', {}, ['currentPassword', 'password', 'passwordConfirmation'], '3 errors occurred'],
    [
      'a wrong current one',
      { ...right, currentPassword: 'wrong' },
      undefined,
      'The provided current password is invalid',
    ],
    [
      'the same one',
      { ...right, ...twice(testPassword) },
      undefined,
      'Your new password must be different than your current password',
    ],
    [
      'different ones',
      { ...right, passwordConfirmation: 'Melon-2027' },
      ['passwordConfirmation'],
      'Passwords do not match',
    ],
    [
      'a long one',
      { ...right, ...twice('x'.repeat(17)) },
      ['password'],
      'password must be between 4 and 16 characters',
    ],
    ['a number', { ...right, currentPassword: 5 }, ['currentPassword'], 'currentPassword must be a string'],
  ])('refuses a change of the password with %s', async (_what, payload, fields, message) => {
    const answer = await change(await tokenOf(here.app, 'marat'), payload)
    expect([answer.status, answer.body.error?.name, fieldsOf(answer)]).toEqual([400, 'ValidationError', fields])
    expect(answer.body.error?.message).toBe(message)
  })

  test('throttles guesses at the current password without affecting sign-in', async () => {
    here = await openAccountApp({ LOGIN_THROTTLE: '2/15m' })
    const token = await tokenOf(here.app, 'marat')
    const statuses: number[] = []
    for (let turn = 0; turn < 3; turn += 1)
      statuses.push((await change(token, { ...right, currentPassword: 'x' })).status)
    expect(statuses).toEqual([400, 400, 429])
    expect((await change(token, right)).status).toBe(429)
    expect((await here.signIn('marat', testPassword)).status).toBe(200)
  })

  test.each([
    ['common', 'qwerty123', 'validation.passwordCommon'],
    ['their user name', 'Gulnara', 'validation.passwordPersonal'],
    ['their e-mail', 'g@example.org', 'validation.passwordPersonal'],
    ['the product', 'Dala', 'validation.passwordPersonal'],
  ])(
    'refuses for staff a new password that is %s, and accepts that password for other users',
    async (_what, password, code) => {
      await buildUser(here.database, 'admin', { username: 'gulnara', email: 'g@example.org' })
      const payload = { currentPassword: testPassword, ...twice(password) }
      const { status, body } = await change(await tokenOf(here.app, 'gulnara'), payload)
      expect([status, body.error?.code]).toEqual([400, code])
      expect((await change(await tokenOf(here.app, 'marat'), payload)).status).toBe(200)
    },
  )
})

import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type AccountApp,
  actionsOf,
  bearer,
  fieldsOf,
  openAccountApp,
  repeatPassword,
} from '../../testing/account-app.ts'
import { tokenOf } from '../../testing/app.ts'
import { buildUser, testPassword } from '../../testing/factories.ts'

let accountApp: AccountApp
beforeEach(async () => {
  accountApp = await openAccountApp()
})

describe('a forgotten password', () => {
  test('replaces a forgotten password by the code of the letter, once, and ends all other sessions immediately', async () => {
    const [firstToken, secondToken] = [await tokenOf(accountApp.app, 'marat'), await tokenOf(accountApp.app, 'marat')]
    expect([await accountApp.me(firstToken), await accountApp.me(secondToken)]).toEqual([200, 200])
    const code = await accountApp.forgetPassword(' MARAT@example.org ')
    expect(code).toMatch(/^[\w-]{43}$/)
    const { status, body } = await accountApp.post(
      'reset-password',
      { code, ...repeatPassword('Melon-2026') },
      bearer('stale'),
    )
    expect([status, body.user?.username]).toEqual([200, 'marat'])
    expect([await accountApp.me(firstToken), await accountApp.me(secondToken), await accountApp.me(body.jwt)]).toEqual([
      401, 401, 200,
    ])
    expect((await accountApp.signIn('marat', testPassword)).status).toBe(400)
    expect((await accountApp.signIn('marat', 'Melon-2026')).status).toBe(200)
    const repeatedAnswer = await accountApp.post('reset-password', { code, ...repeatPassword('Other-2026') })
    expect([repeatedAnswer.status, repeatedAnswer.body.error]).toMatchObject([
      400,
      { name: 'ValidationError', message: 'Incorrect code provided', details: {} },
    ])
    const [letter] = await accountApp.letters()
    expect(letter?.to).toBe('marat@example.org')
    expect(letter?.subject).toContain('Ваш пароль изменён')
    expect(await actionsOf(accountApp.database)).toEqual(
      expect.arrayContaining(['password.forgot', 'password.reset', 'password.refused']) as unknown,
    )
  })

  test('gives every address the same response to a forgotten password, with the same statements', async () => {
    await buildUser(accountApp.database, 'authenticated', { username: 'blocked', blocked: true })
    const seenAnswers: string[][] = []
    for (const email of ['marat@example.org', 'nobody@example.org', 'blocked@example.org']) {
      const statements: string[] = []
      const end = accountApp.database.onStatement((text) => void statements.push(text))
      const answer = await accountApp.app.inject({
        method: 'POST',
        url: '/api/auth/forgot-password',
        payload: { email },
      })
      end()
      expect([answer.statusCode, answer.body]).toEqual([200, '{"ok":true}'])
      seenAnswers.push(statements)
    }
    expect(seenAnswers[1]).toEqual(seenAnswers[0])
    expect(seenAnswers[2]).toEqual(seenAnswers[0])
    expect((await accountApp.letters()).map(({ to }) => to)).toEqual(['marat@example.org'])
  })

  test('stores, logs and returns no code for a forgotten password', async () => {
    const code = await accountApp.forgetPassword()
    const rows = await accountApp.database.query(sql`select * from reset_codes`)
    const mails = await accountApp.database.query(sql`select * from mails`)
    const audit = await accountApp.database.query(sql`select * from audit`)
    expect(JSON.stringify([rows, mails, audit])).not.toContain(code)
    await accountApp.post('reset-password', { code, ...repeatPassword('Melon-2026') })
    expect(accountApp.log()).not.toContain(code)
    expect(accountApp.log()).not.toContain('Melon-2026')
  })

  const expireSql = sql`update reset_codes set expires_at = now() - interval '1 second'`
  test.each<[what: string, change: () => Promise<unknown>]>([
    ['half an hour is over', () => accountApp.database.query(expireSql)],
    ['a newer one was requested', () => accountApp.forgetPassword()],
    [
      'the account was blocked',
      () => accountApp.database.query(sql`update users set blocked = true where id = ${accountApp.marat}`),
    ],
    [
      'the password was changed',
      async () => {
        const token = await tokenOf(accountApp.app, 'marat')
        await accountApp.post(
          'change-password',
          { currentPassword: testPassword, ...repeatPassword('Melon-2026') },
          bearer(token),
        )
      },
    ],
    [
      'the e-mail was changed',
      async () => {
        await buildUser(accountApp.database, 'owner', { username: 'owner' })
        const headers = bearer(await tokenOf(accountApp.app, 'owner'))
        const url = `/api/users/${accountApp.marat}`
        await accountApp.app.inject({ method: 'PUT', url, headers, payload: { email: 'new@example.org' } })
      },
    ],
  ])('refuses the code for a forgotten password when %s', async (_what, change) => {
    const code = await accountApp.forgetPassword()
    expect(code).not.toBe('')
    await change()
    const { status, body } = await accountApp.post('reset-password', { code, ...repeatPassword('Peach-2026') })
    expect([status, body.error?.message]).toEqual([400, 'Incorrect code provided'])
  })

  test('sends no letter for a forgotten password to an address that was replaced meanwhile', async () => {
    await accountApp.post('forgot-password', { email: 'marat@example.org' })
    await accountApp.database.query(sql`update users set email = 'new@example.org' where id = ${accountApp.marat}`)
    expect(await accountApp.letters()).toEqual([])
    expect(await accountApp.database.query(sql`select 1 from reset_codes`)).toEqual([])
  })

  test.each<[what: string, payload: object, fields: string[] | undefined, message: string]>([
    ['nothing', {}, ['code', 'password', 'passwordConfirmation'], '3 errors occurred'],
    ['objects', { code: {}, ...repeatPassword('Melon-2026') }, ['code'], 'code must be a string'],
    [
      'different passwords',
      { code: 'x', password: 'Melon-1', passwordConfirmation: 'Melon-2' },
      undefined,
      'Passwords do not match',
    ],
    [
      'a short one',
      { code: 'x', ...repeatPassword('abc') },
      ['password'],
      'password must be between 4 and 16 characters',
    ],
    ['a wrong code', { code: 'x', ...repeatPassword('Melon-2026') }, undefined, 'Incorrect code provided'],
  ])('refuses %s in a reset of a password', async (_what, payload, fields, message) => {
    const answer = await accountApp.post('reset-password', payload)
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
    const answer = await accountApp.post('forgot-password', payload)
    expect([answer.status, fieldsOf(answer), answer.body.error?.message]).toEqual([400, ['email'], message])
  })

  test.each(['marat@example.org', 'nobody@example.org'])(
    'throttles letters for a forgotten password to the address %s',
    async (email) => {
      accountApp = await openAccountApp({ FORGOT_THROTTLE: '2/1h' })
      const answers = await Promise.all(Array.from({ length: 4 }, () => accountApp.post('forgot-password', { email })))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429])
      const [row] = await accountApp.database.query(sql<{ count: number }>`select count(*)::int as count from mails`)
      expect(row?.count).toBe(email.startsWith('marat') ? 2 : 0)
    },
  )

  test('throttles guessed codes for a forgotten password by network address', async () => {
    accountApp = await openAccountApp({ ADDRESS_THROTTLE: '2/15m' })
    const guessCode = () => accountApp.post('reset-password', { code: 'guess', ...repeatPassword('Melon-2026') })
    expect([(await guessCode()).status, (await guessCode()).status, (await guessCode()).status]).toEqual([
      400, 400, 429,
    ])
  })
})

describe('POST /api/auth/change-password', () => {
  const change = (token: string, payload: object) => accountApp.post('change-password', payload, bearer(token))
  const validChange = { currentPassword: testPassword, ...repeatPassword('Melon-2026') }

  test('keeps the present session after a change of the password and ends all other sessions', async () => {
    const [presentToken, otherToken] = [await tokenOf(accountApp.app, 'marat'), await tokenOf(accountApp.app, 'marat')]
    expect(await accountApp.me(otherToken)).toBe(200)
    const { status, body } = await change(presentToken, validChange)
    expect([
      status,
      body.user?.username,
      await accountApp.me(body.jwt),
      await accountApp.me(presentToken),
      await accountApp.me(otherToken),
    ]).toEqual([200, 'marat', 200, 200, 401])
    expect((await accountApp.signIn('marat', 'Melon-2026')).status).toBe(200)
    expect((await accountApp.letters()).map(({ to }) => to)).toEqual(['marat@example.org'])
  })

  test('requires a session for a change of the password', async () => {
    expect((await accountApp.post('change-password', validChange)).status).toBe(401)
    expect((await change('a.b.c', validChange)).status).toBe(401)
  })

  test.each<[what: string, payload: object, fields: string[] | undefined, message: string]>([
    ['nothing', {}, ['currentPassword', 'password', 'passwordConfirmation'], '3 errors occurred'],
    [
      'a wrong current one',
      { ...validChange, currentPassword: 'wrong' },
      undefined,
      'The provided current password is invalid',
    ],
    [
      'the same one',
      { ...validChange, ...repeatPassword(testPassword) },
      undefined,
      'Your new password must be different than your current password',
    ],
    [
      'different ones',
      { ...validChange, passwordConfirmation: 'Melon-2027' },
      ['passwordConfirmation'],
      'Passwords do not match',
    ],
    [
      'a long one',
      { ...validChange, ...repeatPassword('x'.repeat(17)) },
      ['password'],
      'password must be between 4 and 16 characters',
    ],
    ['a number', { ...validChange, currentPassword: 5 }, ['currentPassword'], 'currentPassword must be a string'],
  ])('refuses a change of the password with %s', async (_what, payload, fields, message) => {
    const answer = await change(await tokenOf(accountApp.app, 'marat'), payload)
    expect([answer.status, answer.body.error?.name, fieldsOf(answer)]).toEqual([400, 'ValidationError', fields])
    expect(answer.body.error?.message).toBe(message)
  })

  test('throttles guesses at the current password without affecting sign-in', async () => {
    accountApp = await openAccountApp({ LOGIN_THROTTLE: '2/15m' })
    const token = await tokenOf(accountApp.app, 'marat')
    const statuses: number[] = []
    for (let attempt = 0; attempt < 3; attempt += 1)
      statuses.push((await change(token, { ...validChange, currentPassword: 'x' })).status)
    expect(statuses).toEqual([400, 400, 429])
    expect((await change(token, validChange)).status).toBe(429)
    expect((await accountApp.signIn('marat', testPassword)).status).toBe(200)
  })

  test.each([
    ['common', 'qwerty123', 'validation.passwordCommon'],
    ['their user name', 'Gulnara', 'validation.passwordPersonal'],
    ['their e-mail', 'g@example.org', 'validation.passwordPersonal'],
    ['the product', 'Dala', 'validation.passwordPersonal'],
  ])(
    'refuses for staff a new password that is %s, and accepts that password for other users',
    async (_what, password, code) => {
      await buildUser(accountApp.database, 'admin', { username: 'gulnara', email: 'g@example.org' })
      const payload = { currentPassword: testPassword, ...repeatPassword(password) }
      const { status, body } = await change(await tokenOf(accountApp.app, 'gulnara'), payload)
      expect([status, body.error?.code]).toEqual([400, code])
      expect((await change(await tokenOf(accountApp.app, 'marat'), payload)).status).toBe(200)
    },
  )
})

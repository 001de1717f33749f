import { TOTP } from 'otpauth'
import { sql } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountApp, actionsOf, bearer, openAccountApp, repeatPassword } from '../../testing/account-app.ts'
import { tokenOf } from '../../testing/app.ts'
import { buildUser, testPassword } from '../../testing/factories.ts'
import { codeInEmail } from '../../testing/parse-email.ts'
import { turnTwoStepOn } from '../../testing/two-step.ts'

let accountApp: AccountApp
beforeEach(async () => {
  accountApp = await openAccountApp()
})

const change = async (token: string, body: object) => accountApp.post('change-email', body, bearer(token))
const requestEmailChange = (token: string, email: string) => change(token, { currentPassword: testPassword, email })
const confirmCode = (code: string) => accountApp.post('confirm-email', { code }, bearer('stale'))

interface Status {
  email: string
  confirmed: boolean
  pending: string | null
}
const statusOf = async (token: string | undefined): Promise<Status> =>
  (await accountApp.app.inject({ url: '/api/auth/change-email', headers: bearer(token) })).json<Status>()

const maliciousText = 'Your account is closed, see https://evil.example'
const farmer = { username: 'sender', email: 'sender@example.org', password: 'Cotton-24', name: maliciousText }

async function registerUser(draft: object = farmer) {
  const { status, body } = await accountApp.post('local/register', draft)
  expect(status).toBe(200)
  return body.jwt ?? ''
}

describe('POST /api/auth/change-email', () => {
  test('sends a link to the new e-mail address, and changes nothing until the link is used', async () => {
    const token = await tokenOf(accountApp.app, 'marat')
    const { status, body } = await requestEmailChange(token, ' Fresh@Example.org ')
    expect([status, body]).toEqual([200, { ok: true }])
    expect(await statusOf(token)).toEqual({ email: 'marat@example.org', confirmed: true, pending: 'fresh@example.org' })
    expect((await accountApp.letters()).map(({ to }) => to)).toEqual(['fresh@example.org'])
    expect((await accountApp.signIn('fresh@example.org', testPassword)).status).toBe(400)
    expect((await accountApp.signIn('marat@example.org', testPassword)).status).toBe(200)
  })

  test('changes the address once by the link, notifies the former address, keeps sessions and voids password codes', async () => {
    const token = await tokenOf(accountApp.app, 'marat')
    const resetCode = await accountApp.forgetPassword()
    await requestEmailChange(token, 'fresh@example.org')
    const [letter] = await accountApp.letters()
    const code = letter ? codeInEmail(letter) : ''
    expect(code).toMatch(/^[\w-]{43}$/)
    expect(letter?.text).toContain(`/user/confirm-email?code=${code}`)
    expect((await confirmCode(code)).body).toEqual({ ok: true })
    expect(await statusOf(token)).toEqual({ email: 'fresh@example.org', confirmed: true, pending: null })
    expect((await accountApp.signIn('fresh@example.org', testPassword)).status).toBe(200)
    expect((await accountApp.letters()).map(({ to }) => to)).toEqual(['marat@example.org'])
    expect(
      (await accountApp.post('reset-password', { code: resetCode, ...repeatPassword('Melon-2026') })).body.error?.code,
    ).toBe('auth.code')
    expect(await actionsOf(accountApp.database)).toContain('email.change')
    const repeatedAnswer = await confirmCode(code)
    expect([repeatedAnswer.status, repeatedAnswer.body.error?.code]).toEqual([400, 'auth.code'])
  })

  test('responds to a change to a taken e-mail address like to a free one, and sends no letter', async () => {
    await buildUser(accountApp.database, 'authenticated', { username: 'taken', email: 'taken@example.org' })
    const token = await tokenOf(accountApp.app, 'marat')
    await accountApp.me(token)
    const seenAnswers: string[][] = []
    for (const email of ['free@example.org', 'TAKEN@example.org']) {
      const statements: string[] = []
      const end = accountApp.database.onStatement((text) => void statements.push(text))
      expect(await requestEmailChange(token, email)).toMatchObject({ status: 200, body: { ok: true } })
      end()
      // Sessions are cached for a second, so the number of their statements depends on the speed of the
      // machine.
      seenAnswers.push(statements.filter((text) => !/\bsessions\b/.test(text)))
    }
    expect(seenAnswers[1]).toEqual(seenAnswers[0])
    expect(await statusOf(token)).toMatchObject({ pending: 'taken@example.org' })
    expect(await accountApp.letters()).toEqual([])
  })

  test.each<[what: string, body: object, code: string]>([
    ['a wrong password', { currentPassword: 'wrong', email: 'a@example.org' }, 'auth.current-password'],
    ['no password', { email: 'a@example.org' }, 'auth.credential-required'],
    ['no address', { currentPassword: testPassword }, 'auth.credential-required'],
    ['an object', { currentPassword: testPassword, email: { $ne: '' } }, 'validation.text'],
    ['an invalid address', { currentPassword: testPassword, email: 'nobody' }, 'validation.emailInvalid'],
  ])('refuses to change an e-mail address with %s', async (_what, body, code) => {
    const answer = await change(await tokenOf(accountApp.app, 'marat'), body)
    expect([answer.status, answer.body.error?.details.errors?.[0] ?? answer.body.error]).toMatchObject([400, { code }])
    expect((await accountApp.signIn('marat@example.org', testPassword)).status).toBe(200)
    expect(await accountApp.letters()).toEqual([])
  })

  test('counts wrong passwords with those of changing the password, and requires a session to change the address', async () => {
    const token = await tokenOf(accountApp.app, 'marat')
    for (let attempt = 0; attempt < 10; attempt += 1)
      await change(token, { currentPassword: 'wrong', email: 'a@example.org' })
    expect((await requestEmailChange(token, 'a@example.org')).status).toBe(429)
    expect(
      (
        await accountApp.post(
          'change-password',
          { currentPassword: testPassword, ...repeatPassword('Melon-26') },
          bearer(token),
        )
      ).status,
    ).toBe(429)
    expect(
      (await accountApp.post('change-email', { currentPassword: testPassword, email: 'a@example.org' })).status,
    ).toBe(401)
  })

  test('sends five letters an hour for one account, to any new addresses', async () => {
    const token = await tokenOf(accountApp.app, 'marat')
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.push((await requestEmailChange(token, `victim+${attempt}@example.org`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await accountApp.post('change-email/resend', {}, bearer(token))).status).toBe(429)
    const [row] = await accountApp.database.query(sql<{ count: number }>`
      select count(*)::int as count from mails where sent_at is null`)
    // A newer request replaces the pending letter of an account, so many requests leave one letter.
    expect(row?.count).toBe(1)
  })

  test('counts letters to one address together with those for a forgotten password', async () => {
    accountApp = await openAccountApp({ FORGOT_THROTTLE: '2/1h' })
    await accountApp.post('forgot-password', { email: 'victim@example.org' })
    await accountApp.post('forgot-password', { email: 'victim@example.org' })
    expect((await requestEmailChange(await tokenOf(accountApp.app, 'marat'), 'victim@example.org')).status).toBe(429)
  })

  test('counts letters requested from one network address together with those for a forgotten password', async () => {
    accountApp = await openAccountApp({ LETTER_THROTTLE: '2/1h' })
    await buildUser(accountApp.database, 'authenticated', { username: 'other' })
    await accountApp.post('forgot-password', { email: 'one@example.org' })
    expect((await requestEmailChange(await tokenOf(accountApp.app, 'marat'), 'two@example.org')).status).toBe(200)
    expect((await requestEmailChange(await tokenOf(accountApp.app, 'other'), 'three@example.org')).status).toBe(429)
    expect((await accountApp.post('forgot-password', { email: 'four@example.org' })).status).toBe(429)
    const otherAddress = { 'x-forwarded-for': '203.0.113.9' }
    expect((await accountApp.post('forgot-password', { email: 'five@example.org' }, otherAddress)).status).toBe(200)
  })

  test('cancels a change of the e-mail address, and sends the letter again on request', async () => {
    const token = await tokenOf(accountApp.app, 'marat')
    expect((await accountApp.post('change-email/resend', {}, bearer(token))).body.error?.code).toBe(
      'auth.email-confirmed',
    )
    await requestEmailChange(token, 'fresh@example.org')
    const [firstLetter] = await accountApp.letters()
    expect((await accountApp.post('change-email/resend', {}, bearer(token))).status).toBe(200)
    const [secondLetter] = await accountApp.letters()
    expect((await confirmCode(firstLetter ? codeInEmail(firstLetter) : '')).status).toBe(400)
    const cancelledAnswer = await accountApp.app.inject({
      method: 'DELETE',
      url: '/api/auth/change-email',
      headers: bearer(token),
    })
    expect(cancelledAnswer.statusCode).toBe(200)
    expect((await confirmCode(secondLetter ? codeInEmail(secondLetter) : '')).status).toBe(400)
    expect(await statusOf(token)).toEqual({ email: 'marat@example.org', confirmed: true, pending: null })
  })

  test.each<[what: string, act: (token: string) => Promise<unknown>]>([
    [
      'half an hour is over',
      () => accountApp.database.query(sql`update email_confirmations set expires_at = now() - interval '1 second'`),
    ],
    [
      'the account is blocked',
      () => accountApp.database.query(sql`update users set blocked = true where id = ${accountApp.marat}`),
    ],
    [
      'the password was changed',
      (token) =>
        accountApp.post(
          'change-password',
          { currentPassword: testPassword, ...repeatPassword('Melon-26') },
          bearer(token),
        ),
    ],
    [
      'the password was reset by letter',
      async () =>
        accountApp.post('reset-password', { code: await accountApp.forgetPassword(), ...repeatPassword('Melon-26') }),
    ],
  ])('refuses the code of a new e-mail address when %s', async (_what, act) => {
    const token = await tokenOf(accountApp.app, 'marat')
    await requestEmailChange(token, 'fresh@example.org')
    const [letter] = await accountApp.letters()
    const code = letter ? codeInEmail(letter) : ''
    expect(code).not.toBe('')
    await act(token)
    expect((await confirmCode(code)).body.error?.code).toBe('auth.code')
    const [row] = await accountApp.database.query(sql`select email from users where id = ${accountApp.marat}`)
    expect(row).toEqual({ email: 'marat@example.org' })
  })

  test('refuses the code of a new e-mail address that another account has taken meanwhile', async () => {
    await requestEmailChange(await tokenOf(accountApp.app, 'marat'), 'fresh@example.org')
    const [letter] = await accountApp.letters()
    await buildUser(accountApp.database, 'authenticated', { username: 'faster', email: 'fresh@example.org' })
    const { status, body } = await confirmCode(letter ? codeInEmail(letter) : '')
    expect([status, body.error?.code]).toEqual([400, 'user.email-taken'])
  })

  test('stores, logs and returns no code of an e-mail change', async () => {
    await requestEmailChange(await tokenOf(accountApp.app, 'marat'), 'fresh@example.org')
    const [letter] = await accountApp.letters()
    const code = letter ? codeInEmail(letter) : ''
    const rows = await accountApp.database.query(sql`select * from email_confirmations`)
    const mails = await accountApp.database.query(sql`select * from mails`)
    await confirmCode(code)
    const audit = await accountApp.database.query(sql`select * from audit`)
    expect(JSON.stringify([rows, mails, audit])).not.toContain(code)
    expect(accountApp.log()).not.toContain(code)
  })

  test('counts guessed codes of an e-mail change by network address', async () => {
    accountApp = await openAccountApp({ ADDRESS_THROTTLE: '2/15m' })
    const guessCode = async () => (await accountApp.post('confirm-email', { code: 'guess' })).status
    expect([await guessCode(), await guessCode(), await guessCode()]).toEqual([400, 400, 429])
  })
})

describe('the address of a new account', () => {
  test('confirms the address of a new account by the link of the welcome letter', async () => {
    const token = await registerUser()
    expect(await statusOf(token)).toEqual({ email: farmer.email, confirmed: false, pending: farmer.email })
    const [letter] = await accountApp.letters()
    expect((await confirmCode(letter ? codeInEmail(letter) : '')).status).toBe(200)
    expect(await statusOf(token)).toEqual({ email: farmer.email, confirmed: true, pending: null })
    expect((await accountApp.letters()).map(({ to }) => to)).toEqual([])
  })

  test('sends an unconfirmed address no text from the user who registered it', async () => {
    const token = await registerUser()
    await accountApp.post('forgot-password', { email: farmer.email })
    const welcomeLetters = await accountApp.letters()
    expect(welcomeLetters.map(({ to }) => to)).toEqual([farmer.email, farmer.email])
    await accountApp.post(
      'change-password',
      { currentPassword: 'Cotton-24', ...repeatPassword('Melon-26') },
      bearer(token),
    )
    await change(token, { currentPassword: 'Melon-26', email: 'victim@example.org' })
    const otherLetters = await accountApp.letters()
    expect(otherLetters.map(({ to }) => to).toSorted()).toEqual([farmer.email, 'victim@example.org'])
    for (const { text, html, subject } of [...welcomeLetters, ...otherLetters]) {
      expect(`${subject}${text}${html}`).not.toContain('evil')
      expect(`${subject}${text}${html}`).not.toContain(farmer.username)
    }
    await accountApp.database.query(sql`delete from throttles`)
    await accountApp.post('change-email', { currentPassword: 'Melon-26', email: farmer.email }, bearer(token))
    const [newLetter] = await accountApp.letters()
    expect((await confirmCode(newLetter ? codeInEmail(newLetter) : '')).status).toBe(200)
    await accountApp.post('forgot-password', { email: farmer.email })
    expect((await accountApp.letters())[0]?.text).toContain('evil')
  })

  test('sends the welcome letter again on request, without a password', async () => {
    const token = await registerUser()
    await accountApp.letters()
    expect((await accountApp.post('change-email/resend', {}, bearer(token))).status).toBe(200)
    const [letter] = await accountApp.letters()
    expect([letter?.to, (await confirmCode(letter ? codeInEmail(letter) : '')).status]).toEqual([farmer.email, 200])
    expect((await accountApp.post('change-email/resend', {}, bearer(token))).body.error?.code).toBe(
      'auth.email-confirmed',
    )
  })

  test('requires a confirmed e-mail address before a second step is turned on', async () => {
    const token = await registerUser()
    const setUpTwoStep = () => accountApp.post('two-step', { password: 'Cotton-24' }, bearer(token))
    const refusedAnswer = await setUpTwoStep()
    expect([refusedAnswer.status, refusedAnswer.body.error?.code]).toEqual([409, 'auth.email-unconfirmed'])
    const [letter] = await accountApp.letters()
    await confirmCode(letter ? codeInEmail(letter) : '')
    expect((await setUpTwoStep()).status).toBe(200)
  })
})

describe('a password reset by letter', () => {
  test('removes second step and sessions at a password reset of an account with an unconfirmed address', async () => {
    const token = await registerUser()
    const [{ id }] = (await accountApp.database.query(sql<{ id: number }>`
      select id from users where username = 'sender'`)) as [{ id: number }]
    // Confirms the address again: the account set up its second step before addresses were confirmed.
    await accountApp.database.query(sql`update users set confirmed = true where id = ${id}`)
    const signedIn = await accountApp.signIn('sender', 'Cotton-24')
    await turnTwoStepOn(accountApp.app, signedIn.body.jwt ?? '', 'Cotton-24')
    await accountApp.database.query(sql`update users set confirmed = false where id = ${id}`)
    await accountApp.letters()
    const code = await accountApp.forgetPassword(farmer.email)
    const { status, body } = await accountApp.post('reset-password', { code, ...repeatPassword('Melon-26') })
    expect([status, body.user?.confirmed]).toEqual([200, true])
    expect([await accountApp.me(token), await accountApp.me(signedIn.body.jwt), await accountApp.me(body.jwt)]).toEqual(
      [401, 401, 200],
    )
    expect((await accountApp.signIn('sender', 'Melon-26')).status).toBe(200)
    expect(await accountApp.database.query(sql`select 1 from two_step`)).toEqual([])
  })

  test('keeps the second step at a password reset of an account with a confirmed address', async () => {
    const { secret } = await turnTwoStepOn(accountApp.app, await tokenOf(accountApp.app, 'marat'))
    const code = await accountApp.forgetPassword()
    expect((await accountApp.post('reset-password', { code, ...repeatPassword('Melon-26') })).status).toBe(422)
    await accountApp.database.query(sql`update two_step set last_step = 0`)
    const credentials = { identifier: 'marat', password: 'Melon-26', code: new TOTP({ secret }).generate() }
    expect((await accountApp.post('local', credentials)).status).toBe(200)
  })
})

describe('an e-mail address set by staff', () => {
  test('confirms an e-mail address set by staff immediately, and names nobody in the letter to that address', async () => {
    await buildUser(accountApp.database, 'owner', { username: 'owner' })
    const headers = bearer(await tokenOf(accountApp.app, 'owner'))
    await accountApp.database.query(sql`update users set name = ${maliciousText} where id = ${accountApp.marat}`)
    const url = `/api/users/${accountApp.marat}`
    const { statusCode } = await accountApp.app.inject({
      method: 'PUT',
      url,
      headers,
      payload: { email: 'fresh@example.org' },
    })
    expect(statusCode).toBe(200)
    const letters = await accountApp.letters()
    expect(letters.map(({ to, text }) => [to, text.includes('evil')])).toEqual([
      ['marat@example.org', true],
      ['fresh@example.org', false],
    ])
  })
})

import { sql } from '../../db/sql.ts'
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type AccountApp,
  actionsOf,
  type AuthAnswer,
  bearer,
  openAccountApp,
  repeatPassword,
} from '../../testing/account-app.ts'
import { tokenOf } from '../../testing/app.ts'
import { buildUser, testPassword } from '../../testing/factories.ts'

const halfMinute = 30_000
let accountApp: AccountApp
beforeEach(async () => {
  // The clock is stopped, so that a code belongs to the period that a test chooses.
  vi.setSystemTime(Date.now())
  accountApp = await openAccountApp()
})
afterEach(() => void vi.useRealTimers())

interface TwoStepSetup {
  secret: string
  uri: string
  recovery: string[]
}

/** Computes the code that an app shows, `steps` periods of 30 seconds from now. */
function codeAt(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * halfMinute })
}
/** Returns a code of the second step that was never shown: moves the time to the next period. */
function nextCode(secret: string): string {
  vi.setSystemTime(Date.now() + halfMinute)
  return codeAt(secret)
}
const differentCode = (code: string) => (code === '000000' ? '000001' : '000000')

const signIn = (code?: unknown, password = testPassword, identifier = 'marat') =>
  accountApp.post('local', { identifier, password, ...(code !== undefined && { code }) })
const setUpTwoStep = (token: string, password: unknown = testPassword) =>
  accountApp.post('two-step', { password }, bearer(token))
const confirmSetup = (token: string, code: unknown) => accountApp.post('two-step/confirm', { code }, bearer(token))
async function turnTwoStepOff(token: string, payload: object): Promise<{ status: number; code: unknown }> {
  const answer = await accountApp.app.inject({
    method: 'DELETE',
    url: '/api/auth/two-step',
    headers: bearer(token),
    payload,
  })
  return { status: answer.statusCode, code: answer.json<{ error?: { code: string } }>().error?.code }
}
const refusal = ({ status, body }: AuthAnswer) => [status, body.error?.code]

async function setUpOf(token: string): Promise<TwoStepSetup> {
  const answer = await accountApp.app.inject({
    method: 'POST',
    url: '/api/auth/two-step',
    headers: bearer(token),
    payload: { password: testPassword },
  })
  expect(answer.statusCode).toBe(200)
  return answer.json<TwoStepSetup>()
}

/** Turns two-step sign-in on for `marat`. */
async function turnTwoStepOn(): Promise<TwoStepSetup & { token: string }> {
  const token = await tokenOf(accountApp.app, 'marat')
  const setupAnswer = await setUpOf(token)
  expect((await confirmSetup(token, codeAt(setupAnswer.secret))).status).toBe(200)
  return { ...setupAnswer, token }
}

const wrongCode = {
  status: 400,
  name: 'ValidationError',
  message: 'Invalid identifier or password',
  code: 'auth.invalid-credentials',
  details: {},
}

describe('sign-in with two steps', () => {
  test('asks for a code of the second step only after a right password', async () => {
    const { secret } = await turnTwoStepOn()
    const answer = await signIn()
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        data: null,
        error: {
          status: 422,
          name: 'UnprocessableEntityError',
          message: 'A code of the authenticator app is needed',
          code: 'auth.two-step-needed',
          details: { totp: true },
        },
      },
    ])
    for (const code of [undefined, nextCode(secret)])
      expect((await signIn(code, 'wrong')).body).toEqual({ data: null, error: wrongCode })
    await accountApp.database.query(sql`update users set blocked = true where id = ${accountApp.marat}`)
    expect((await signIn()).body).toEqual({ data: null, error: wrongCode })
  })

  test('accepts a code of the second step once, and no earlier code afterwards', async () => {
    const { secret } = await turnTwoStepOn()
    expect((await signIn(codeAt(secret))).body, 'the code that turned it on').toEqual({ data: null, error: wrongCode })
    const code = nextCode(secret)
    const { status, body } = await signIn(code)
    expect([status, body.user?.username, await accountApp.me(body.jwt)]).toEqual([200, 'marat', 200])
    expect((await signIn(code)).body).toEqual({ data: null, error: wrongCode })
    expect((await signIn(codeAt(secret, -1))).body).toEqual({ data: null, error: wrongCode })
    const spacedCode = nextCode(secret).replace(/^.../, '$& ')
    expect((await signIn(spacedCode)).status).toBe(200)
  })

  test('accepts a code of the second step once in two concurrent requests', async () => {
    const { secret } = await turnTwoStepOn()
    const code = nextCode(secret)
    const answers = await Promise.all([signIn(code), signIn(code), signIn(code)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  })

  test.each([
    [-2, 400],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 400],
  ])('responds to a code of the second step of %i periods from now with %i', async (steps, status) => {
    const { secret } = await turnTwoStepOn()
    vi.setSystemTime(Date.now() + 10 * halfMinute)
    expect((await signIn(codeAt(secret, steps))).status).toBe(status)
  })

  test.each([null, '', 0, 123_456, true, [], ['123456'], {}, '１２３４５６', '12345', '1234567', 'x'.repeat(65)])(
    'refuses the second-step code %j like a wrong password',
    async (code) => {
      await turnTwoStepOn()
      expect((await signIn(code)).body).toEqual({ data: null, error: wrongCode })
    },
  )

  test('counts wrong second-step codes as failures, but not requests without a code', async () => {
    accountApp = await openAccountApp({ LOGIN_THROTTLE: '2/15m' })
    const { secret } = await turnTwoStepOn()
    for (let attempt = 0; attempt < 4; attempt += 1) expect((await signIn()).status).toBe(422)
    const code = nextCode(secret)
    const guessedCode = differentCode(code)
    const guessAnswers = await Promise.all([
      signIn(guessedCode),
      signIn(guessedCode),
      signIn(guessedCode),
      signIn(guessedCode),
    ])
    expect(guessAnswers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([400, 400, 429, 429])
    for (const payload of [code, undefined]) expect(refusal(await signIn(payload))).toEqual([429, 'auth.throttled'])
    const actions = await actionsOf(accountApp.database)
    expect(actions.filter((action) => action === 'sign-in.failed')).toHaveLength(2)
  })

  test('accepts a recovery code once, in any spelling', async () => {
    const { recovery, secret } = await turnTwoStepOn()
    expect(new Set(recovery).size).toBe(10)
    for (const code of recovery) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    const [firstCode = '', secondCode = ''] = recovery
    expect((await signIn(firstCode)).status).toBe(200)
    expect((await signIn(firstCode)).body).toEqual({ data: null, error: wrongCode })
    expect((await signIn(` ${secondCode.replaceAll('-', ' ')}`)).status).toBe(200)
    expect((await signIn(nextCode(secret))).status).toBe(200)
  })

  test('ignores a code at the sign-in of an account without a second step', async () => {
    await turnTwoStepOn()
    await buildUser(accountApp.database, 'authenticated', { username: 'gulnara' })
    for (const code of [undefined, null, '', {}, '000000'])
      expect((await signIn(code, testPassword, 'gulnara')).status).toBe(200)
  })

  test('requires no code before the second step was confirmed', async () => {
    await setUpOf(await tokenOf(accountApp.app, 'marat'))
    expect((await signIn()).status).toBe(200)
  })

  test('opens no session when a password is reset by letter, and ends other sessions', async () => {
    const { token, secret } = await turnTwoStepOn()
    const code = await accountApp.forgetPassword()
    const answer = await accountApp.post('reset-password', { code, ...repeatPassword('Melon-2026') })
    expect([answer.status, answer.body.error?.details, answer.body.jwt]).toEqual([422, { totp: true }, undefined])
    expect(await accountApp.me(token)).toBe(401)
    expect((await signIn(undefined, 'Melon-2026')).status).toBe(422)
    expect((await signIn(nextCode(secret), 'Melon-2026')).status).toBe(200)
    const repeatedAnswer = await accountApp.post('reset-password', { code, ...repeatPassword('Peach-2026') })
    expect(refusal(repeatedAnswer)).toEqual([400, 'auth.code'])
  })
})

describe('turning two-step sign-in on', () => {
  test('returns the URI for the app when two-step sign-in is set up, and ends the other sessions', async () => {
    const [token, otherToken] = [await tokenOf(accountApp.app, 'marat'), await tokenOf(accountApp.app, 'marat')]
    const { secret, uri } = await setUpOf(token)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toBe(`otpauth://totp/Dala:marat?issuer=Dala&secret=${secret}&algorithm=SHA1&digits=6&period=30`)
    expect(await accountApp.me(otherToken)).toBe(200)
    expect((await confirmSetup(token, codeAt(secret))).body).toEqual({ ok: true })
    expect([await accountApp.me(token), await accountApp.me(otherToken)]).toEqual([200, 401])
    expect(await actionsOf(accountApp.database)).toEqual(['sign-in', 'sign-in', 'two-step.on'])
  })

  test('replaces an unconfirmed secret of the second step by a second secret', async () => {
    const token = await tokenOf(accountApp.app, 'marat')
    const [firstSetup, secondSetup] = [await setUpOf(token), await setUpOf(token)]
    expect(refusal(await confirmSetup(token, codeAt(firstSetup.secret)))).toEqual([400, 'auth.two-step-code'])
    expect((await confirmSetup(token, codeAt(secondSetup.secret))).status).toBe(200)
    expect((await signIn(firstSetup.recovery[0])).status).toBe(400)
    expect((await signIn(secondSetup.recovery[0])).status).toBe(200)
  })

  test('refuses to turn two-step sign-in off or confirm it without a setup, and to set it up twice', async () => {
    const token = await tokenOf(accountApp.app, 'marat')
    expect(refusal(await confirmSetup(token, '000000'))).toEqual([409, 'auth.two-step-off'])
    expect(await turnTwoStepOff(token, { password: testPassword, code: '000000' })).toEqual({
      status: 409,
      code: 'auth.two-step-off',
    })
    const { secret } = await setUpOf(token)
    expect((await turnTwoStepOff(token, { password: testPassword, code: codeAt(secret) })).code).toBe(
      'auth.two-step-off',
    )
    await confirmSetup(token, codeAt(secret))
    expect(refusal(await setUpTwoStep(token))).toEqual([409, 'auth.two-step-on'])
    expect(refusal(await confirmSetup(token, nextCode(secret)))).toEqual([409, 'auth.two-step-on'])
    expect((await signIn(nextCode(secret))).status).toBe(200)
  })

  test.each<[what: string, code: (setup: TwoStepSetup) => unknown, refused: string]>([
    ['a wrong code', ({ secret }) => differentCode(codeAt(secret)), 'auth.two-step-code'],
    ['a recovery code', ({ recovery }) => recovery[0], 'auth.two-step-code'],
    ['an old code', ({ secret }) => codeAt(secret, -2), 'auth.two-step-code'],
    ['a number', () => 123_456, 'validation.text'],
    ['nothing', () => undefined, 'auth.credential-required'],
  ])('refuses to confirm two-step sign-in with %s', async (_what, code, refusalCode) => {
    const token = await tokenOf(accountApp.app, 'marat')
    expect(refusal(await confirmSetup(token, code(await setUpOf(token))))).toEqual([400, refusalCode])
    expect((await signIn()).status).toBe(200)
  })
})

describe('turning two-step sign-in off', () => {
  test.each<[what: string, code: (setup: TwoStepSetup) => string | undefined]>([
    ['code of the app', ({ secret }) => nextCode(secret)],
    ['recovery code', ({ recovery }) => recovery[3]],
  ])(
    'requires the password and a %s to turn two-step sign-in off, and ends the other sessions',
    async (_what, code) => {
      const setupAnswer = await turnTwoStepOn()
      const otherToken = (await signIn(nextCode(setupAnswer.secret))).body.jwt
      expect(await accountApp.me(otherToken)).toBe(200)
      expect(await turnTwoStepOff(setupAnswer.token, { password: testPassword, code: code(setupAnswer) })).toEqual({
        status: 200,
        code: undefined,
      })
      expect([
        await accountApp.me(setupAnswer.token),
        await accountApp.me(otherToken),
        (await signIn()).status,
      ]).toEqual([200, 401, 200])
      expect(await accountApp.database.query(sql`select 1 from two_step`)).toEqual([])
      expect(await actionsOf(accountApp.database)).toContain('two-step.off')
    },
  )

  test.each<[what: string, payload: (setup: TwoStepSetup) => object, refused: string]>([
    ['a wrong password', ({ secret }) => ({ password: 'wrong', code: nextCode(secret) }), 'auth.current-password'],
    [
      'a long password',
      ({ secret }) => ({ password: 'x'.repeat(65), code: nextCode(secret) }),
      'auth.current-password',
    ],
    ['a used code', ({ secret }) => ({ password: testPassword, code: codeAt(secret) }), 'auth.two-step-code'],
    [
      'a wrong code',
      ({ secret }) => ({ password: testPassword, code: differentCode(nextCode(secret)) }),
      'auth.two-step-code',
    ],
    ['no code', () => ({ password: testPassword }), 'auth.credential-required'],
    ['nothing', () => ({}), 'validation.several'],
  ])('refuses to turn two-step sign-in off with %s', async (_what, payload, refusalCode) => {
    const setupAnswer = await turnTwoStepOn()
    expect(await turnTwoStepOff(setupAnswer.token, payload(setupAnswer))).toEqual({ status: 400, code: refusalCode })
    expect((await signIn()).status).toBe(422)
  })
})

test('requires a session on every route of two-step sign-in', async () => {
  const { secret } = await turnTwoStepOn()
  for (const token of ['a.b.c', '']) {
    expect((await setUpTwoStep(token)).status).toBe(401)
    expect((await confirmSetup(token, codeAt(secret))).status).toBe(401)
    expect((await turnTwoStepOff(token, { password: testPassword, code: nextCode(secret) })).status).toBe(401)
  }
})

test('throttles guesses at the password and at codes together with those of changing the password', async () => {
  accountApp = await openAccountApp({ LOGIN_THROTTLE: '3/15m' })
  const token = await tokenOf(accountApp.app, 'marat')
  const { secret } = await setUpOf(token)
  expect(refusal(await setUpTwoStep(token, 'wrong'))).toEqual([400, 'auth.current-password'])
  const changedAnswer = await accountApp.post(
    'change-password',
    { currentPassword: 'wrong', ...repeatPassword('Melon-2026') },
    bearer(token),
  )
  expect(refusal(changedAnswer)).toEqual([400, 'auth.current-password'])
  expect((await confirmSetup(token, differentCode(codeAt(secret)))).status).toBe(400)
  expect(refusal(await confirmSetup(token, codeAt(secret)))).toEqual([429, 'auth.throttled'])
  expect((await setUpTwoStep(token)).status).toBe(429)
  expect((await turnTwoStepOff(token, { password: testPassword, code: codeAt(secret) })).status).toBe(429)
  expect((await signIn()).status).toBe(200)
  const actions = await actionsOf(accountApp.database)
  expect(actions).toEqual(['sign-in', 'password.refused', 'password.refused', 'two-step.refused', 'sign-in'])
})

test('leaves no secret or code of the second step in a response, the log or the audit', async () => {
  const { secret, recovery, token } = await turnTwoStepOn()
  const [code, recoveryCode = ''] = [nextCode(secret), recovery[0]]
  await signIn(code)
  await signIn(recoveryCode)
  const answers = await Promise.all(
    ['/api/users/me', `/api/users/${accountApp.marat}?populate=*`].map((url) =>
      accountApp.app.inject({ url, headers: bearer(token) }),
    ),
  )
  const rows = [
    await accountApp.database.query(sql`select * from audit`),
    await accountApp.database.query(sql`select * from revisions`),
  ]
  const sentText = [...answers.map(({ body }) => body), JSON.stringify(rows), accountApp.log()].join('\n')
  for (const hiddenText of [secret, code, recoveryCode]) expect(sentText).not.toContain(hiddenText)
  const storedRows = JSON.stringify(await accountApp.database.query(sql`select * from two_step`))
  for (const recoveryCodeText of recovery) expect(storedRows).not.toContain(recoveryCodeText.replaceAll('-', ''))
})

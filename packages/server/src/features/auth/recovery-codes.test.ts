import { sql } from '../../db/sql.ts'
import { TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountApp, actionsOf, bearer, openAccountApp } from '../../testing/account-app.ts'
import { tokenOf } from '../../testing/app.ts'
import { testPassword } from '../../testing/factories.ts'
import { turnTwoStepOn } from '../../testing/two-step.ts'

let accountApp: AccountApp
let token = ''
beforeEach(async () => {
  accountApp = await openAccountApp({ LOGIN_THROTTLE: '3/15m' })
  token = await tokenOf(accountApp.app, 'marat')
})

const status = async (callerToken = token) => {
  const answer = await accountApp.app.inject({ url: '/api/auth/two-step', headers: bearer(callerToken) })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}
const renewCodes = async (payload: object, callerToken = token) => {
  const { body, ...answer } = await accountApp.post('two-step/recovery', payload, bearer(callerToken))
  return { status: answer.status, code: body.error?.code, recovery: 'recovery' in body ? body.recovery : undefined }
}
const signIn = (code: string | undefined) =>
  accountApp.post('local', { identifier: 'marat', password: testPassword, ...(code !== undefined && { code }) })

describe('GET /api/auth/two-step', () => {
  test('reports two-step sign-in as off at first, even with an unconfirmed secret', async () => {
    const offStatus = { on: false, since: null, recovery_left: 0, required: false }
    expect(await status()).toEqual({ status: 200, body: offStatus })
    await accountApp.post('two-step', { password: testPassword }, bearer(token))
    expect((await status()).body).toEqual(offStatus)
  })

  test('shows the time at which two-step sign-in was turned on, and the number of recovery codes left', async () => {
    const { recovery } = await turnTwoStepOn(accountApp.app, token)
    expect((await status()).body).toEqual({
      on: true,
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      recovery_left: 10,
      required: false,
    })
    expect((await signIn(recovery[0])).status).toBe(200)
    expect((await status()).body).toMatchObject({ recovery_left: 9 })
  })

  test('requires a session for the state of two-step sign-in', async () => {
    expect((await status('a.b.c')).status).toBe(401)
    expect((await renewCodes({ password: testPassword, code: '1' }, 'a.b.c')).status).toBe(401)
  })
})

describe('new recovery codes', () => {
  test('voids old recovery codes when new codes are issued, and keeps every session', async () => {
    const { recovery } = await turnTwoStepOn(accountApp.app, token)
    const otherToken = (await signIn(recovery[0])).body.jwt
    const { status: answerStatus, recovery: newCodes } = await renewCodes({ password: testPassword, code: recovery[1] })
    expect([answerStatus, new Set(newCodes as string[]).size]).toEqual([200, 10])
    expect((await status()).body).toMatchObject({ recovery_left: 10 })
    expect([await accountApp.me(token), await accountApp.me(otherToken)]).toEqual([200, 200])
    expect((await signIn(recovery[2])).status).toBe(400)
    expect((await signIn((newCodes as string[])[0])).status).toBe(200)
    expect(await actionsOf(accountApp.database)).toContain('two-step.recovery')
  })

  test('stores recovery codes as hashes only, and logs none', async () => {
    const { recovery } = await turnTwoStepOn(accountApp.app, token)
    const { recovery: newCodes } = await renewCodes({ password: testPassword, code: recovery[0] })
    const rows = await accountApp.database.query(sql`select t.recovery, a.details from two_step t, audit a`)
    for (const code of newCodes as string[]) {
      expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''))
      expect(accountApp.log()).not.toContain(code)
    }
  })

  test.each<[what: string, payload: (recovery: string[], secret: string) => object, refused: string]>([
    ['a wrong password', (recovery) => ({ password: 'wrong', code: recovery[0] }), 'auth.current-password'],
    ['a wrong code', () => ({ password: testPassword, code: 'abcd-efgh-ijkl-mnop' }), 'auth.two-step-code'],
    [
      'the code that turned it on',
      (_recovery, secret) => ({ password: testPassword, code: new TOTP({ secret }).generate() }),
      'auth.two-step-code',
    ],
    ['no code', () => ({ password: testPassword }), 'auth.credential-required'],
    ['a code that is not text', () => ({ password: testPassword, code: { $ne: '' } }), 'validation.text'],
    ['nothing', () => ({}), 'validation.several'],
  ])('refuses to issue new recovery codes with %s', async (_what, payload, refusalCode) => {
    const { recovery, secret } = await turnTwoStepOn(accountApp.app, token)
    expect(await renewCodes(payload(recovery, secret))).toMatchObject({ status: 400, code: refusalCode })
    expect((await status()).body).toMatchObject({ recovery_left: 10 })
  })

  test('refuses to issue new recovery codes while two-step sign-in is off', async () => {
    expect(await renewCodes({ password: testPassword, code: '000000' })).toMatchObject({
      status: 409,
      code: 'auth.two-step-off',
    })
  })

  test('throttles new recovery codes together with other guesses at the password', async () => {
    const { recovery } = await turnTwoStepOn(accountApp.app, token)
    for (let attempt = 0; attempt < 3; attempt += 1) await renewCodes({ password: 'wrong', code: recovery[0] })
    expect(await renewCodes({ password: testPassword, code: recovery[0] })).toMatchObject({
      status: 429,
      code: 'auth.throttled',
    })
  })
})

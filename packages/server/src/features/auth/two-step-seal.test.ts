import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '../../db/sql.ts'
import { TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountApp, bearer, openAccountApp } from '../../testing/account-app.ts'
import { openTestApp, tokenOf } from '../../testing/app.ts'
import { buildUser, testPassword } from '../../testing/factories.ts'
import { turnTwoStepOn } from '../../testing/two-step.ts'
import { readTwoStepSeal, sealStoredSecrets, TwoStepSeal } from './two-step-seal.ts'

const [firstKey, secondKey] = ['first-key-0123456789-abcdefghijklm', 'second-key-0123456789-abcdefghijkl']
const clearSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

describe('a sealed secret', () => {
  const twoStepSeal = new TwoStepSeal([firstKey])
  test('opens a sealed secret only for its account and its key', () => {
    const sealedSecret = twoStepSeal.seal(7, clearSecret)
    expect(sealedSecret).not.toContain(clearSecret)
    expect(twoStepSeal.seal(7, clearSecret)).not.toBe(sealedSecret)
    expect(twoStepSeal.open(7, sealedSecret)).toEqual({ secret: clearSecret, isCurrent: true })
    expect(twoStepSeal.open(8, sealedSecret)).toBeUndefined()
    expect(new TwoStepSeal([secondKey]).open(7, sealedSecret)).toBeUndefined()
    expect(new TwoStepSeal([secondKey, firstKey]).open(7, sealedSecret)).toEqual({
      secret: clearSecret,
      isCurrent: false,
    })
  })
  test.each(['', 'v1.', 'v1.AAAA', clearSecret, 'v2.AAAA'])('opens no secret from the stored text %j', (storedText) => {
    expect(twoStepSeal.open(7, storedText)).toBeUndefined()
  })
  test('opens no sealed secret in which a character was changed', () => {
    const sealedSecret = twoStepSeal.seal(7, clearSecret)
    const changedSecret = sealedSecret.replace(
      /.(.)$/,
      (_all, lastCharacter: string) => `${lastCharacter === 'A' ? 'B' : 'A'}${lastCharacter}`,
    )
    expect(changedSecret === sealedSecret ? undefined : twoStepSeal.open(7, changedSecret)).toBeUndefined()
  })
})

test('creates a key in the data folder at the first start, readable by this user alone, and keeps it', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'dala-seal-'))
  const sealedSecret = readTwoStepSeal(undefined, dataDir).seal(1, clearSecret)
  const file = join(dataDir, 'secrets', 'two-step')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{43}$/)
  expect(readTwoStepSeal(undefined, dataDir).open(1, sealedSecret)?.secret).toBe(clearSecret)
})

describe('the secret of a second step', () => {
  let accountApp: AccountApp
  beforeEach(async () => {
    accountApp = await openAccountApp({ TWO_STEP_KEY: firstKey })
  })
  const rows = () => accountApp.database.query(sql<Record<string, unknown>>`select * from two_step`)
  const codeOf = (secret: string) => new TOTP({ secret }).generate()
  const resetLastStep = () => accountApp.database.query(sql`update two_step set last_step = 0`)

  test('stores the secret of a second step in no row of the database, and accepts its codes at sign-in', async () => {
    const { secret } = await turnTwoStepOn(accountApp.app, await tokenOf(accountApp.app, 'marat'))
    expect(JSON.stringify(await rows())).not.toContain(secret)
    expect(JSON.stringify(await rows())).not.toMatch(/"[A-Z2-7]{16,}"/)
    await resetLastStep()
    const credentials = { identifier: 'marat', password: testPassword, code: codeOf(secret) }
    expect((await accountApp.post('local', credentials)).status).toBe(200)
  })

  test('seals once at the start a secret that an earlier version stored in clear', async () => {
    await accountApp.database.query(
      sql`insert into two_step values (${accountApp.marat}, ${clearSecret}, now(), 0, '{}')`,
    )
    const twoStepSeal = new TwoStepSeal([firstKey])
    expect(await sealStoredSecrets(accountApp.database, twoStepSeal)).toEqual({ sealed: 1, unreadable: 0 })
    const sealedRows = await rows()
    expect(JSON.stringify(sealedRows)).not.toContain(clearSecret)
    expect(await sealStoredSecrets(accountApp.database, twoStepSeal)).toEqual({ sealed: 0, unreadable: 0 })
    expect(await rows()).toEqual(sealedRows)
    const credentials = { identifier: 'marat', password: testPassword, code: codeOf(clearSecret) }
    expect((await accountApp.post('local', credentials)).status).toBe(200)
  })

  test('seals a secret again with the first key when a key is replaced', async () => {
    const { secret } = await turnTwoStepOn(accountApp.app, await tokenOf(accountApp.app, 'marat'))
    const twoKeySeal = new TwoStepSeal([secondKey, firstKey])
    expect(await sealStoredSecrets(accountApp.database, twoKeySeal)).toEqual({ sealed: 1, unreadable: 0 })
    const [row] = await rows()
    expect(new TwoStepSeal([secondKey]).open(accountApp.marat, String(row?.secret))?.secret).toBe(secret)
  })

  test('accepts recovery codes but no app code on a server without the key, and lets staff reset the step', async () => {
    const { secret, recovery } = await turnTwoStepOn(accountApp.app, await tokenOf(accountApp.app, 'marat'))
    await resetLastStep()
    expect(await sealStoredSecrets(accountApp.database, new TwoStepSeal([secondKey]))).toEqual({
      sealed: 0,
      unreadable: 1,
    })
    await buildUser(accountApp.database, 'owner', { username: 'chief' })
    const { app } = await openTestApp({ settings: { TWO_STEP_KEY: secondKey }, database: accountApp.database })
    const signIn = async (code?: string) => {
      const payload = { identifier: 'marat', password: testPassword, ...(code !== undefined && { code }) }
      const answer = await app.inject({ method: 'POST', url: '/api/auth/local', payload })
      return [answer.statusCode, answer.json<{ error?: { code: string } }>().error?.code]
    }
    expect(await signIn()).toEqual([422, 'auth.two-step-needed'])
    expect(await signIn(codeOf(secret))).toEqual([409, 'auth.two-step-unreadable'])
    expect(await signIn('000000')).toEqual([409, 'auth.two-step-unreadable'])
    expect(await signIn('aaaa-bbbb-cccc-dddd')).toEqual([400, 'auth.invalid-credentials'])
    expect(await signIn(recovery[0])).toEqual([200, undefined])
    const headers = bearer(await tokenOf(app, 'chief'))
    const resetAnswer = await app.inject({ method: 'DELETE', url: `/api/users/${accountApp.marat}/two-step`, headers })
    expect(resetAnswer.statusCode).toBe(200)
    expect(await signIn()).toEqual([200, undefined])
    await app.close()
  })
})

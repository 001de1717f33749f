/** Refused sign-ins cost the same, so that their duration reveals nothing (checklist §1). */
import { sql } from '../../db/sql.ts'
import { beforeEach, expect, test } from 'vitest'
import { isWeak, verifyPassword } from '../../domain/accounts/passwords.ts'
import { readSettings } from '../../settings.ts'
import { type AccountApp, openAccountApp } from '../../testing/account-app.ts'
import { buildUser, testPassword } from '../../testing/factories.ts'
import { statementsOf } from '../../testing/statements.ts'
import { Sessions } from '../../domain/accounts/token-sessions.ts'
import { unmatchedHash, SignIn } from './sign-in.ts'
import { TwoStepSeal } from './two-step-seal.ts'

const twoStepSeal = new TwoStepSeal(['a key that nothing was sealed with'])

let accountApp: AccountApp
beforeEach(async () => {
  accountApp = await openAccountApp()
  await buildUser(accountApp.database, 'admin', { username: 'blocked', blocked: true })
})

test('refuses a wrong password, an unknown and a blocked account with the same work', async () => {
  await accountApp.database.query(
    sql`insert into two_step values (${accountApp.marat}, 'JBSWY3DPEHPK3PXP', now(), 0, '{}')`,
  )
  let verifiedCount = 0
  const sessions = new Sessions(accountApp.database, [new Uint8Array(32)])
  const signIn = new SignIn(accountApp.database, sessions, readSettings({}), twoStepSeal, (storedHash, password) => {
    verifiedCount += 1
    return verifyPassword(storedHash, password)
  })
  const visitor = { address: '203.0.113.1', agent: undefined, requestId: 'r' }
  const costs: { code: unknown; statements: string[]; verified: number }[] = []
  for (const [identifier, password] of [
    ['marat', 'wrong-one'],
    ['nobody', testPassword],
    ['nobody@example.org', 'wrong-one'],
    ['blocked', testPassword],
    ['blocked', 'wrong-one'],
  ] as const) {
    verifiedCount = 0
    let code: unknown
    const statements = await statementsOf(accountApp.database, async () => {
      const refusal = signIn.run({ identifier, password, code: undefined }, visitor, () => {})
      code = await refusal.catch((error: unknown) => error)
    })
    costs.push({ code, statements, verified: verifiedCount })
  }
  for (const cost of costs) expect(cost).toEqual(costs[0])
  expect(costs[0]).toMatchObject({ code: { code: 'auth.invalid-credentials' }, verified: 1 })
})

test('compares a password with an equally costly hash when no account exists', () => {
  expect(isWeak(unmatchedHash)).toBe(false)
})

test('refuses a password above the maximum length before hashing', async () => {
  let verifiedCount = 0
  const sessions = new Sessions(accountApp.database, [new Uint8Array(32)])
  const signIn = new SignIn(accountApp.database, sessions, readSettings({}), twoStepSeal, () => {
    verifiedCount += 1
    return Promise.resolve(true)
  })
  const visitor = { address: '203.0.113.1', agent: undefined, requestId: 'r' }
  const signInWith = (identifier: string, password: string) =>
    signIn.run({ identifier, password, code: undefined }, visitor, () => {})
  for (const identifier of ['marat', 'nobody', 'blocked']) {
    await expect(signInWith(identifier, '𐐷'.repeat(65))).rejects.toMatchObject({ code: 'auth.invalid-credentials' })
  }
  expect(verifiedCount).toBe(0)
  // A password of sixty-four characters with two code units each is not too long.
  await signInWith('marat', '𐐷'.repeat(64))
  expect(verifiedCount).toBe(1)
})

test('opens no session with a password that was changed during the check', async () => {
  const sessions = new Sessions(accountApp.database, [new Uint8Array(32)])
  const visitor = { address: '203.0.113.1', agent: undefined, requestId: 'r' }
  for (const change of [sql`password = 'another'`, sql`blocked = true`, sql`removed_at = now()`]) {
    await accountApp.database.query(
      sql`update users set password = 'first', blocked = false where id = ${accountApp.marat}`,
    )
    const signIn = new SignIn(accountApp.database, sessions, readSettings({}), twoStepSeal, async (storedHash) => {
      // The fake password check accepts only the first hash, and replaces the stored hash while it is being
      // checked.
      if (storedHash === 'first')
        await accountApp.database.query(sql`update users set ${change} where id = ${accountApp.marat}`)
      return storedHash === 'first'
    })
    const pendingSignIn = signIn.run(
      { identifier: 'marat', password: testPassword, code: undefined },
      visitor,
      () => {},
    )
    await expect(pendingSignIn).rejects.toMatchObject({ code: 'auth.invalid-credentials' })
    expect(await accountApp.database.query(sql`select id from sessions where user_id = ${accountApp.marat}`)).toEqual(
      [],
    )
  }
  const lines = sql`select action, user_id from audit where action like 'sign-in%'`
  expect(await accountApp.database.query(lines)).toEqual(
    [1, 2, 3].map(() => ({ action: 'sign-in.failed', user_id: accountApp.marat })),
  )
})

test('returns 503 with Retry-After while too many passwords are being checked', async () => {
  // Tests compare the hash of the common test password once; this account's is compared at each sign-in.
  const password = 'Harvest-2027'
  await buildUser(accountApp.database, 'authenticated', { username: 'gulnora', password })
  let isOccupied = true
  /** Occupies every slot of the hash limiter that becomes free. */
  const occupyHashSlots = async (): Promise<void> => {
    while (isOccupied) await verifyPassword(unmatchedHash, 'x').catch(() => (isOccupied = false))
  }
  const occupiers = Array.from({ length: 68 }, occupyHashSlots)
  const { status, body, retryAfter } = await accountApp.signIn('gulnora', password)
  isOccupied = false
  await Promise.all(occupiers)
  expect([status, body.error?.code, retryAfter]).toEqual([503, 'server.busy', '5'])
  expect((await accountApp.signIn('gulnora', password)).status).toBe(200)
})

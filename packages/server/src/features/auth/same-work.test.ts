/** Refused sign-ins cost the same, so that how long one takes tells nothing (checklist §1). */
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { isWeak } from '../../resources/passwords.ts'
import { type AccountApp, openAccountApp } from '../../testing/account-app.ts'
import { buildUser, testPassword } from '../../testing/factories.ts'
import { statementsOf } from '../../testing/statements.ts'
import { nobodysHash } from './sign-in.ts'

const hashing = vi.hoisted(() => ({ done: [] as string[] }))
vi.mock('@node-rs/argon2', async (original) => {
  const { hash, verify, ...others } = await original<typeof import('@node-rs/argon2')>()
  return {
    ...others,
    hash: (...given: Parameters<typeof hash>) => {
      hashing.done.push('hash')
      return hash(...given)
    },
    verify: (...given: Parameters<typeof verify>) => {
      hashing.done.push('verify')
      return verify(...given)
    },
  }
})

let here: AccountApp
beforeEach(async () => {
  here = await openAccountApp()
  await buildUser(here.database, 'admin', { username: 'blocked', blocked: true })
  await here.database.query(sql`insert into two_step values (${here.marat}, 'JBSWY3DPEHPK3PXP', now(), 0, '{}')`)
})

test('a wrong password, an unknown and a blocked account are refused with the same work', async () => {
  const costs: unknown[] = []
  for (const [identifier, password] of [
    ['marat', 'wrong-one'],
    ['nobody', testPassword],
    ['nobody@example.org', 'wrong-one'],
    ['blocked', testPassword],
    ['blocked', 'wrong-one'],
  ] as const) {
    hashing.done = []
    let answer: unknown
    const statements = await statementsOf(here.database, async () => {
      const { status, body } = await here.signIn(identifier, password)
      answer = [status, body.error]
    })
    costs.push({ answer, statements, hashing: hashing.done })
  }
  for (const cost of costs) expect(cost).toEqual(costs[0])
  expect(costs[0]).toMatchObject({ hashing: ['verify'] })
})

test('what is compared with where there is no account costs what a stored password does', () => {
  expect(isWeak(nobodysHash)).toBe(false)
})

test('what is longer than any password is refused before it is hashed', async () => {
  hashing.done = []
  for (const identifier of ['marat', 'nobody', 'blocked']) {
    expect((await here.signIn(identifier, 'x'.repeat(65))).status).toBe(400)
  }
  expect(hashing.done).toEqual([])
})

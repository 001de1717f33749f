/** The second step of a sign-in: whether an account has one, and taking its code (contract §2). */
import { type Fault, fault } from '@dala/model'
import { sql } from 'kysely'
import type { Transaction } from '../../db/database.ts'
import { readCode, recoveryHash, stepOf } from './two-step-codes.ts'

export interface TwoStepRow {
  secret: string
  /** Whether a code is asked for: a first one has shown that the app knows the secret. */
  confirmed: boolean
}

/** The 422 that asks for a code; the sign-in screen knows it by its details. */
export function codeNeeded(): Fault {
  return fault('auth.two-step-needed', { details: { totp: true } })
}

/**
 * Locks what an account has set up until the transaction ends: guesses at its codes come one after the other, none is
 * looked at before those ahead of it are counted, and no session opens without a code while it is turned on.
 * Out: undefined when nothing was set up.
 */
export async function lockTwoStep(trx: Transaction, user: number): Promise<TwoStepRow | undefined> {
  const [row] = await trx.query(sql<TwoStepRow>`
    select secret, confirmed_at is not null as confirmed from two_step where user_id = ${user} for update`)
  return row
}

/**
 * Takes a code: one of the app that is newer than the last one, or a recovery code, once. In: the transaction that
 * locked the row, and whatever was sent as a code. Out: whether it was right.
 */
export async function spendCode(trx: Transaction, user: number, secret: string, given: unknown): Promise<boolean> {
  const code = readCode(given)
  if (code === undefined) return false
  const step = stepOf(secret, code, Date.now())
  const hash = recoveryHash(code)
  const spent = await trx.query(
    step === undefined
      ? sql`update two_step set recovery = array_remove(recovery, ${hash}::text)
             where user_id = ${user} and ${hash}::text = any(recovery) returning user_id`
      : sql`update two_step set last_step = ${step} where user_id = ${user} and last_step < ${step} returning user_id`,
  )
  return spent.length > 0
}

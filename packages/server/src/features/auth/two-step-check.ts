/** Reads the second step of an account at sign-in, and checks its code (contract §2). */
import { type Fault, fault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { isAppCode, readCode, recoveryHash, periodOfCode } from './two-step-codes.ts'
import type { TwoStepSeal } from './two-step-seal.ts'

export interface TwoStepRow {
  /** Secret of the second step as it is stored: sealed. */
  sealed: string
  /**
   * Whether sign-in requires a code of the second step: an earlier code has proven that the app has the
   * secret.
   */
  confirmed: boolean
}

/** Returns the 422 that asks for a code; the sign-in screen recognises the error by its details. */
export function codeNeededFault(): Fault {
  return fault('auth.two-step-needed', { details: { totp: true } })
}

/**
 * Tells whether the e-mail address of an account is confirmed; locks the account until the transaction ends.
 *
 * @param trx - The transaction that depends on the result.
 * @param user - The account.
 * @returns False for an account that registered itself and has not used the link of its letter.
 */
export async function isConfirmed(trx: Transaction, user: number): Promise<boolean> {
  const [account] = await trx.query(
    sql<{ confirmed: boolean }>`select confirmed from users where id = ${user} for no key update`,
  )
  return account?.confirmed === true
}

/**
 * Locks the second step of an account until the transaction ends. Guesses at its codes are checked and
 * counted one after the other, and no session opens without a code while it is turned on.
 *
 * @returns `undefined` when the account has no second step.
 */
export async function lockTwoStep(trx: Transaction, user: number): Promise<TwoStepRow | undefined> {
  const [row] = await trx.query(sql<TwoStepRow>`
    select secret as sealed, confirmed_at is not null as confirmed from two_step where user_id = ${user} for update`)
  return row
}

/**
 * Accepts a code of the second step: one of the app that is newer than the last one, or a recovery code,
 * once.
 *
 * @param trx - The transaction that locked the row.
 * @param twoStepSeal - Opens the secret.
 * @param user - The account.
 * @param sealedSecret - The stored secret.
 * @param rawCode - The code as it was sent.
 * @returns Whether the code was right.
 * @throws 409 `auth.two-step-unreadable` for a code of the app when no key of this server opens the secret.
 */
export async function spendCode(
  trx: Transaction,
  twoStepSeal: TwoStepSeal,
  user: number,
  sealedSecret: string,
  rawCode: unknown,
): Promise<boolean> {
  const code = readCode(rawCode)
  if (code === undefined) return false
  const secret = twoStepSeal.open(user, sealedSecret)?.secret
  // After a database was restored without its key, codes cannot be checked, so none is accepted.
  if (secret === undefined && isAppCode(code)) throw fault('auth.two-step-unreadable')
  const step = secret === undefined ? undefined : periodOfCode(secret, code, Date.now())
  const hash = recoveryHash(code)
  const spentCodes = await trx.query(
    step === undefined
      ? sql`update two_step set recovery = array_remove(recovery, ${hash}::text)
             where user_id = ${user} and ${hash}::text = any(recovery) returning user_id`
      : sql`update two_step set last_step = ${step} where user_id = ${user} and last_step < ${step} returning user_id`,
  )
  return spentCodes.length > 0
}

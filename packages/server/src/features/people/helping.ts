/** Helps a user who cannot sign in and stops abuse of their account: letters, second step, sessions. */
import { fault, type SessionView } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { queueMail, queueResetMail } from '../../domain/delivery/mails.ts'
import { endSession, endSessionsOf, liveSessionsOf } from '../../domain/accounts/sessions.ts'
import type { FailureLimit } from '../../domain/accounts/throttle.ts'
import { assertUserNotBlocked } from './blocking.ts'
import { countLetter } from './invitations.ts'
import { type AccountAction, auditAction, lockAccount } from './acting.ts'

/**
 * Sends the letter that sets a new password, as if the user had requested it.
 *
 * @param trx - The transaction.
 * @param staffAction - The caller, and the account.
 * @param limit - The limit of letters, shared with those that the user requests.
 * @throws 403 and 404 by rank, 409 for a blocked account, 429.
 */
export async function sendPasswordLetter(
  trx: Transaction,
  staffAction: AccountAction,
  limit: FailureLimit,
): Promise<void> {
  const account = await lockAccount(trx, staffAction)
  assertUserNotBlocked(account)
  await countLetter(trx, account.email, limit)
  await queueResetMail(trx, account.email)
  await auditAction(trx, staffAction, 'user.password-letter')
}

/**
 * Lists the valid sessions of an account.
 *
 * @throws 403 and 404 by rank.
 */
export async function sessionsOf(trx: Transaction, staffAction: AccountAction): Promise<SessionView[]> {
  await lockAccount(trx, staffAction)
  return liveSessionsOf(trx, staffAction.id)
}

/**
 * Ends a session of an account.
 *
 * @throws 403 and 404 by rank; 404 for a session of another account and for one that has ended.
 */
export async function endSessionFor(trx: Transaction, staffAction: AccountAction, session: string): Promise<void> {
  await lockAccount(trx, staffAction)
  await endSession(trx, staffAction.id, session)
  await auditAction(trx, staffAction, 'session.end')
}

/**
 * Turns the second step off for a user who has lost their app and codes; their sessions end, and a letter
 * informs them.
 *
 * @throws 403 and 404 by rank, 409 when the second step is not on.
 */
export async function turnTwoStepOff(trx: Transaction, staffAction: AccountAction): Promise<void> {
  const { id, email, locale, name } = await lockAccount(trx, staffAction)
  const [removedTwoStep] = await trx.query(sql<{ at: string }>`
    delete from two_step where user_id = ${id} and confirmed_at is not null returning now() as at`)
  if (!removedTwoStep) throw fault('auth.two-step-off')
  await endSessionsOf(trx, id)
  await queueMail(trx, email, locale, 'twoStepReset', { name, at: removedTwoStep.at })
  await auditAction(trx, staffAction, 'two-step.reset')
}

/** Sends a letter to an owner's own address, through the queue and the mail server of all letters. */
import { type Caller, callerLanguage, fault } from '@dala/model'
import type { Transaction } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { addFailure, type FailureLimit, throwLocked } from '../../domain/accounts/throttle.ts'
import { nameForLetters, queueMail } from '../../domain/delivery/mails.ts'

/** Test letters of one owner in an hour. */
const limit: FailureLimit = { failures: 5, seconds: 3_600 }

/**
 * Queues a test letter to the caller, in place of one that has not left yet.
 *
 * @param trx - The transaction.
 * @param caller - The owner.
 * @throws 429 after five letters in an hour.
 */
export async function queueTestLetter(trx: Transaction, caller: Caller): Promise<void> {
  throwLocked(await addFailure(trx, [{ key: `test-letter:${caller.id}`, limit }], async () => {}))
  const [account] = await trx.query(sql<{ email: string; name: string | null; username: string; confirmed: boolean }>`
    select email, name, username, confirmed from users where id = ${caller.id}::int`)
  if (!account) throw fault('record.not-found')
  await trx.query(sql`
    delete from mails where sent_at is null and template = 'test' and recipient = ${account.email}::text`)
  await queueMail(trx, account.email, callerLanguage(caller), 'test', { name: nameForLetters(account) })
}

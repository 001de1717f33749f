/** Pending e-mail addresses: they take effect when the code of their letter is used (checklist §1). */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'

/**
 * Minutes for which the link to a new address is valid. It
 * is short, because the address receives password letters.
 */
export const changeMinutes = 30
/**
 * Hours for which the link to an account's own address is valid: it only confirms that the address is right.
 */
export const confirmHours = 24

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')

/** An e-mail address that waits for its confirmation. */
export interface PendingEmail {
  email: string
  /**
   * Whether the pending address is already the account's address but was never confirmed; false when it will
   * replace that address.
   */
  isOwn: boolean
}

/**
 * Stores an e-mail address that an account has to confirm. A former pending address and its code become void.
 *
 * @param trx - The transaction that also adds the letter.
 * @param user - The account.
 * @param email - The address, in the letter case in which accounts are stored.
 */
export async function expectConfirmation(trx: Transaction, user: number, email: string): Promise<void> {
  await trx.query(sql`
    insert into email_confirmations as c (user_id, email) values (${user}, ${email})
    on conflict (user_id) do update set email = excluded.email, created_at = now(), hash = null, expires_at = null`)
}

/**
 * Reads the address that an account has to confirm.
 *
 * @returns The pending address; `undefined` when there is none.
 */
export async function pendingEmailOf(queries: Queries, user: number): Promise<PendingEmail | undefined> {
  const [row] = await queries.query(sql<PendingEmail>`
    select coalesce(c.email, u.email) as email, coalesce(c.email, u.email) = u.email as "isOwn"
      from users u left join email_confirmations c on c.user_id = u.id
     where u.id = ${user} and (c.user_id is not null or not u.confirmed)`)
  return row
}

/**
 * Makes the code that confirms an e-mail address by a letter; a former code becomes void.
 *
 * @returns The code, which is not stored; `undefined` when the letter must not be sent: the address is no
 *   longer pending, the account is deleted or blocked, or another account has the address.
 */
export async function makeConfirmationCode(
  trx: Transaction,
  user: number,
  email: string,
): Promise<{ code: string; isOwn: boolean } | undefined> {
  const code = randomBytes(32).toString('base64url')
  const [pendingConfirmation] = await trx.query(sql<{ isOwn: boolean }>`
    update email_confirmations c
       set hash = ${hashOf(code)},
           expires_at = now() + case when u.email = c.email then make_interval(hours => ${confirmHours}::int)
                                     else make_interval(mins => ${changeMinutes}::int) end
      from users u
     where c.user_id = ${user} and c.email = ${email} and u.id = c.user_id and not u.blocked and u.removed_at is null
       and not exists (select 1 from users other where other.email = c.email and other.id <> u.id)
    returning u.email = c.email as "isOwn"`)
  return pendingConfirmation && { code, isOwn: pendingConfirmation.isOwn }
}

/**
 * Redeems the code of an e-mail confirmation.
 *
 * @returns The account, the confirmed address and whether the account already has it; `undefined` for a code
 *   that is wrong, used or expired.
 */
export async function spendConfirmationCode(
  trx: Transaction,
  code: string,
): Promise<{ user: number; email: string; isOwn: boolean } | undefined> {
  const [usedConfirmation] = await trx.query(sql<{ user: number; email: string; isOwn: boolean }>`
    delete from email_confirmations c using users u
     where c.hash = ${hashOf(code)} and c.expires_at > now() and u.id = c.user_id and not u.blocked
       and u.removed_at is null
    returning c.user_id as user, c.email, u.email = c.email as "isOwn"`)
  return usedConfirmation
}

/** Deletes the pending address of an account with its code. */
export async function voidConfirmation(trx: Transaction, user: number): Promise<void> {
  await trx.query(sql`delete from email_confirmations where user_id = ${user}`)
}

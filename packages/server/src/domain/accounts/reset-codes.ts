/**
 * Reset codes for new passwords: 256 random bits, stored
 * only as a hash, for one use within a time (checklist §1).
 */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'

/** Minutes for which a requested code is valid; the settings define the time of an invitation. */
export const resetMinutes = 30

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')

/**
 * Makes a code that resets the password of an account; older codes become void.
 *
 * @returns The code, which is not stored; undefined when the account is deleted, blocked, or no longer has
 *   the address.
 */
export async function makeResetCode(
  trx: Transaction,
  user: number,
  email: string,
  minutes = resetMinutes,
): Promise<string | undefined> {
  // The account of a reset code is locked first: a concurrent change of the address would not see and void
  // the new code.
  const lockedAccounts = await trx.query(sql`
    select 1 from users where id = ${user} and email = ${email} and not blocked and removed_at is null for share`)
  await voidResetCodes(trx, user)
  if (lockedAccounts.length === 0) return undefined
  const code = randomBytes(32).toString('base64url')
  await trx.query(sql`
    insert into reset_codes (hash, user_id, expires_at)
    values (${hashOf(code)}, ${user}, now() + make_interval(mins => ${minutes}::int))`)
  return code
}

/**
 * Redeems the code of a reset email or an invitation.
 *
 * @returns Its account; undefined for a code that is wrong, used, void or expired.
 */
export async function spendResetCode(trx: Transaction, code: string): Promise<number | undefined> {
  const [usedCode] = await trx.query(sql<{ user: number }>`
    delete from reset_codes c using users u
     where c.hash = ${hashOf(code)} and u.id = c.user_id and c.expires_at > now() and not u.blocked and u.removed_at is null
    returning c.user_id as user`)
  return usedCode?.user
}

/** Deletes the codes of an account: after a new one, and after a change of password or e-mail. */
export async function voidResetCodes(trx: Transaction, user: number): Promise<void> {
  await trx.query(sql`delete from reset_codes where user_id = ${user}`)
}

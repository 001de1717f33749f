/** Codes that set a new password: 256 random bits, kept only as their hash, for one use within a time (checklist §1). */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'

/** How long a code is good for that somebody asked for himself; one of an invitation lasts as the settings say. */
export const resetMinutes = 30

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')

/**
 * Makes a code for an account; older ones are void. Out: the code, which nobody keeps, or undefined when the account
 * is gone, blocked, or no longer has the address the code is meant for.
 */
export async function makeResetCode(
  trx: Transaction,
  user: number,
  email: string,
  minutes = resetMinutes,
): Promise<string | undefined> {
  // Held first: a change of the address, which voids codes, would not see one that is made beside it.
  const meant = await trx.query(sql`
    select 1 from users where id = ${user} and email = ${email} and not blocked and removed_at is null for share`)
  await voidResetCodes(trx, user)
  if (meant.length === 0) return undefined
  const code = randomBytes(32).toString('base64url')
  await trx.query(sql`
    insert into reset_codes (hash, user_id, expires_at)
    values (${hashOf(code)}, ${user}, now() + make_interval(mins => ${minutes}::int))`)
  return code
}

/** Takes a code. Out: its account; undefined for a code that is wrong, used, void or expired. */
export async function spendResetCode(trx: Transaction, code: string): Promise<number | undefined> {
  const [used] = await trx.query(sql<{ user: number }>`
    delete from reset_codes c using users u
     where c.hash = ${hashOf(code)} and u.id = c.user_id and c.expires_at > now() and not u.blocked and u.removed_at is null
    returning c.user_id as user`)
  return used?.user
}

/** Makes the codes of an account void: after a new one, and after a change of password or e-mail. */
export async function voidResetCodes(trx: Transaction, user: number): Promise<void> {
  await trx.query(sql`delete from reset_codes where user_id = ${user}`)
}

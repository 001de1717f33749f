/** Ends the sessions of an account; it is felt at once here and within a second on other instances (checklist §1). */
import { sql } from 'kysely'
import type { Transaction } from '../db/database.ts'

/**
 * Ends all sessions of a user, `except` one when it is given. In: the transaction of what ends them, so that none
 * outlives it. Out: how many ended.
 */
export async function endSessionsOf(trx: Transaction, user: number, except?: string): Promise<number> {
  const ended = await trx.query(sql`
    update sessions set revoked_at = now()
     where user_id = ${user} and revoked_at is null and id::text is distinct from ${except ?? null}::text returning id`)
  trx.changed('sessions')
  return ended.length
}

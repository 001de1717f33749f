/**
 * Sessions of an account: lists and ends them, effective immediately here and within a second elsewhere
 * (checklist §1).
 */
import { fault, type SessionView } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Maximum number of an account's sessions shown; guards against clients that sign in for every request. */
const maxSessionsShown = 200
const isLiveSession = sql<boolean>`(expires_at > now() and last_seen_at > now() - interval '24 hours')`

/** Returns the live sessions of a user: `first` before the others, then the most recent ones. */
export function liveSessionsOf(queries: Queries, user: number, firstSessionId = ''): Promise<SessionView[]> {
  return queries.query(sql<SessionView>`
    select id, address, agent, created_at, last_seen_at, expires_at from sessions
     where user_id = ${user} and revoked_at is null and ${isLiveSession}
     order by id::text = ${firstSessionId}::text desc, last_seen_at desc, created_at desc, id limit ${sql.lit(maxSessionsShown)}`)
}

/**
 * Ends what belongs to sessions that have ended: notices are pushed to their browsers no more.
 *
 * @param trx - The transaction that ends the sessions.
 * @param revokedSessions - The sessions.
 */
export async function forgetBrowsersOf(trx: Transaction, revokedSessions: readonly { id: string }[]): Promise<void> {
  if (revokedSessions.length === 0) return
  await trx.query(
    sql`delete from push_subscriptions where session_id = any(${revokedSessions.map(({ id }) => id)}::uuid[])`,
  )
}

/**
 * Ends one session of a user.
 *
 * @param trx - The transaction.
 * @param user - The user.
 * @param id - The id as it was sent.
 * @throws 404 for a session that belongs to another user, has ended, or never existed.
 */
export async function endSession(trx: Transaction, user: number, id: string): Promise<void> {
  const endedSessions = uuid.test(id)
    ? await trx.query(sql<{ id: string }>`
        update sessions set revoked_at = now()
         where id = ${id}::uuid and user_id = ${user} and revoked_at is null and ${isLiveSession} returning id`)
    : []
  if (endedSessions.length === 0) throw fault('record.not-found')
  await forgetBrowsersOf(trx, endedSessions)
  trx.changed('sessions')
}

/**
 * Ends all sessions of a user.
 *
 * @param trx - The transaction of the cause, so that no session outlives it.
 * @param user - The user.
 * @param except - A session that is not ended.
 * @returns The number of live sessions that were ended.
 */
export async function endSessionsOf(trx: Transaction, user: number, except?: string): Promise<number> {
  const endedSessions = await trx.query(sql<{ id: string; held: boolean }>`
    update sessions set revoked_at = now()
     where user_id = ${user} and revoked_at is null and id::text is distinct from ${except ?? null}::text
    returning id, ${isLiveSession} as held`)
  await forgetBrowsersOf(trx, endedSessions)
  trx.changed('sessions')
  return endedSessions.filter(({ held }) => held).length
}

/** Sessions of an account: which there are, and their end, felt at once here and within a second elsewhere (checklist §1). */
import { fault, type SessionView } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** More devices than anybody has; a program that signs in for every call shall not make a list without end. */
const mostShown = 200
const isLive = sql<boolean>`(expires_at > now() and last_seen_at > now() - interval '24 hours')`

/** The sessions of a user that hold: `first` before the others, then those seen last. */
export function liveSessionsOf(queries: Queries, user: number, first = ''): Promise<SessionView[]> {
  return queries.query(sql<SessionView>`
    select id, address, agent, created_at, last_seen_at, expires_at from sessions
     where user_id = ${user} and revoked_at is null and ${isLive}
     order by id::text = ${first}::text desc, last_seen_at desc, created_at desc, id limit ${sql.lit(mostShown)}`)
}

/**
 * Ends one session of a user. In: the transaction of what ends it, and the id as it was sent.
 * Throws 404 for one that is somebody else's, has ended, or never was.
 */
export async function endSession(trx: Transaction, user: number, id: string): Promise<void> {
  const ended = uuid.test(id)
    ? await trx.query(sql`
        update sessions set revoked_at = now()
         where id = ${id}::uuid and user_id = ${user} and revoked_at is null and ${isLive} returning id`)
    : []
  if (ended.length === 0) throw fault('record.not-found')
  trx.changed('sessions')
}

/**
 * Ends all sessions of a user, `except` one when it is given. In: the transaction of what ends them, so that none
 * outlives it. Out: how many that still held were ended.
 */
export async function endSessionsOf(trx: Transaction, user: number, except?: string): Promise<number> {
  const ended = await trx.query(sql<{ held: boolean }>`
    update sessions set revoked_at = now()
     where user_id = ${user} and revoked_at is null and id::text is distinct from ${except ?? null}::text
    returning ${isLive} as held`)
  trx.changed('sessions')
  return ended.filter(({ held }) => held).length
}

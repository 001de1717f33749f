/** Browsers that notices are pushed to: one for each session, until the session ends. */
import { type Caller, maxPushBrowsers } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Queries, Transaction } from '../../db/database.ts'
import { lacksTwoStep, liveSessions } from '../../domain/accounts/token-sessions.ts'

/** A subscription of a browser, as its push service knows it. */
export interface PushBrowser {
  session: string
  endpoint: string
  p256dh: string
  auth: string
}

/** Messages in a row that a push service may refuse before the browser is forgotten. */
const mostFailures = 10

/** Tells whether notices are pushed to the browser of a session. */
export async function isSubscribed(queries: Pick<Queries, 'query'>, session: string): Promise<boolean> {
  const subscriptions = await queries.query(
    sql`select 1 as one from push_subscriptions where session_id = ${session}::uuid`,
  )
  return subscriptions.length > 0
}

/**
 * Stores the browser of the caller's session. It replaces the former one of the session, and the subscription
 * of whoever used the same browser before; the oldest browser of the caller makes room.
 */
export async function subscribe(
  trx: Transaction,
  { id, sessionId }: Caller,
  { endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } },
): Promise<void> {
  // The lock of the account counts its browsers one call at a time.
  await trx.query(sql`select id from users where id = ${id} for no key update`)
  await trx.query(sql`
    delete from push_subscriptions where session_id = ${sessionId}::uuid and endpoint <> ${endpoint}`)
  // The locked session cannot end between this check and the commit.
  await trx.query(sql`
    insert into push_subscriptions as p (session_id, user_id, endpoint, p256dh, auth)
    select s.id, s.user_id, ${endpoint}, ${keys.p256dh}, ${keys.auth}
      from (select id, user_id from sessions where id = ${sessionId}::uuid and revoked_at is null for share) s
    on conflict (endpoint) do update
       set session_id = excluded.session_id, user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, failures = 0,
           created_at = case when p.session_id = excluded.session_id then p.created_at else now() end`)
  await trx.query(sql`
    delete from push_subscriptions where user_id = ${id} and session_id in (
      select session_id from push_subscriptions where user_id = ${id}
       order by created_at desc, session_id offset ${sql.lit(maxPushBrowsers)})`)
}

/** Pushes no more notices to the browser of a session. */
export async function unsubscribe(queries: Pick<Queries, 'query'>, session: string): Promise<void> {
  await queries.query(sql`delete from push_subscriptions where session_id = ${session}::uuid`)
}

/** Reads the browsers of a user whose sessions are live, except those that were reached already. */
export function browsersOf(
  database: Database,
  user: number,
  reachedSessions: readonly string[],
): Promise<PushBrowser[]> {
  return database.query(sql<PushBrowser>`
    select p.session_id as session, p.endpoint, p.p256dh, p.auth from push_subscriptions p
     where p.user_id = ${user} and p.session_id <> all(${[...reachedSessions]}::uuid[])
       and p.session_id in (select s.id from ${liveSessions} and s.user_id = ${user} and not ${lacksTwoStep})
     order by p.created_at, p.session_id`)
}

/** Answers of push services: accepted, unknown browser, refused for good, or to be tried again later. */
export type PushOutcome = 'accepted' | 'gone' | 'refused' | 'failed'

/**
 * Stores the answer of a push service about a notice. Only a failed attempt is repeated; a browser that its
 * service does not know, or that refuses again and again, is forgotten.
 */
export function storeOutcome(
  database: Database,
  notice: number,
  { session, endpoint }: PushBrowser,
  outcome: PushOutcome,
): Promise<void> {
  const isSame = sql`session_id = ${session}::uuid and endpoint = ${endpoint}`
  return database.transaction(async (trx) => {
    if (outcome !== 'failed')
      await trx.query(sql`
        update notice_deliveries set reached = array_append(reached, ${session}::uuid)
         where channel = 'push' and notice_id = ${notice}`)
    if (outcome === 'accepted')
      await trx.query(sql`update push_subscriptions set last_ok_at = now(), failures = 0 where ${isSame}`)
    else if (outcome === 'gone') await trx.query(sql`delete from push_subscriptions where ${isSame}`)
    else {
      await trx.query(sql`update push_subscriptions set failures = failures + 1 where ${isSame}`)
      await trx.query(sql`delete from push_subscriptions where ${isSame} and failures >= ${sql.lit(mostFailures)}`)
    }
  })
}

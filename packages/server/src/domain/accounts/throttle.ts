/** Counts failed sign-ins and other tries in the database, so that the count survives restarts and holds on every instance (checklist §1). */
import { createHash } from 'node:crypto'
import { fault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Queries, Transaction } from '../../db/database.ts'
import { addressKey } from '../../http/client-address.ts'

export { addressKey }

export interface Limit {
  failures: number
  seconds: number
}

/** One counted thing: an account or an address, and how many failures it may have. */
export interface Counted {
  key: string
  limit: Limit
}

/** The key of what was typed; hashed, because the table holds nobody's address. */
export function typedKey(kind: string, typed: string): string {
  return `${kind}:${createHash('sha256').update(typed).digest('hex').slice(0, 40)}`
}

/** The account's key: the stored user, else what was typed. */
export function accountKey(user: number | undefined, identifier: string): string {
  return user === undefined ? typedKey('account', identifier) : `account:${user}`
}

/** What guesses at the password or the code of somebody who is signed in count against, whichever route they try. */
export function ownPasswordLimits(
  user: number,
  address: string,
  { loginThrottle, addressThrottle }: { loginThrottle: Limit; addressThrottle: Limit },
): Counted[] {
  return [
    { key: `change:${user}`, limit: loginThrottle },
    { key: `change-${addressKey(address)}`, limit: addressThrottle },
  ]
}

/**
 * What letters that somebody asks for count against beside their account, whichever route asks.
 * @param address Where the request comes from.
 * @param settings How many letters one address may ask for.
 */
export function lettersFrom(address: string, { letterThrottle }: { letterThrottle: Limit }): Counted {
  return { key: `letters-${addressKey(address)}`, limit: letterThrottle }
}

/** Throws 429 with the seconds to wait when one of them is locked; also for a right password. */
export async function assertFree(queries: Queries, counted: readonly Counted[]): Promise<void> {
  for (const { key, limit } of counted) {
    const [row] = await queries.query(sql<{ wait: number }>`
      select ceil(extract(epoch from window_started_at - now()) + ${limit.seconds}::int)::int as wait
        from throttles where key = ${key} and failures >= ${limit.failures}::int
         and window_started_at > now() - make_interval(secs => ${limit.seconds}::int)`)
    if (row) throw fault('auth.throttled', { retryAfter: Math.max(1, row.wait) })
  }
}

/**
 * Counts one failure for each, in a transaction. Out: the seconds to wait for those that had used up their failures
 * already; none when it was counted. `note` writes what belongs to the failure, only when there was one left.
 */
export async function addFailure(
  trx: Transaction,
  counted: readonly Counted[],
  note: () => Promise<void>,
): Promise<number[]> {
  const waits: number[] = []
  // In the order of their keys, so that two sign-ins never wait for each other.
  for (const { key, limit } of counted.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const [row] = await trx.query(sql<{ failures: number; wait: number }>`
      insert into throttles as t (key, failures, window_started_at) values (${key}, 1, now())
      on conflict (key) do update set
        failures = case when t.window_started_at > now() - make_interval(secs => ${limit.seconds}::int)
                        then t.failures + 1 else 1 end,
        window_started_at = case when t.window_started_at > now() - make_interval(secs => ${limit.seconds}::int)
                                 then t.window_started_at else now() end
      returning failures, ceil(extract(epoch from window_started_at - now()) + ${limit.seconds}::int)::int as wait`)
    if (row && row.failures > limit.failures) waits.push(row.wait)
  }
  // Rows that somebody is counting in are left for the next time: waiting for them could end in a deadlock.
  await trx.query(sql`
    delete from throttles where key in (
      select key from throttles where window_started_at < now() - interval '1 day' for update skip locked)`)
  if (waits.length === 0) await note()
  return waits
}

/** Throws 429 when `addFailure` found something used up. */
export function throwLocked(waits: readonly number[]): void {
  if (waits.length > 0) throw fault('auth.throttled', { retryAfter: Math.max(1, ...waits) })
}

/**
 * Counts one failure for each, in a transaction of its own. Throws 429 when one of them had used up its failures
 * already: guesses that run side by side are decided in the order in which they are counted.
 */
export async function countFailure(
  database: Database,
  counted: readonly Counted[],
  note: (trx: Transaction) => Promise<void>,
): Promise<void> {
  throwLocked(await database.transaction((trx) => addFailure(trx, counted, () => note(trx))))
}

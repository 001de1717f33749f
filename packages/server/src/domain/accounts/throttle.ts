/**
 * Counts failed sign-ins and other attempts in the database, so that counts survive restarts and apply to all
 * instances (checklist §1).
 */
import { createHash } from 'node:crypto'
import { fault } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Database, Queries, Transaction } from '../../db/database.ts'
import { addressKey } from '../../http/client-address.ts'

export { addressKey }

export interface FailureLimit {
  failures: number
  seconds: number
}

/** A counter of failures for an account or an address, with its limit. */
export interface FailureCounter {
  key: string
  limit: FailureLimit
}

/** Returns the throttle key of a typed value, hashed because the table must not contain addresses. */
export function typedKey(kind: string, typedText: string): string {
  return `${kind}:${createHash('sha256').update(typedText).digest('hex').slice(0, 40)}`
}

/** Returns the throttle key of the stored user, otherwise of the typed identifier. */
export function accountKey(user: number | undefined, identifier: string): string {
  return user === undefined ? typedKey('account', identifier) : `account:${user}`
}

/** Returns the counters for attempts at the password or code of a signed-in user, shared by all routes. */
export function ownPasswordLimits(
  user: number,
  address: string,
  { loginThrottle, addressThrottle }: { loginThrottle: FailureLimit; addressThrottle: FailureLimit },
): FailureCounter[] {
  return [
    { key: `change:${user}`, limit: loginThrottle },
    { key: `change-${addressKey(address)}`, limit: addressThrottle },
  ]
}

/**
 * Returns the counters for requested letters besides the account's, shared by all routes.
 *
 * @param address - The address of the request.
 * @param settings - The limit of letters per address.
 */
export function letterCounterOf(address: string, { letterThrottle }: { letterThrottle: FailureLimit }): FailureCounter {
  return { key: `letters-${addressKey(address)}`, limit: letterThrottle }
}

/**
 * SQL of whether a window of counted attempts is open. A window that begins in the future was stored before the clock
 * went back, and is closed; a minute is left for the clocks of several instances.
 *
 * @param start - SQL of the beginning of the window.
 * @param seconds - SQL of its length.
 */
export const isWindowOpen = (start: Template<unknown>, seconds: Template<unknown>) => sql<boolean>`
  (${start} > now() - make_interval(secs => ${seconds}) and ${start} <= now() + interval '1 minute')`

/** Throws 429 with the seconds to wait when one of the counters is locked, also for a correct password. */
export async function assertCallerNotLocked(
  queries: Queries,
  checkedCounters: readonly FailureCounter[],
): Promise<void> {
  for (const { key, limit } of checkedCounters) {
    const [row] = await queries.query(sql<{ wait: number }>`
      select ceil(extract(epoch from window_started_at - now()) + ${limit.seconds}::int)::int as wait
        from throttles where key = ${key} and failures >= ${limit.failures}::int
         and ${isWindowOpen(sql`window_started_at`, sql`${limit.seconds}::int`)}`)
    if (row) throw fault('auth.throttled', { retryAfter: Math.max(1, row.wait) })
  }
}

/**
 * Counts one failed attempt for each throttle counter, in a transaction. `note` stores what belongs to
 * the failure, only when it was counted.
 *
 * @returns The seconds to wait for counters that had reached their limit; none when the failure was counted.
 */
export async function addFailure(
  trx: Transaction,
  failureCounters: readonly FailureCounter[],
  note: () => Promise<void>,
): Promise<number[]> {
  const waits: number[] = []
  // The keys of the failure counters are sorted, so that two sign-ins never deadlock.
  for (const { key, limit } of failureCounters.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const isOpen = isWindowOpen(sql`t.window_started_at`, sql`${limit.seconds}::int`)
    const [row] = await trx.query(sql<{ failures: number; wait: number }>`
      insert into throttles as t (key, failures, window_started_at) values (${key}, 1, now())
      on conflict (key) do update set
        failures = case when ${isOpen} then t.failures + 1 else 1 end,
        window_started_at = case when ${isOpen} then t.window_started_at else now() end
      returning failures, ceil(extract(epoch from window_started_at - now()) + ${limit.seconds}::int)::int as wait`)
    if (row && row.failures > limit.failures) waits.push(row.wait)
  }
  // Rows of counters that other requests have locked are skipped until the next time, because waiting could
  // deadlock.
  await trx.query(sql`
    delete from throttles where key in (
      select key from throttles where window_started_at < now() - interval '1 day' for update skip locked)`)
  if (waits.length === 0) await note()
  return waits
}

/** Throws 429 when `addFailure` found a counter at its limit. */
export function throwLocked(waits: readonly number[]): void {
  if (waits.length > 0) throw fault('auth.throttled', { retryAfter: Math.max(1, ...waits) })
}

/**
 * Counts one failed attempt for each throttle counter, in its own transaction. Concurrent attempts
 * are decided in the order in which they are counted.
 *
 * @throws 429 when a counter had reached its limit.
 */
export async function countFailure(
  database: Database,
  failureCounters: readonly FailureCounter[],
  note: (trx: Transaction) => Promise<void>,
): Promise<void> {
  throwLocked(await database.transaction((trx) => addFailure(trx, failureCounters, () => note(trx))))
}

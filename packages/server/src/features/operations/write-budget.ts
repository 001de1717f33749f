/** Counts writes: each user and each address has a number of writes per time, on all instances. */
import { fault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { LRUCache } from 'lru-cache'
import type { Queries } from '../../db/database.ts'
import { isWindowOpen } from '../../domain/accounts/throttle.ts'
import type { Budget } from '../../settings.ts'

/** User or address whose writes are counted, with limits for each window. */
export interface WriteSpender {
  /** Name of a spender that is unique among all: `user:7`, `address:203.0.113.1`. */
  name: string
  budget: Budget
}

/** Counted writes of one user or address in one window, as this instance counts them. */
interface WindowCount {
  readonly key: string
  readonly amount: number
  /** Number of counted writes in the table at the last query, of all instances. */
  stored: number
  /** Number of writes of this instance that are being stored. */
  sending: number
  /** Number of writes of this instance that are not stored yet. */
  pendingCount: number
  /** End of the window of counted writes, in milliseconds of this machine's clock. */
  endsAt: number
}

/**
 * Divisor of a budget of writes: the part that an instance counts in memory before it stores the count. At
 * most so many writes are unknown to other instances, or lost when the process is killed.
 */
const portionsPerBudget = 10
/** Maximum number of users and addresses in memory; a dropped one is read from the table again. */
const maxSpenders = 20_000

/**
 * Counts the writes of users and addresses in memory and stores them in the throttle table in portions of a
 * tenth of the budget, and one by one near its end. A write therefore costs a statement at most every tenth
 * time, outside its transaction.
 */
export class WriteBudget {
  readonly #database: Pick<Queries, 'query'>
  readonly #now: () => number
  readonly #counts = new LRUCache<string, WindowCount>({ max: maxSpenders })
  readonly #unstored = new Set<WindowCount>()
  #storing: Promise<unknown> = Promise.resolve()

  /**
   * Creates a write budget with empty counts.
   *
   * @param database - Where the counts are stored.
   * @param now - The clock, in milliseconds since any moment; it never goes back.
   */
  constructor(database: Pick<Queries, 'query'>, now: () => number = () => performance.now()) {
    this.#database = database
    this.#now = now
  }

  /**
   * Counts one write of each user and address against its budget.
   *
   * @param spenders - The user and the address of the write.
   * @throws 429 `request.too-many-writes` with the seconds to wait when a budget is spent; a refused write is
   * not counted.
   */
  async spend(spenders: readonly WriteSpender[]): Promise<void> {
    const counts = spenders.flatMap(({ name, budget }) =>
      budget.map(({ amount, seconds }) => this.#countOf(`writes:${seconds}:${name}`, amount, seconds)),
    )
    this.#assertLeft(counts, (count) => count.stored + count.sending + count.pendingCount >= count.amount)
    for (const count of counts) {
      count.pendingCount += 1
      this.#unstored.add(count)
    }
    const dueCounts = counts.filter(({ amount, stored, sending, pendingCount }) => {
      const leftAmount = amount - stored - sending
      return pendingCount >= Math.min(Math.max(1, Math.floor(amount / portionsPerBudget)), leftAmount)
    })
    if (dueCounts.length === 0) return
    await this.#store(dueCounts)
    // Other instances may have spent the rest of a write budget since the last query of the table.
    this.#assertLeft(dueCounts, (count) => count.stored > count.amount)
  }

  /** Stores all counts of writes in memory; a stop without it loses less than a tenth of each budget. */
  async flush(): Promise<void> {
    await this.#store([...this.#unstored])
  }

  #assertLeft(counts: readonly WindowCount[], isSpent: (count: WindowCount) => boolean): void {
    const waits = counts.filter(isSpent).map(({ endsAt }) => Math.ceil((endsAt - this.#now()) / 1_000))
    if (waits.length > 0) throw fault('request.too-many-writes', { retryAfter: Math.max(1, ...waits) })
  }

  #countOf(key: string, amount: number, seconds: number): WindowCount {
    const countedAmounts = this.#counts.get(key)
    if (countedAmounts && this.#now() < countedAmounts.endsAt) return countedAmounts
    if (countedAmounts) this.#unstored.delete(countedAmounts)
    const endsAt = this.#now() + seconds * 1_000
    const count = { key, amount, stored: 0, sending: 0, pendingCount: 0, endsAt }
    this.#counts.set(key, count)
    return count
  }

  /**
   * Stores counts of writes, one statement after the other: each includes the counts that arrived while it
   * waited.
   */
  #store(counts: readonly WindowCount[]): Promise<void> {
    const storedCall = this.#storing.then(() => this.#send(counts))
    this.#storing = storedCall.catch(() => {})
    return storedCall
  }

  async #send(counts: readonly WindowCount[]): Promise<void> {
    // Counts of writes are sorted by key, so that two instances never wait for each other.
    const sentCounts = counts
      .filter(({ pendingCount }) => pendingCount > 0)
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    if (sentCounts.length === 0) return
    for (const count of sentCounts) {
      count.sending = count.pendingCount
      count.pendingCount = 0
      this.#unstored.delete(count)
    }
    try {
      const rows = await this.#database.query(storeSql(sentCounts))
      const rowsByKey = new Map(rows.map((row) => [row.key, row]))
      for (const count of sentCounts) {
        const row = rowsByKey.get(count.key)
        if (row) {
          count.stored = row.failures
          count.endsAt = this.#now() + row.wait * 1_000
        }
        count.sending = 0
      }
    } catch (error) {
      for (const count of sentCounts) {
        count.pendingCount += count.sending
        count.sending = 0
        this.#unstored.add(count)
      }
      throw error
    }
  }
}

/** SQL of whether a window of counted writes is open; its length is the second part of its key. */
const isWindowOpenSql = isWindowOpen(sql`t.window_started_at`, sql`split_part(t.key, ':', 2)::int`)

const storeSql = (counts: readonly WindowCount[]) => sql<{ key: string; failures: number; wait: number }>`
  insert into throttles as t (key, failures, window_started_at)
  select key, writes, now()
    from unnest(${counts.map(({ key }) => key)}::text[], ${counts.map(({ sending }) => sending)}::int[])
         with ordinality as given (key, writes, place)
   order by place
  on conflict (key) do update set
    failures = case when ${isWindowOpenSql} then t.failures + excluded.failures else excluded.failures end,
    window_started_at = case when ${isWindowOpenSql} then t.window_started_at else now() end
  returning key, failures,
    extract(epoch from window_started_at - now())::float8 + split_part(key, ':', 2)::int as wait`

/** Finds questions whose time for a reply has passed, every 30 s, and notifies their readers (chat §5). */
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { notifyOverdueQuestion } from '../../domain/conversations/consultation-notices.ts'

const intervalMs = 30_000
const batchSize = 200

/** A question that is overdue; a reopening begins its next turn. */
interface OverdueCase {
  id: number
  turn: number
}

/**
 * Questions that became overdue within the last day and have no notice yet. The condition on `waiting_since` is that of
 * an index: without it the database would read all questions every half a minute.
 */
export const overdueCasesSql = sql<OverdueCase>`
  select c.id, c.turn from consultations c
   where c.waiting_since is not null and c.due_at <= now() and c.due_at > now() - interval '1 day'
     and not exists (select 1 from notices n where n.kind = 'consultation.overdue' and n.key = c.id || ':' || c.turn)
   order by c.due_at limit ${batchSize}`

export class OverdueSweep {
  readonly #database: Database
  readonly #clock = new RepeatedWork(intervalMs)

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Sweeps the questions now and every 30 seconds.
   *
   * @param onError - Handles an error, which must not end the process.
   */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.sweep(), onError)
  }

  /** Stops the clock of the sweep and waits for a run that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /**
   * Notifies of questions that became overdue within the last day; older ones were overdue before an
   * installation had such notices. Every instance sweeps: a notice is stored once by its key.
   *
   * @returns The number of questions.
   */
  async sweep(): Promise<number> {
    const foundCases = await this.#database.query(overdueCasesSql)
    for (const question of foundCases) await this.#database.transaction((trx) => notifyOverdueQuestion(trx, question))
    return foundCases.length
  }
}

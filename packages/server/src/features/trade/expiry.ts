/** Expires trading posts when their public time is over (content-model §8). */
import { type Caller, Fault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { updateEntry } from '../../resources/write/write.ts'

const intervalMs = 60_000
const batchSize = 500

/** Caller for writes of the program itself, without an account. */
const clock: Caller = { id: 0, role: 'owner', isConsultant: false, language: 'en', sessionId: 'clock' }

/** Expires due trading posts every minute. */
export class PostExpiry {
  readonly #database: Database
  readonly #clock = new RepeatedWork(intervalMs)
  #isStopping = false

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Expires trading posts now and every minute.
   *
   * @param onError - Receives errors, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.expire(), onError)
  }

  /** Stops the timer of expired posts and waits for a run that has begun. */
  stop(): Promise<void> {
    this.#isStopping = true
    return this.#clock.stop()
  }

  /**
   * Expires all due trading posts, each in its own write. All posts of a day end at the same midnight, so it
   * continues until none is due.
   *
   * @returns The number of expired posts.
   */
  async expire(): Promise<number> {
    let expiredCount = 0
    for (;;) {
      const { due, done } = await this.#expireSome()
      expiredCount += done
      // Trading posts that another instance is expiring are skipped.
      if (due < batchSize || done === 0 || this.#isStopping) return expiredCount
    }
  }

  /**
   * Expires a batch of due trading posts.
   *
   * @returns The numbers of due and of expired posts.
   */
  async #expireSome(): Promise<{ due: number; done: number }> {
    const database = this.#database
    const duePosts = await database.query(sql<{ id: number }>`
      select min(t.id)::int as id from tradinposts d join tradinposts_texts t on t.document_id = d.id
       where d.status = 'processed' and d.expires_at <= now() group by d.id order by d.id limit ${batchSize}`)
    let doneCount = 0
    for (const { id } of duePosts) {
      // The view excludes a trading post that another instance renewed or expired in the meantime.
      const view = { rows: { status: 'processed', expires_at: { $lte: new Date().toISOString() } } }
      const context = { database, author: { caller: clock, seeding: true }, view } as const
      try {
        await updateEntry(context, resourceNamed('tradinposts'), id, { status: 'expired' })
        doneCount += 1
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'record.not-found') throw error
      }
    }
    return { due: duePosts.length, done: doneCount }
  }
}

/**
 * Keeps the statistics by which the embedded database plans its statements. A PostgreSQL server gathers them with its
 * autovacuum; the embedded database has none, and counts no changes of a table either, so the size of the table decides.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { sql } from '../../db/sql.ts'

const intervalMs = 600_000
/** Pages of a table below which a plan without statistics is fast enough. */
const fewPages = 64
/** Share of its former size by which a table has grown or shrunk when it is analysed again. */
const changedShare = 0.2
/** Pauses between two tables, in which requests are answered, as a multiple of the time of a table. */
const restShare = 2

/** Analyses changed tables of the embedded database every ten minutes. */
export class TableStatistics {
  readonly #database: Database
  readonly #clock = new RepeatedWork(intervalMs)
  readonly #stopping = new AbortController()

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Analyses changed tables of the embedded database now and every ten minutes.
   *
   * @param onError - Handles an error, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    if (this.#database.kind === 'embedded') this.#clock.start(() => this.refresh(restShare), onError)
  }

  /** Stops after the present table, without a pause. */
  stop(): Promise<void> {
    this.#stopping.abort()
    return this.#clock.stop()
  }

  /**
   * Analyses the tables whose size has changed since they were analysed.
   *
   * @param pauseTime - Pauses between two tables, as a multiple of the time of a table.
   * @returns The names of the analysed tables.
   */
  async refresh(pauseTime = 0): Promise<string[]> {
    const changedTables = await this.#database.query(sql<{ name: string }>`
      select t.name from (
        select c.relname::text as name, c.relpages, c.reltuples, pg_relation_size(c.oid) / current_setting('block_size')::int as pages
          from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace) t
       where t.pages > ${fewPages}::int
         and (t.reltuples < 0 or abs(t.pages - t.relpages) > t.relpages * ${changedShare}::float8)
       order by t.pages`)
    const { signal } = this.#stopping
    const analysedTables: string[] = []
    for (const { name } of changedTables) {
      if (signal.aborted) break
      const start = performance.now()
      await this.#database.query(sql`analyze ${sql.table(name)}`)
      analysedTables.push(name)
      // A stop ends the pause.
      if (pauseTime > 0)
        await pause(pauseTime * (performance.now() - start), undefined, { signal }).catch(() => undefined)
    }
    return analysedTables
  }
}

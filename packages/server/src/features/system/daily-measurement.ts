/** Measures the database and the disk once a day, so that their growth is known. */
import { statfs } from 'node:fs/promises'
import { zoneSql } from '../../db/calendar.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { sql } from '../../db/sql.ts'

const intervalMs = 3_600_000
const keptDays = 400

/** Stores one row a day; of several instances, the first one of a day. */
export class DailyMeasurement {
  readonly #database: Database
  readonly #dataDir: string
  readonly #clock = new RepeatedWork(intervalMs)

  constructor(database: Database, dataDir: string) {
    this.#database = database
    this.#dataDir = dataDir
  }

  /**
   * Measures now and every hour; only the first measurement of a day is stored.
   *
   * @param onError - Handles an error, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.measure(), onError)
  }

  /** Stops the timer and waits for a measurement that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /** Stores the measurement of today unless there is one, and deletes those that are too old. */
  async measure(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#dataDir)
    await this.#database.query(sql`
      insert into system_days (day, database_bytes, free_bytes)
      select (now() at time zone ${zoneSql})::date, pg_database_size(current_database()), ${bavail * bsize}::bigint
      on conflict (day) do nothing`)
    await this.#database.query(
      sql`delete from system_days where day < (now() at time zone ${zoneSql})::date - ${keptDays}::int`,
    )
  }
}

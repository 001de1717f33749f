/** Runs work that only one program may do at a time while others wait, such as creating tables. */
import type { Database } from './database.ts'
import type { Connection } from './driver.ts'

/**
 * Runs work under a PostgreSQL advisory lock, in a session without the limits of requests. The embedded
 * database needs no lock, because no other program uses it.
 *
 * @param database - The database.
 * @param number - The number of the lock.
 * @param runWork - The work.
 * @throws What the work throws, and an error when the lock is not free within a minute.
 */
export function withAdvisoryLock<T>(
  database: Database,
  number: number,
  runWork: (session: Connection) => Promise<T>,
): Promise<T> {
  return database.session(async (session) => {
    if (database.kind === 'embedded') return runWork(session)
    await session.script("set lock_timeout = '60s'; set statement_timeout = 0")
    await session.script(`select pg_advisory_lock(${number})`)
    try {
      return await runWork(session)
    } finally {
      await session.script(`select pg_advisory_unlock(${number})`)
      await session.script('reset lock_timeout; reset statement_timeout')
    }
  })
}

/** What one program does while others that want the same wait for it: making tables. */
import type { Database } from './database.ts'
import type { Connection } from './driver.ts'

/**
 * Does work under the lock of that number, with a session that has not the limits of requests. The embedded database has
 * no other programs. Throws what the work throws, and when the lock is not free within a minute.
 */
export function alone<T>(database: Database, number: number, work: (session: Connection) => Promise<T>): Promise<T> {
  return database.session(async (session) => {
    if (database.kind === 'embedded') return work(session)
    await session.script("set lock_timeout = '60s'; set statement_timeout = 0")
    await session.script(`select pg_advisory_lock(${number})`)
    try {
      return await work(session)
    } finally {
      await session.script(`select pg_advisory_unlock(${number})`)
      await session.script('reset lock_timeout; reset statement_timeout')
    }
  })
}

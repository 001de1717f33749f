/** The lock of backups: one backup or proof at a time over all instances of a database. */
import type { Database } from '../../db/database.ts'

const lockNumber = 4_711_016

/** Embedded databases on which a backup or proof runs: only this program uses them. */
const busyDatabases = new WeakSet<Database>()

/**
 * Runs work unless a backup or proof runs already. The lock ends with its session, however the process ends.
 *
 * @param database - The database.
 * @param runWork - The work.
 * @returns Whether the work ran.
 */
export async function runAlone(database: Database, runWork: () => Promise<void>): Promise<boolean> {
  if (busyDatabases.has(database)) return false
  busyDatabases.add(database)
  try {
    if (database.kind === 'embedded') {
      await runWork()
      return true
    }
    return await database.session(async (session) => {
      const locked = (await session.script(`select pg_try_advisory_lock(${lockNumber}) as free`)) as { free: boolean }[]
      if (locked[0]?.free !== true) return false
      try {
        await runWork()
        return true
      } finally {
        await session.script(`select pg_advisory_unlock(${lockNumber})`)
      }
    })
  } finally {
    busyDatabases.delete(database)
  }
}

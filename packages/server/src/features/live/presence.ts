/** Records that users are online while they have a page open, even if it sends no requests. */
import type { FastifyBaseLogger } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { noteVisitsSql } from '../../domain/accounts/last-visit.ts'
import type { Sockets } from '../../domain/delivery/sockets.ts'

/** Interval of updates in milliseconds; users seen within two minutes are shown as online. */
const intervalMs = 60_000

/**
 * Starts to update `last_seen_at` of everybody with a socket on this instance, in one statement a minute. It
 * emits no change and extends no session. A row that is locked by a writer is skipped until the next minute.
 *
 * @returns A function that stops it.
 */
export function recordPresence({ io }: Sockets, database: Database, log: FastifyBaseLogger): () => void {
  const note = async () => {
    const people = [...new Set([...io.of('/').sockets.values()].map(({ data }) => data.caller.id))]
    if (people.length === 0) return
    await database.query(
      noteVisitsSql(
        sql`seen as (select id from users where id = any(${people}::int[]) order by id for update skip locked)`,
      ),
    )
  }
  const timer = setInterval(
    () => void note().catch((error: unknown) => log.warn({ err: error }, 'presence was not noted')),
    intervalMs,
  ).unref()
  return () => clearInterval(timer)
}

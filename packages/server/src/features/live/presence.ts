/** Notes that people are here while a page of theirs is open, whether they ask for anything or not. */
import type { FastifyBaseLogger } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import type { Sockets } from '../../domain/delivery/sockets.ts'

/** Readers take somebody for present who was seen within two minutes. */
const every = 60_000

/**
 * Starts to move `last_seen_at` of everybody with a socket here, once a minute and in one statement; other instances
 * note their own. It is no change that anybody is told of, and no session lives longer by it. A row that somebody is
 * writing is left alone: it is noted a minute later. Out: a function that ends it.
 */
export function notePresence({ io }: Sockets, database: Database, log: FastifyBaseLogger): () => void {
  const note = async () => {
    const people = [...new Set([...io.of('/').sockets.values()].map(({ data }) => data.caller.id))]
    if (people.length === 0) return
    await database.query(sql`
      with seen as (select id from users where id = any(${people}::int[]) order by id for update skip locked)
      update users set last_seen_at = now() where id in (select id from seen)`)
  }
  const timer = setInterval(
    () => void note().catch((error: unknown) => log.warn({ err: error }, 'presence was not noted')),
    every,
  ).unref()
  return () => clearInterval(timer)
}

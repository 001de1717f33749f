/** Records that users are online while they have a page open, even if it sends no requests. */
import type { FastifyBaseLogger } from 'fastify'
import { zoneSql } from '../../db/calendar.ts'
import { sql, type Template } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { noteVisitsSql } from '../../domain/accounts/last-visit.ts'

/** Interval of updates in milliseconds; users seen within two minutes are shown as online. */
const intervalMs = 60_000

/** The longest gap between two updates, in seconds, that still counts as online, such as after a failed update. */
const longestGap = 300

/**
 * SQL of the table `hours`, a write of the minutes in which consultants are online: the present one, and for
 * those who were online at the last update all since then. A minute of several tabs and instances counts once.
 */
const onlineMinutesSql = (
  people: readonly number[],
  stayingPeople: readonly number[],
  seconds: number,
): Template<unknown> => sql`
  hours as (
    insert into online_hours as h (user_id, hour, minutes)
    select u.id, date_trunc('hour', m.at, ${zoneSql}),
           bit_or(set_bit(repeat('0', 60)::bit(60), extract(minute from m.at at time zone ${zoneSql})::int, 1))
      from users u
     cross join lateral generate_series(
       date_trunc('minute', now() - make_interval(secs => case when u.id = any(${[...stayingPeople]}::int[]) then ${seconds}::int else 0 end)),
       now(), interval '1 minute') as m(at)
     where u.id = any(${[...people]}::int[]) and u.is_consultant and u.removed_at is null
     group by 1, 2 order by 1, 2
    on conflict (user_id, hour) do update set minutes = h.minutes | excluded.minutes)`

/**
 * Starts to update `last_seen_at` of everybody with a socket on this instance, in one statement a minute. It
 * emits no change and extends no session. A row that is locked by a writer is skipped until the next minute. The
 * same statement stores the minutes of consultants, so that a crash loses at most the last one (decision 49).
 *
 * @param readPeople - Returns the id of the user of each open socket.
 * @param clock - Steady time in milliseconds.
 * @returns A function that stops it.
 */
export function recordPresence(
  readPeople: () => readonly number[],
  database: Database,
  log: FastifyBaseLogger,
  clock = () => performance.now(),
): () => void {
  let lastVisits = { people: new Set<number>(), at: 0 }
  const note = async () => {
    const people = [...new Set(readPeople())]
    const visitTime = clock()
    const stayingPeople = people.filter((id) => lastVisits.people.has(id))
    const seconds = Math.min(longestGap, Math.round((visitTime - lastVisits.at) / 1_000))
    if (people.length > 0)
      await database.query(
        noteVisitsSql(sql`
          seen as (select id from users where id = any(${people}::int[]) order by id for update skip locked),
          ${onlineMinutesSql(people, stayingPeople, seconds)}`),
      )
    lastVisits = { people: new Set(people), at: visitTime }
  }
  const timer = setInterval(
    () => void note().catch((error: unknown) => log.warn({ err: error }, 'presence was not noted')),
    intervalMs,
  ).unref()
  return () => clearInterval(timer)
}

/** Stores rows of the home page that a user has postponed until a moment. */
import { type HomeGroupKey, maxPutOffRows, type PutOffTime, zoneOffset } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Calendar } from '../../db/calendar.ts'
import type { Database } from '../../db/database.ts'
import { endOfDay } from '../../domain/market/report-day.ts'

const [hour, day] = [3_600_000, 86_400_000]
/** Milliseconds from midnight to the hour at which a row returns on a later day. */
const morningOffset = 8 * hour

/** Postponed row of the home page, with its group. */
export interface PutOffRow {
  group: string
  ref: string
  until: string
}

/** Returns the day of the week in the zone of the calendar, Monday is 1. */
function weekdayOf({ zone }: Calendar, moment: number): number {
  const localTime = new Date(moment + zoneOffset(zone)(moment) * 60_000)
  return localTime.getUTCDay() === 0 ? 7 : localTime.getUTCDay()
}

/**
 * Computes when a postponed row of the home page returns.
 *
 * @param calendar - The calendar of the days.
 * @param time - The chosen time.
 * @param now - The moment it begins, in milliseconds.
 * @returns The moment, in milliseconds: an hour later, or eight in the morning of the next day or Monday.
 */
export function endOfPutOff(calendar: Calendar, time: PutOffTime, now: number): number {
  if (time === 'hour') return now + hour
  const days = time === 'tomorrow' ? 1 : 8 - weekdayOf(calendar, now)
  return endOfDay(calendar, now + (days - 1) * day) + morningOffset
}

/** Reads the home page rows that a user has postponed; at most 200. */
export const readPutOffRows = (database: Pick<Database, 'query'>, user: number): Promise<readonly PutOffRow[]> =>
  database.query(sql<PutOffRow>`
    select group_key as "group", ref, until from home_put_off
     where user_id = ${user} and until > now() order by until limit ${maxPutOffRows}`)

/** Postpones a row of the home page. When the user has too many, those that return first are removed. */
export async function putOffTask(
  database: Database,
  { user, group, ref, until }: { user: number; group: HomeGroupKey; ref: string; until: number },
): Promise<void> {
  const end = sql`${new Date(until).toISOString()}::timestamptz`
  await database.transaction(async (trx) => {
    await trx.query(sql`
      insert into home_put_off (user_id, group_key, ref, until) values (${user}, ${group}, ${ref}, ${end})
      on conflict (user_id, group_key, ref) do update set until = excluded.until`)
    await trx.query(sql`
      delete from home_put_off where user_id = ${user} and (until <= now() or (group_key, ref) in (
        select group_key, ref from home_put_off where user_id = ${user} order by until desc, group_key, ref offset ${maxPutOffRows}))`)
  })
}

/** Shows a postponed row of the home page again. */
export async function showPostponedRow(
  database: Database,
  { user, group, ref }: { user: number; group: HomeGroupKey; ref: string },
): Promise<void> {
  await database.query(sql`delete from home_put_off where user_id = ${user} and group_key = ${group} and ref = ${ref}`)
}

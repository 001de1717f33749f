/** The day that it is by the clock of reports, and the days behind it that have no published prices. */
import type { Caller } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { View } from '../../resources/attributes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { Runner } from '../../resources/read.ts'
import { reportDay, reportZone } from '../../resources/report-day.ts'
import { runScoped } from '../../resources/scoped.ts'

/** Days behind today that are looked at for gaps. */
const daysLooked = 14
/** Weeks whose rhythm says on which weekdays prices are expected, and in how many of them there were some. */
const weeksOfRhythm = 8
const weeksWithPrices = 4

export interface Today {
  /** `2026-03-01`, in the zone of TIME_ZONE. */
  date: string
  zone: string
  /** Minutes by which the clock of the zone is ahead of UTC now. */
  offset_minutes: number
  /** Days on which prices are usual and none are published, newest first. */
  missing: string[]
}

/**
 * Reads the day and its gaps.
 *
 * @param runner The database.
 * @param caller The user who asks.
 * @param view The price dates they may see.
 * @returns The day, its zone, and the missing days of two weeks.
 */
export async function readToday(runner: Runner, caller: Caller, view: View): Promise<Today> {
  const resource = resourceNamed('pricedates')
  const [found] = await runScoped(runner, { resource, caller, view }, ({ from, where, document }) => {
    const [date, state] = [sql.ref(`${document}.date`), sql.ref(`${document}.state`)]
    const first = daysLooked + weeksOfRhythm * 7
    return sql`
      with today as materialized (select ${reportDay()}::date as day),
      published as materialized (
        select ${date} as day from ${from}
         where ${where} and ${state} = 'published' and ${date} >= (select day - ${first}::int from today)),
      looked as (select (t.day - n)::date as day from today t, generate_series(1, ${daysLooked}::int) n)
      select (select day::text from today),
        (extract(epoch from (now() at time zone ${reportZone()}::text) - (now() at time zone 'UTC')) / 60)::int, (
        select coalesce(json_agg(l.day::text order by l.day desc), '[]'::json) from looked l
         where l.day not in (select day from published)
           and (select count(*) from published p
                 where p.day < l.day and p.day >= l.day - ${weeksOfRhythm * 7}::int
                   and extract(isodow from p.day) = extract(isodow from l.day)) >= ${weeksWithPrices})`
  })
  const [date, offset, missing] = found ?? ['', 0, []]
  return { date: String(date), zone: reportZone(), offset_minutes: Number(offset), missing: missing as string[] }
}

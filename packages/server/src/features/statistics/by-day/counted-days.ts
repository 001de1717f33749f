/** SQL of the days whose stored counts are right: counted by this program, and not marked since. */
import { createHash } from 'node:crypto'
import { zoneSql } from '../../../db/calendar.ts'
import type { Queries } from '../../../db/database.ts'
import { compileTemplate, sql } from '../../../db/sql.ts'
import type { DaySubject, Sql } from '../measures.ts'

/**
 * SQL of `marked`, the days of each mark: those of an hour of the desk; a market day with the days up to the next
 * published one, which expect its prices. A mark is resolved when it is read, because market days may have been
 * published or withdrawn since.
 */
export const markedDaysSql: Sql = sql`
  marked as materialized (
    select m.subject, (m.hour at time zone ${zoneSql})::date as first,
           ((m.hour + interval '59 minutes 59 seconds') at time zone ${zoneSql})::date as last
      from report_marks m where m.hour is not null
    union
    select m.subject, m.day, coalesce((select min(e.date) from pricedates e where e.state = 'published' and e.date > m.day), 'infinity')
      from report_marks m where m.day is not null)`

/** SQL of `counted_days`, the days whose stored counts are right; after `marked`. */
export const countedDaysSql = (madeBy: string): Sql => sql`
  counted_days as (
    select d.subject, d.day from report_days d
     where d.made_by = ${madeBy}::text
       and not exists (select 1 from marked k where k.subject = d.subject and d.day between k.first and k.last))`

/**
 * Returns the name of counts by their definitions, the zone and the working hours: counts with another name are
 * made anew.
 */
export function nameOfCounts(definitions: readonly Sql[], { zone, workingHours }: Queries['calendar']): string {
  const hash = createHash('sha256').update(JSON.stringify([zone, workingHours]))
  for (const definition of definitions) {
    const { sql: text, parameters } = compileTemplate(definition)
    hash.update(JSON.stringify([text, parameters.map(String)]))
  }
  return hash.digest('hex')
}

/** Days whose stored counts are right, by subject and in order. */
export type CountedDays = Readonly<Record<DaySubject, readonly string[]>>

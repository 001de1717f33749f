/** The calendar day of reports and price dates, in the zone of the calendar. */
import { zoneOffset } from '@dala/model'
import { type Calendar, zoneSql } from '../../db/calendar.ts'
import { sql, type Template } from '../../db/sql.ts'

/** SQL of the present day in the time zone of reports, `YYYY-MM-DD`. */
export const reportDay: Template<string> = sql<string>`(now() at time zone ${zoneSql})::date::text`

/**
 * Returns the end of a day in the time zone of reports.
 *
 * @param calendar - The calendar with the zone.
 * @param moment - A moment of the day, in milliseconds.
 * @returns The midnight that follows it there, in milliseconds.
 */
export function endOfDay({ zone }: Calendar, moment: number): number {
  const offsetAt = (utcMoment: number) => zoneOffset(zone)(utcMoment) * 60_000
  const localMoment = new Date(moment + offsetAt(moment))
  const midnight = Date.UTC(localMoment.getUTCFullYear(), localMoment.getUTCMonth(), localMoment.getUTCDate() + 1)
  // Clocks may change within the day, so the offset of the zone is that of midnight itself.
  return midnight - offsetAt(midnight - offsetAt(moment))
}

/**
 * The present day in the zone, for decisions without the database.
 *
 * @param calendar - The calendar with the zone.
 * @returns The day, `YYYY-MM-DD`.
 */
export function today({ zone }: Calendar): string {
  const now = Date.now()
  return new Date(now + zoneOffset(zone)(now) * 60_000).toISOString().slice(0, 10)
}

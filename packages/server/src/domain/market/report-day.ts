/** The calendar day of reports and price dates, in the zone of the setting TIME_ZONE. */
import { zoneOffset } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'

let zone = 'Asia/Tashkent'

/** Sets the zone, once, before the application answers. */
export function useReportZone(name: string): void {
  zone = name
}

/** SQL of the day that it is now there, `YYYY-MM-DD`. */
export const reportDay = (): Template<string> => sql`(now() at time zone ${zone}::text)::date::text`

/**
 * The end of a day in that zone.
 *
 * @param moment - A moment of the day, in milliseconds.
 * @returns The midnight that follows it there.
 */
export function endOfDay(moment: number): number {
  const offsetAt = (at: number) => zoneOffset(zone)(at) * 60_000
  const local = new Date(moment + offsetAt(moment))
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + 1)
  // Clocks may change in between: the offset is the one of the midnight itself.
  return midnight - offsetAt(midnight - offsetAt(moment))
}

/** The name of the zone. */
export const reportZone = (): string => zone

/** The day that it is now there, for what is decided without the database. */
export function dayNow(): string {
  const now = Date.now()
  return new Date(now + zoneOffset(zone)(now) * 60_000).toISOString().slice(0, 10)
}

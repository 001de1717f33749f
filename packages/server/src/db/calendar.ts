/**
 * The time zone and the working hours of the settings, which
 * a database passes to all code that counts days and hours.
 */
import { type WorkingHours, type WorkingTime, workingTime } from '@dala/model'
import { readSettings, type Settings, SettingsError } from '../settings.ts'
import type { Statement } from './driver.ts'
import { sql, type Template } from './sql.ts'

/** The time zone and the working hours of the office. */
export interface Calendar {
  /** The name of the time zone in which days are counted, like `Asia/Tashkent`. */
  readonly zone: string
  /** Open hours of the office on each day of the week. */
  readonly workingHours: WorkingHours
  /** Counter of the time within the open hours of the office. */
  readonly workingTime: WorkingTime
}

/** The settings that a calendar is made from. */
export type CalendarSettings = Pick<Settings, 'timeZone' | 'workingHours'>

/** Makes the error for a time zone that this program or its database does not know. */
export const unknownZone = (): SettingsError =>
  new SettingsError('The setting TIME_ZONE must be a time zone like Asia/Tashkent.')

/**
 * Makes a calendar from settings.
 *
 * @param settings - The zone and the hours; those of a server without settings when absent.
 * @returns The calendar.
 * @throws SettingsError for an unknown zone.
 */
export function calendarOf({ timeZone, workingHours }: CalendarSettings = readSettings({})): Calendar {
  try {
    return Object.freeze({ zone: timeZone, workingHours, workingTime: workingTime(workingHours, timeZone) })
  } catch (error) {
    if (error instanceof RangeError) throw unknownZone()
    throw error
  }
}

/** A placeholder among the parameters of a statement, which the database replaces by the name of its zone. */
const zoneParameter = Symbol('zone of the calendar')

/**
 * SQL of the name of the zone: each database inserts the zone of its own calendar when the statement is sent.
 */
export const zoneSql: Template<string> = sql<string>`${zoneParameter}::text`

/** A local time among the parameters of a statement, to which the database adds the name of its zone. */
class LocalTime {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  in(zone: string): string {
    return `${this.#text} ${zone}`
  }
  toString(): string {
    return this.#text
  }
}

/**
 * SQL of a local time in the zone: a constant, where `at time zone` would be computed for each compared row.
 *
 * @param localTime - The time, like `2026-11-29 15:20:00`.
 */
export const zonedMoment = (localTime: string): Template<unknown> => sql`${new LocalTime(localTime)}::timestamptz`

/**
 * Inserts the calendar's time zone into a statement.
 *
 * @param statement - A statement, with `zoneSql` or times of the zone in it or without.
 * @param calendar - The calendar with the zone.
 * @returns The statement itself when it does not contain the zone.
 */
export function setZone(statement: Statement, { zone }: Calendar): Statement {
  const { parameters } = statement
  if (!parameters.some((item) => item === zoneParameter || item instanceof LocalTime)) return statement
  return {
    ...statement,
    parameters: parameters.map((item) =>
      item === zoneParameter ? zone : item instanceof LocalTime ? item.in(zone) : item,
    ),
  }
}

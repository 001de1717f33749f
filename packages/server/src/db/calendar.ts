/**
 * The time zone and the working hours of the settings, which
 * a database passes to all code that counts days and hours.
 */
import { type WorkingHours, type WorkingTime, workingTime, writeWorkingHours } from '@dala/model'
import { readSettings, type Settings, SettingsError } from '../settings.ts'
import type { Statement } from './driver.ts'
import { sql, type Template } from './sql.ts'

/** Target minutes, in working time, of replies to cases whose category has no target. */
export interface ReplyMinutes {
  /** For the first reply of a conversation or to a question. */
  readonly first: number
  /** For each later reply. */
  readonly next: number
}

/** The time zone, the working hours and the targets of the office. */
export interface Calendar {
  /** The name of the time zone in which days are counted, like `Asia/Tashkent`. */
  readonly zone: string
  /** Open hours of the office on each day of the week. */
  readonly workingHours: WorkingHours
  /** Counter of the time within the open hours of the office. */
  readonly workingTime: WorkingTime
  readonly replyMinutes: ReplyMinutes
}

/** Targets of replies until an owner changes them. */
export const presetReplyMinutes: ReplyMinutes = Object.freeze({ first: 30, next: 120 })

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
    return Object.freeze({
      zone: timeZone,
      workingHours,
      workingTime: workingTime(workingHours, timeZone),
      replyMinutes: presetReplyMinutes,
    })
  } catch (error) {
    if (error instanceof RangeError) throw unknownZone()
    throw error
  }
}

/** A change of a calendar by owners while the program runs; without hours, those of the start apply. */
export interface CalendarChange {
  workingHours: WorkingHours | undefined
  replyMinutes: ReplyMinutes
}

/**
 * Returns what determines the times of waits, as a text: calendars with the same text give the same times.
 *
 * @param calendar - The calendar.
 */
export const textOfCalendar = ({ zone, workingHours, replyMinutes: { first, next } }: Calendar): string =>
  JSON.stringify([zone, writeWorkingHours(workingHours), first, next])

/**
 * Makes a calendar with other hours and targets in the same zone.
 *
 * @param calendar - The calendar of the start.
 * @param change - The change by owners.
 */
export function changeCalendar(calendar: Calendar, change: CalendarChange): Calendar {
  const { workingHours = calendar.workingHours, replyMinutes } = change
  return Object.freeze({ ...calendarOf({ timeZone: calendar.zone, workingHours }), replyMinutes })
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

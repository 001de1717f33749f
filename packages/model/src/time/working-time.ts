/** Working time: the time within the hours of the desk, in its own time zone (chat §6). */
import { zoneOffset } from './zone-offset.ts'

/**
 * Opening hours in minutes since midnight, by day of the week: Monday is 1. Days without hours are closed.
 */
export type WorkingHours = Readonly<Partial<Record<number, { from: number; to: number }>>>

const minute = 60_000
const workingHoursPattern = /^([1-7])(?:-([1-7]))? ([01]\d|2[0-4]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/

/**
 * Reads working hours such as `1-6 09:00-18:00`: days of the week from Monday, then hours. Several entries
 * are separated by commas; a later one wins.
 *
 * @returns The hours, or undefined when the text is malformed or names no time.
 * @example
 * readWorkingHours('1 09:00-18:00') // { 1: { from: 540, to: 1080 } }
 */
export function readWorkingHours(text: string): WorkingHours | undefined {
  const hours: Record<number, { from: number; to: number }> = {}
  for (const item of text.split(',')) {
    const [, firstDay, lastDay = firstDay, ...clock] = workingHoursPattern.exec(item.trim()) ?? []
    const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = clock.map(Number)
    const span = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute }
    if (firstDay === undefined || Number(firstDay) > Number(lastDay) || span.from >= span.to || span.to > 1_440)
      return undefined
    for (let day = Number(firstDay); day <= Number(lastDay); day += 1) hours[day] = span
  }
  return hours
}

const clockText = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

/**
 * Writes working hours as `readWorkingHours` reads them: successive days with the same hours share an entry.
 *
 * @example
 * writeWorkingHours({ 1: { from: 540, to: 1080 }, 2: { from: 540, to: 1080 } }) // '1-2 09:00-18:00'
 */
export function writeWorkingHours(hours: WorkingHours): string {
  const spans: { first: number; last: number; clock: string }[] = []
  for (let day = 1; day <= 7; day += 1) {
    const span = hours[day]
    if (!span) continue
    const clock = `${clockText(span.from)}-${clockText(span.to)}`
    const former = spans.at(-1)
    if (former?.clock === clock && former.last === day - 1) former.last = day
    else spans.push({ first: day, last: day, clock })
  }
  return spans.map(({ first, last, clock }) => `${first === last ? first : `${first}-${last}`} ${clock}`).join(', ')
}

/** A calendar of the hours in which the desk is open. */
export interface WorkingTime {
  /**
   * Returns the moment when the given number of working minutes have passed since `start`; moments are
   * milliseconds since 1970.
   */
  add(start: number, minutes: number): number
  /** Returns the working milliseconds between two moments; 0 when the second is not after the first. */
  between(start: number, end: number): number
}

/**
 * Creates the working-time calendar of a desk. It walks days by the calendar of the zone, so a day with a
 * clock change has the hours that its clock shows.
 *
 * @param hours - Working hours with at least one open day.
 * @param zone - The name of the time zone.
 * @example
 * const desk = workingTime({ 1: { from: 540, to: 1080 } }, 'Asia/Tashkent')
 * desk.between(from, to) // working milliseconds
 */
export function workingTime(hours: WorkingHours, zone: string): WorkingTime {
  const offsetAt = zoneOffset(zone)
  const dayMinutes = 1_440
  /** Returns the day of a moment in the zone, in days since 1970. */
  const dayOf = (moment: number) => Math.floor((moment / minute + offsetAt(moment)) / dayMinutes)
  /** Returns the moment when clocks of the zone show a minute of a day. */
  const momentOf = (day: number, minutes: number) => {
    const localMoment = (day * dayMinutes + minutes) * minute
    const guessedOffset = localMoment - offsetAt(localMoment) * minute
    return localMoment - offsetAt(guessedOffset) * minute
  }
  /** Returns the open hours of a day; 1 January 1970 was a Thursday. */
  const hoursOfDay = (day: number): readonly [number, number] | undefined => {
    const span = hours[((((day + 3) % 7) + 7) % 7) + 1]
    return span && [momentOf(day, span.from), momentOf(day, span.to)]
  }

  return {
    add(start, minutes) {
      let remainingTime = minutes * minute
      for (let day = dayOf(start); ; day += 1) {
        const [openingTime, closingTime] = hoursOfDay(day) ?? [0, 0]
        const workStart = Math.max(openingTime, start)
        if (closingTime - workStart >= remainingTime && closingTime > workStart) return workStart + remainingTime
        remainingTime -= Math.max(closingTime - workStart, 0)
      }
    },
    between(start, end) {
      let passedMinutes = 0
      for (let day = dayOf(start); day <= dayOf(end); day += 1) {
        const [openingTime, closingTime] = hoursOfDay(day) ?? [0, 0]
        passedMinutes += Math.max(Math.min(closingTime, end) - Math.max(openingTime, start), 0)
      }
      return passedMinutes
    },
  }
}

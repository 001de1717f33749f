/** Working time: what lies within the hours of the desk, in whatever zone it is (chat §6). Pure. */
import { zoneOffset } from './zone-offset.ts'

/** Minutes since midnight between which the desk works, by day of the week: Monday is 1. Days without are closed. */
export type WorkingHours = Readonly<Partial<Record<number, { from: number; to: number }>>>

const minute = 60_000
const part = /^([1-7])(?:-([1-7]))? ([01]\d|2[0-4]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/

/**
 * Reads `1-6 09:00-18:00`: days of the week from Monday, and hours; several with commas between, a later one wins.
 * Out: the hours, undefined for what is written otherwise, or names no time at all.
 */
export function readWorkingHours(text: string): WorkingHours | undefined {
  const hours: Record<number, { from: number; to: number }> = {}
  for (const item of text.split(',')) {
    const [, first, last = first, ...clock] = part.exec(item.trim()) ?? []
    const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = clock.map(Number)
    const span = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute }
    if (first === undefined || Number(first) > Number(last) || span.from >= span.to || span.to > 1_440) return undefined
    for (let day = Number(first); day <= Number(last); day += 1) hours[day] = span
  }
  return hours
}

/** A calendar of the desk: what is open when. */
export interface WorkingTime {
  /** The moment when so many working minutes have passed since `start`; moments in milliseconds since 1970. */
  add(start: number, minutes: number): number
  /** Working milliseconds between two moments; 0 when the second is not after the first. */
  between(start: number, end: number): number
}

/**
 * The working time of a desk. In: its hours with one open day at least, and the name of its zone.
 *
 * Days are walked by the calendar of the zone, so that where clocks change a day has the hours that its clocks show.
 */
export function workingTime(hours: WorkingHours, zone: string): WorkingTime {
  const offsetAt = zoneOffset(zone)
  const dayMinutes = 1_440
  /** The day of a moment there, in days since 1970. */
  const dayOf = (moment: number) => Math.floor((moment / minute + offsetAt(moment)) / dayMinutes)
  /** The moment when clocks there show a minute of a day. */
  const momentOf = (day: number, minutes: number) => {
    const local = (day * dayMinutes + minutes) * minute
    const guess = local - offsetAt(local) * minute
    return local - offsetAt(guess) * minute
  }
  /** What is open on a day; 1 January 1970 was a Thursday. */
  const openOn = (day: number): readonly [number, number] | undefined => {
    const span = hours[((((day + 3) % 7) + 7) % 7) + 1]
    return span && [momentOf(day, span.from), momentOf(day, span.to)]
  }

  return {
    add(start, minutes) {
      let left = minutes * minute
      for (let day = dayOf(start); ; day += 1) {
        const [opens, closes] = openOn(day) ?? [0, 0]
        const from = Math.max(opens, start)
        if (closes - from >= left && closes > from) return from + left
        left -= Math.max(closes - from, 0)
      }
    },
    between(start, end) {
      let passed = 0
      for (let day = dayOf(start); day <= dayOf(end); day += 1) {
        const [opens, closes] = openOn(day) ?? [0, 0]
        passed += Math.max(Math.min(closes, end) - Math.max(opens, start), 0)
      }
      return passed
    },
  }
}

/** The calendar of a seed: moves the times of the samples to the days before it. */
import { minutesAfter, minutesOfDay } from './moments.ts'

const hour = 3_600_000
const day = 24 * hour
const week = 7 * day
/** The UTC offset of the times in the samples. */
const offset = '+05:00'

/**
 * Calendar of the days before a seed, to which the samples move, so that a demonstration looks like a running
 * service.
 */
export class Calendar {
  /** The day of the seed, `YYYY-MM-DD`. */
  readonly day: string

  constructor(day: string) {
    this.day = day
  }

  /** Returns the day a number of days before the seed. */
  dayBefore(days: number): string {
    return minutesAfter(`${this.day}T00:00:00Z`, -days * minutesOfDay).slice(0, 10)
  }

  /** Returns a time on the day a number of days before the seed. */
  before(days: number, time: string): string {
    return minutesAfter(`${this.dayBefore(days)}T${time}:00${offset}`, 0)
  }

  /** Moves a time to the day a number of days before the seed, at the same time of day. */
  onDayBefore(days: number, moment: string): string {
    return this.before(days, localText(moment).slice(11, 16))
  }

  /**
   * Moves the times of a list together, until the newest is on one of the seven days before the seed. Whole
   * weeks keep the day of the week of each.
   *
   * @param moments - All times of the list.
   * @returns A function that moves one of them.
   */
  mover(moments: readonly string[]): (moment: string) => string {
    const newestTime = Math.max(...moments.map((moment) => Date.parse(`${localText(moment).slice(0, 10)}T00:00:00Z`)))
    const lastTime = Date.parse(`${this.dayBefore(1)}T00:00:00Z`)
    const shiftMs = Math.floor((lastTime - newestTime) / week) * week
    return (moment) => new Date(Date.parse(moment) + shiftMs).toISOString()
  }

  /**
   * Counts the days back to a day in the last month of that name that has begun before the seed. Texts about
   * spring are therefore dated in spring.
   *
   * @param month - 1 to 12.
   * @param date - The day of the month, 1 to 28; an earlier one when the current month has not reached it.
   * @returns Days before the seed, at least one and at most a year.
   */
  daysSince(month: number, date: number): number {
    const [year = 0, now = 0, today = 0] = this.day.split('-').map(Number)
    const isCurrentMonth = month === now && today > 1
    const movedTime = Date.UTC(
      isCurrentMonth || month < now ? year : year - 1,
      month - 1,
      isCurrentMonth ? Math.min(date, today - 1) : date,
    )
    return (Date.parse(`${this.day}T00:00:00Z`) - movedTime) / day
  }

  /** Returns the Mondays before the seed, oldest first. */
  mondays(count: number): string[] {
    const weekday = new Date(`${this.day}T00:00:00Z`).getUTCDay()
    const daysSinceMonday = (weekday + 6) % 7 || 7
    return Array.from({ length: count }, (_, index) => this.dayBefore(daysSinceMonday + (count - 1 - index) * 7))
  }
}

/** Formats a time in the offset of the samples. */
function localText(moment: string): string {
  return new Date(Date.parse(moment) + 5 * hour).toISOString()
}

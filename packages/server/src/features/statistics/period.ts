/** The period of a report: its parts, the earlier one it is compared with, and what of both is over (statistics §5). */
import type { ReportComparison, ReportInterval } from '@dala/model'
import { addDays, addMonths, daysBetween, firstOfMonth, mondayOf } from './days.ts'

/** What the clock of the report zone says. */
export interface LocalClock {
  day: string
  /** `hh:mm:ss.sss`. */
  time: string
}

/** From the start of a day to the start of another one. */
interface Days {
  from: string
  until: string
}

/** Between two moments of the report zone, as its clocks show them. */
interface Span {
  from: string
  until: string
}

/** A part of the period: a day, or as much of a week or a month as lies in it. */
export interface Bucket extends Days {
  /** It has not passed, or the period cuts it: it is not to be read as a whole one. */
  partial: boolean
  /** It lies in the future: there is nothing to tell yet. */
  ahead: boolean
  /** The days of the earlier period that it stands beside. */
  before: Days | null
}

export interface Period {
  from: string
  to: string
  interval: ReportInterval
  compare: ReportComparison
  compareFrom: string | null
  compareTo: string | null
  partial: boolean
  /** What is counted. */
  now: Span
  /** What it is compared with: as much of the earlier period as has passed of this one. */
  before: Span | null
  buckets: readonly Bucket[]
}

export interface PeriodWish {
  from: string
  to: string
  interval?: ReportInterval | undefined
  compare: ReportComparison
}

const startOf = (day: string): string => `${day} 00:00:00`
const earlier = (left: string, right: string): string => (left < right ? left : right)
const later = (left: string, right: string): string => (left > right ? left : right)

/** Months since the year 0. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** The way back to the earlier period: so many days, or so many whole months. */
type Shift = { days: number } | { months: number }

function shiftOf({ from, to, compare }: PeriodWish): Shift | null {
  if (compare === 'none') return null
  if (compare === 'year') return { months: 12 }
  const after = addDays(to, 1)
  // Whole months stand beside whole months, however many days these have.
  if (from.endsWith('-01') && after.endsWith('-01')) return { months: monthOf(after) - monthOf(from) }
  return { days: daysBetween(from, after) }
}

const shifted = (day: string, shift: Shift): string =>
  'days' in shift ? addDays(day, -shift.days) : addMonths(day, -shift.months)

/** An interval that gives a line of a readable length. */
function intervalFor(days: number): ReportInterval {
  if (days <= 62) return 'day'
  return days <= 210 ? 'week' : 'month'
}

/** The first day of the next part after a day. */
function nextStart(day: string, interval: ReportInterval): string {
  if (interval === 'day') return addDays(day, 1)
  return interval === 'week' ? addDays(mondayOf(day), 7) : addMonths(firstOfMonth(day), 1)
}

function wholeStart(day: string, interval: ReportInterval): string {
  if (interval === 'day') return day
  return interval === 'week' ? mondayOf(day) : firstOfMonth(day)
}

/** The earlier days of a part; null where the earlier month has no such day. */
function beforeOf({ from, until }: Days, shift: Shift, interval: ReportInterval, end: string): Days | null {
  const start = shifted(from, shift)
  if ('days' in shift) return { from: start, until: addDays(start, daysBetween(from, until)) }
  if (interval === 'month') return { from: start, until: shifted(until, shift) }
  // The 31st has no fellow in a month of 30 days.
  if (interval === 'day' && start.slice(8) !== from.slice(8)) return null
  return { from: start, until: earlier(addDays(start, daysBetween(from, until)), end) }
}

/**
 * Works out a period. In: its days, the first not after the last, and what the clock of the zone says.
 * Out: parts from Monday or from the first of a month, those that the period cuts among them.
 */
export function periodOf(wish: PeriodWish, clock: LocalClock): Period {
  const { from, to, compare } = wish
  const after = addDays(to, 1)
  const interval = wish.interval ?? intervalFor(daysBetween(from, after))
  const shift = shiftOf(wish)
  const compareFrom = shift && shifted(from, shift)
  const compareTo = shift && (compare === 'previous' ? addDays(from, -1) : shifted(to, shift))
  const compareEnd = compareTo === null ? from : addDays(compareTo, 1)
  const local = `${clock.day} ${clock.time}`

  const buckets: Bucket[] = []
  for (let start = from; start < after;) {
    const next = nextStart(start, interval)
    const days = { from: start, until: earlier(next, after) }
    const isCut = wholeStart(start, interval) !== start || next > after
    buckets.push({
      ...days,
      partial: isCut || days.until > clock.day,
      ahead: start > clock.day,
      before: shift && beforeOf(days, shift, interval, compareEnd),
    })
    start = next
  }

  const partial = after > clock.day
  const until = partial ? later(startOf(from), local) : startOf(after)
  // Of the earlier period as much as has passed of this one, to the minute.
  const passed = clock.day < from ? startOf(from) : local
  const beforeUntil =
    shift && compareFrom !== null && partial ? `${shifted(passed.slice(0, 10), shift)}${passed.slice(10)}` : undefined
  return {
    from,
    to,
    interval,
    compare,
    compareFrom,
    compareTo,
    partial,
    now: { from: startOf(from), until },
    before: compareFrom === null ? null : { from: startOf(compareFrom), until: beforeUntil ?? startOf(compareEnd) },
    buckets,
  }
}

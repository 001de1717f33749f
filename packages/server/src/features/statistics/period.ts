/**
 * Computes the period of a report: its buckets, the earlier period, and how much of both has passed
 * (statistics §5).
 */
import type { ReportComparison, ReportInterval } from '@dala/model'
import { addDays, addMonths, daysBetween, firstOfMonth, mondayOf } from './days.ts'

/** Day and time in the report zone. */
export interface LocalClock {
  day: string
  /** Local time in the report zone, `hh:mm:ss.sss`. */
  time: string
}

/** Range of days from the start of one day to the start of another one. */
interface Days {
  from: string
  until: string
}

/** Range from one local time of the report zone to another. */
export interface Span {
  from: string
  until: string
}

/** A bucket of the report's period: a day, or the part of a week or a month within the period. */
export interface PeriodBucket extends Days {
  /** Whether the report's bucket is incomplete: it has not passed yet, or the period cuts it. */
  partial: boolean
  /** Whether the report's bucket is in the future and has no data. */
  isAhead: boolean
  /** Days of the earlier period that the report's bucket is compared with. */
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
  /** Time range of the report's period that is counted. */
  now: Span
  /** Time range of the report's earlier period: as much as has passed of the present period. */
  before: Span | null
  buckets: readonly PeriodBucket[]
}

export interface PeriodRequest {
  from: string
  to: string
  interval?: ReportInterval | undefined
  compare: ReportComparison
}

const startOfDay = (day: string): string => `${day} 00:00:00`
const earlierDay = (left: string, right: string): string => (left < right ? left : right)
const laterDay = (left: string, right: string): string => (left > right ? left : right)

/** Counts months since the year 0. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** Distance to the earlier period: a number of days, or of whole months. */
type PeriodShift = { days: number } | { months: number }

function shiftToEarlier({ from, to, compare }: PeriodRequest): PeriodShift | null {
  if (compare === 'none') return null
  if (compare === 'year') return { months: 12 }
  const dayAfter = addDays(to, 1)
  // Whole weeks before the period have the same weekdays, even when they end before the day before it.
  if (compare === 'weekday') return { days: Math.ceil(daysBetween(from, dayAfter) / 7) * 7 }
  // A report's period of whole months is compared with whole months, whatever their length.
  if (from.endsWith('-01') && dayAfter.endsWith('-01')) return { months: monthOf(dayAfter) - monthOf(from) }
  return { days: daysBetween(from, dayAfter) }
}

const shiftedDay = (day: string, shift: PeriodShift): string =>
  'days' in shift ? addDays(day, -shift.days) : addMonths(day, -shift.months)

/** Chooses an interval that gives a report's line a readable length. */
function chooseInterval(days: number): ReportInterval {
  if (days <= 62) return 'day'
  return days <= 210 ? 'week' : 'month'
}

/** Returns the first day of the report's bucket after a day. */
function nextStart(day: string, interval: ReportInterval): string {
  if (interval === 'day') return addDays(day, 1)
  return interval === 'week' ? addDays(mondayOf(day), 7) : addMonths(firstOfMonth(day), 1)
}

function wholeStart(day: string, interval: ReportInterval): string {
  if (interval === 'day') return day
  return interval === 'week' ? mondayOf(day) : firstOfMonth(day)
}

/** Returns the earlier days of a report's bucket; null when the earlier month has no such day. */
function earlierBucket({ from, until }: Days, shift: PeriodShift, interval: ReportInterval, end: string): Days | null {
  const start = shiftedDay(from, shift)
  if ('days' in shift) return { from: start, until: addDays(start, daysBetween(from, until)) }
  if (interval === 'month') return { from: start, until: shiftedDay(until, shift) }
  // The 31st day of a month has no counterpart in a month of 30 days.
  if (interval === 'day' && start.slice(8) !== from.slice(8)) return null
  // A week that begins on a day which the earlier month lacks must not overlap the earlier days of the one before.
  const sameLength = earlierDay(addDays(start, daysBetween(from, until)), end)
  return { from: start, until: interval === 'day' ? sameLength : earlierDay(sameLength, shiftedDay(until, shift)) }
}

/**
 * Computes the period of a report.
 *
 * @param request - The days, the first not after the last, the interval and the comparison.
 * @param clock - Day and time in the report zone.
 * @returns The period with its buckets, which start on Mondays or on the first of a month, partial ones
 * included.
 */
export function periodOf(request: PeriodRequest, clock: LocalClock): Period {
  const { from, to, compare } = request
  const dayAfter = addDays(to, 1)
  const interval = request.interval ?? chooseInterval(daysBetween(from, dayAfter))
  const periodShift = shiftToEarlier(request)
  const compareFrom = periodShift && shiftedDay(from, periodShift)
  const compareTo = periodShift && (compare === 'previous' ? addDays(from, -1) : shiftedDay(to, periodShift))
  const compareEnd = compareTo === null ? from : addDays(compareTo, 1)
  const localTime = `${clock.day} ${clock.time}`

  const buckets: PeriodBucket[] = []
  for (let start = from; start < dayAfter;) {
    const bucketEnd = nextStart(start, interval)
    const days = { from: start, until: earlierDay(bucketEnd, dayAfter) }
    const isCut = wholeStart(start, interval) !== start || bucketEnd > dayAfter
    buckets.push({
      ...days,
      partial: isCut || days.until > clock.day,
      isAhead: start > clock.day,
      before: periodShift && earlierBucket(days, periodShift, interval, compareEnd),
    })
    start = bucketEnd
  }

  const isPartial = dayAfter > clock.day
  const endTime = isPartial ? laterDay(startOfDay(from), localTime) : startOfDay(dayAfter)
  // The earlier period of a report is limited to as much as has passed of this one, to the minute.
  const passedTime = clock.day < from ? startOfDay(from) : localTime
  const earlierEnd =
    periodShift && compareFrom !== null && isPartial
      ? `${shiftedDay(passedTime.slice(0, 10), periodShift)}${passedTime.slice(10)}`
      : undefined
  return {
    from,
    to,
    interval,
    compare,
    compareFrom,
    compareTo,
    partial: isPartial,
    now: { from: startOfDay(from), until: endTime },
    before:
      compareFrom === null ? null : { from: startOfDay(compareFrom), until: earlierEnd ?? startOfDay(compareEnd) },
    buckets,
  }
}

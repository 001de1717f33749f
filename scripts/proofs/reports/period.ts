/**
 * A plain reckoning of the days of a report, without the program's own: everything is a number of days since
 * 1970 in Tashkent, or a time in milliseconds (statistics §5).
 */
import type { ReportComparison, ReportInterval } from '@dala/model'

const dayLength = 86_400_000
/** Offset of Tashkent, which has had no other for thirty years. */
const offset = 5 * 3_600_000

/** Number of a day. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayLength
/** Text of a day, `2026-03-01`. */
export const dayText = (day: number): string => new Date(day * dayLength).toISOString().slice(0, 10)
/** Number of the day of a time. */
export const dayAt = (moment: number): number => Math.floor((moment + offset) / dayLength)
/** The time at which a day begins. */
export const startOf = (day: number): number => day * dayLength - offset
/** Milliseconds since midnight. */
const clockAt = (moment: number): number => moment - startOf(dayAt(moment))

const partsOf = (day: number) => {
  const date = new Date(day * dayLength)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() }
}
const firstOf = (year: number, month: number): number => Date.UTC(year, month, 1) / dayLength

/** Returns the same day of an earlier month, or its last day. */
function monthsBefore(day: number, months: number): number {
  const { year, month, date } = partsOf(day)
  const [monthStart, nextMonthStart] = [firstOf(year, month - months), firstOf(year, month - months + 1)]
  return Math.min(monthStart + date - 1, nextMonthStart - 1)
}

/** Returns the first day of the interval after the one of a day. */
function nextInterval(day: number, interval: ReportInterval): number {
  if (interval === 'day') return day + 1
  // The first day of 1970 was a Thursday.
  if (interval === 'week') return day + 7 - ((day + 3) % 7)
  const { year, month } = partsOf(day)
  return firstOf(year, month + 1)
}

const isIntervalStart = (day: number, interval: ReportInterval): boolean => nextInterval(day - 1, interval) === day

/** Range of times, with its start and without its end. */
export interface TimeRange {
  from: number
  until: number
}

export interface PlainInterval extends TimeRange {
  t: string
  isPartial: boolean
  /** Whether the interval begins in the future. */
  isAhead: boolean
  before: TimeRange | null
}

export interface PlainPeriod {
  now: TimeRange
  before: TimeRange | null
  isPartial: boolean
  intervals: readonly PlainInterval[]
}

/** The days of a query, as the answer names them. */
export interface PlainDays {
  from: string
  to: string
  interval: ReportInterval
  compare: ReportComparison
}

/** Reckons the period of a report as it is at a time. */
export function reckonPeriod({ from, to, interval, compare }: PlainDays, presentMoment: number): PlainPeriod {
  const [firstDay, endDay] = [dayNumber(from), dayNumber(to) + 1]
  const today = dayAt(presentMoment)
  const length = endDay - firstDay
  const isWholeMonths = partsOf(firstDay).date === 1 && partsOf(endDay).date === 1
  const months =
    compare === 'year'
      ? 12
      : compare === 'previous' && isWholeMonths
        ? (partsOf(endDay).year - partsOf(firstDay).year) * 12 + partsOf(endDay).month - partsOf(firstDay).month
        : undefined
  const days = compare === 'weekday' ? Math.ceil(length / 7) * 7 : length
  const computeEarlierDay = (day: number) => (months === undefined ? day - days : monthsBefore(day, months))
  const earlierEnd = compare === 'previous' ? firstDay : computeEarlierDay(endDay - 1) + 1
  const isPartial = endDay > today
  // An unfinished period is compared with as much of the earlier one as has passed of it.
  const passedMoment = Math.max(presentMoment, startOf(firstDay))
  const now = { from: startOf(firstDay), until: isPartial ? passedMoment : startOf(endDay) }
  const formerPeriod =
    compare === 'none'
      ? null
      : {
          from: startOf(computeEarlierDay(firstDay)),
          until: isPartial
            ? startOf(computeEarlierDay(dayAt(passedMoment))) + clockAt(passedMoment)
            : startOf(earlierEnd),
        }
  const intervals: PlainInterval[] = []
  for (let day = firstDay; day < endDay;) {
    const nextStart = nextInterval(day, interval)
    const end = Math.min(nextStart, endDay)
    const start = computeEarlierDay(day)
    // An earlier week has no more days than its own, and ends where the next one begins.
    const earlierNext = end === endDay ? earlierEnd : computeEarlierDay(end)
    const sameLength = start + end - day
    const earlierLast =
      months === undefined || interval === 'day'
        ? sameLength
        : interval === 'week'
          ? Math.min(sameLength, earlierNext)
          : earlierNext
    // The 31st has no counterpart in a month of 30 days.
    const hasNoDay = interval === 'day' && partsOf(start).date !== partsOf(day).date && months !== undefined
    intervals.push({
      t: dayText(day),
      from: startOf(day),
      until: startOf(end),
      isPartial: !isIntervalStart(day, interval) || end !== nextStart || end > today,
      isAhead: day > today,
      before: formerPeriod && !hasNoDay ? { from: startOf(start), until: startOf(earlierLast) } : null,
    })
    day = end
  }
  return { now, before: formerPeriod, isPartial, intervals }
}

/** The state of a price day: its mark in the calendar, and how much of it is filled in. */
import type { Entry } from '@dala/model'
import { dateToDay, dayToDate } from '../../lib/format.ts'

/** Counts of a price day from the server (market §4). */
export interface Coverage {
  expected: number
  filled: number
  carried: number
  flagged: number
}

/** Mark of a price day; `gaps`: published, but prices of the previous published day are missing. */
export type DayMark = 'none' | 'draft' | 'checking' | 'published' | 'gaps'

const countOf = (value: object, name: keyof Coverage): number => {
  const count: unknown = Object.entries(value).find(([key]) => key === name)?.[1]
  return typeof count === 'number' ? count : 0
}

/** Parses the counts of a price day. */
export function toCoverage(value: unknown): Coverage | null {
  if (typeof value !== 'object' || value === null) return null
  const count = (name: keyof Coverage) => countOf(value, name)
  return { expected: count('expected'), filled: count('filled'), carried: count('carried'), flagged: count('flagged') }
}

/** Number of prices that the previous published day had and this day has not. */
function missingCountOf(record: Entry): number {
  const coverage = toCoverage(record['coverage'])
  return coverage ? Math.max(0, coverage.expected - coverage.filled - coverage.carried) : 0
}

/** Mark of a price day by its record; a day without a record has no mark. */
export function markOf(record: Entry | undefined): DayMark {
  if (!record) return 'none'
  const { state } = record
  if (state !== 'published') return state === 'checking' ? 'checking' : 'draft'
  return missingCountOf(record) > 0 ? 'gaps' : 'published'
}

/** Offset of the report time zone from UTC, in minutes; the browser's own until the server has sent it. */
let reportOffset: number | undefined

export function setReportOffset(minutes: number): void {
  reportOffset = minutes
}

/** Today in the report time zone, so that users abroad start the same day as everybody else. */
export const today = (): string =>
  reportOffset === undefined
    ? dateToDay(new Date())
    : new Date(Date.now() + reportOffset * 60_000).toISOString().slice(0, 10)

/** Day a number of days later, or earlier if the number is negative. */
export function daysAfter(day: string, count: number): string {
  const date = dayToDate(day)
  if (!date) return day
  date.setDate(date.getDate() + count)
  return dateToDay(date)
}

/** Day a number of years later, with the same month and day. */
export function yearsAfter(day: string, count: number): string {
  const date = dayToDate(day)
  if (!date) return day
  date.setFullYear(date.getFullYear() + count)
  return dateToDay(date)
}

/** Number of days between two days, both included. */
export function daysBetween(startDay: string, endDay: string): number {
  return Math.round((Date.parse(endDay) - Date.parse(startDay)) / 86_400_000) + 1
}

/** Days of whole weeks, Monday first; the last week contains `day`. */
export function weeksUpTo(day: string, count: number): string[][] {
  const weekday = ((dayToDate(day)?.getDay() ?? 1) + 6) % 7
  const firstDay = daysAfter(day, -weekday - 7 * (count - 1))
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => daysAfter(firstDay, week * 7 + index)),
  )
}

import type { ReportComparison, ReportInterval } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, daysBetween, mondayOf } from './days.ts'
import { periodOf } from './period.ts'

/** The clock of the test shows a Wednesday, in the middle of the afternoon. */
const clock = { day: '2026-11-18', time: '15:30:00.000' }
const period = (from: string, to: string, compare: ReportComparison = 'previous', interval?: ReportInterval) =>
  periodOf({ from, to, compare, interval }, clock)

describe('addDays and addMonths', () => {
  it('adds days and months across months, years and leap days', () => {
    expect([addDays('2026-12-31', 1), addDays('2028-02-28', 1), addDays('2026-03-01', -1)]).toEqual([
      '2027-01-01',
      '2028-02-29',
      '2026-02-28',
    ])
    expect([addMonths('2026-03-31', -1), addMonths('2028-02-29', -12), addMonths('2026-11-30', 3)]).toEqual([
      '2026-02-28',
      '2027-02-28',
      '2027-02-28',
    ])
    expect([mondayOf('2026-11-16'), mondayOf('2026-11-22'), mondayOf('2027-01-01')]).toEqual([
      '2026-11-16',
      '2026-11-16',
      '2026-12-28',
    ])
    expect(daysBetween('2028-02-01', '2028-03-01')).toBe(29)
  })
})

describe('the earlier period of a comparison', () => {
  it.each([
    // The earlier period of a report has as many days as the chosen one.
    ['2026-10-05', '2026-10-11', 'previous', '2026-09-28', '2026-10-04'],
    ['2026-03-01', '2026-03-01', 'previous', '2026-02-28', '2026-02-28'],
    // A period of whole months is compared with whole months.
    ['2026-10-01', '2026-10-31', 'previous', '2026-09-01', '2026-09-30'],
    ['2026-01-01', '2026-03-31', 'previous', '2025-10-01', '2025-12-31'],
    ['2025-01-01', '2025-12-31', 'previous', '2024-01-01', '2024-12-31'],
    // The earlier period of a report has the same days as the chosen one, a year before.
    ['2026-10-05', '2026-10-11', 'year', '2025-10-05', '2025-10-11'],
    ['2024-02-29', '2024-02-29', 'year', '2023-02-28', '2023-02-28'],
    ['2025-12-30', '2026-01-02', 'year', '2024-12-30', '2025-01-02'],
    // The earlier period of a report has the same weekdays, in whole weeks before.
    ['2026-11-11', '2026-11-11', 'weekday', '2026-11-04', '2026-11-04'],
    ['2026-11-09', '2026-11-11', 'weekday', '2026-11-02', '2026-11-04'],
    ['2026-10-01', '2026-10-31', 'weekday', '2026-08-27', '2026-09-26'],
  ] as const)(
    'compares the days from %s to %s with the earlier period of the kind “%s”',
    (from, to, compare, compareFrom, compareTo) => {
      expect(period(from, to, compare)).toMatchObject({ compareFrom, compareTo, partial: false })
      expect(period(from, to, compare).before).toEqual({
        from: `${compareFrom} 00:00:00`,
        until: `${addDays(compareTo, 1)} 00:00:00`,
      })
    },
  )
  it('returns no earlier period unless a comparison is requested', () => {
    expect(period('2026-10-05', '2026-10-11', 'none')).toMatchObject({
      compareFrom: null,
      compareTo: null,
      before: null,
    })
  })
  it('limits the earlier period to as much as has passed of an unfinished period', () => {
    expect(period('2026-11-01', '2026-11-30')).toMatchObject({
      partial: true,
      now: { from: '2026-11-01 00:00:00', until: '2026-11-18 15:30:00.000' },
      before: { from: '2026-10-01 00:00:00', until: '2026-10-18 15:30:00.000' },
    })
    expect(period('2026-11-12', '2026-11-18').before).toEqual({
      from: '2026-11-05 00:00:00',
      until: '2026-11-11 15:30:00.000',
    })
    // The last day of a longer month has passed when the shorter month of the report is over.
    expect(
      periodOf(
        { from: '2026-03-01', to: '2026-03-31', compare: 'previous' },
        { day: '2026-03-31', time: '10:00:00.000' },
      ).before?.until,
    ).toBe('2026-02-28 10:00:00.000')
  })
  it('returns an empty range for a period that has not begun', () => {
    const { now, before, buckets, partial } = period('2026-12-01', '2026-12-31', 'previous', 'week')
    expect(now.from).toBe(now.until)
    expect(before?.from).toBe(before?.until)
    expect(partial).toBe(true)
    expect(buckets.every(({ isAhead: isFuture }) => isFuture)).toBe(true)
  })
  it('compares the first minutes of a month with those of the earlier month', () => {
    const firstPeriod = periodOf(
      { from: '2026-11-01', to: '2026-11-30', compare: 'previous' },
      { day: '2026-11-01', time: '00:05:00.000' },
    )
    expect([firstPeriod.now.until, firstPeriod.before?.until]).toEqual([
      '2026-11-01 00:05:00.000',
      '2026-10-01 00:05:00.000',
    ])
  })
})

describe('the buckets of a period', () => {
  const spans = (from: string, to: string, interval: ReportInterval) =>
    period(from, to, 'none', interval).buckets.map((bucket) => [bucket.from, bucket.until, bucket.partial])

  it('divides a period into weeks from Monday, and marks a week as partial when the period cuts it', () => {
    expect(spans('2026-10-07', '2026-10-20', 'week')).toEqual([
      ['2026-10-07', '2026-10-12', true],
      ['2026-10-12', '2026-10-19', false],
      ['2026-10-19', '2026-10-21', true],
    ])
    expect(spans('2026-10-05', '2026-10-11', 'week')).toEqual([['2026-10-05', '2026-10-12', false]])
  })
  it('divides a single day into one partial week', () => {
    expect(spans('2026-10-07', '2026-10-07', 'week')).toEqual([['2026-10-07', '2026-10-08', true]])
    expect(spans('2026-10-07', '2026-10-07', 'day')).toEqual([['2026-10-07', '2026-10-08', false]])
  })
  it('divides a period into months, also over a leap year', () => {
    expect(spans('2024-01-15', '2024-03-31', 'month')).toEqual([
      ['2024-01-15', '2024-02-01', true],
      ['2024-02-01', '2024-03-01', false],
      ['2024-03-01', '2024-04-01', false],
    ])
  })
  it('marks buckets of a period as partial before they have passed', () => {
    const { buckets } = period('2026-11-16', '2026-11-20', 'none', 'day')
    expect(buckets.map(({ partial }) => partial)).toEqual([false, false, true, true, true])
    expect(buckets.map(({ isAhead: isFuture }) => isFuture)).toEqual([false, false, false, true, true])
  })
  it('covers each day exactly once with the buckets of a period', () => {
    for (const interval of ['day', 'week', 'month'] as const) {
      const { buckets } = period('2023-12-14', '2026-02-03', 'none', interval)
      expect(buckets[0]?.from).toBe('2023-12-14')
      expect(buckets.at(-1)?.until).toBe('2026-02-04')
      for (const [index, { from }] of buckets.slice(1).entries()) expect(from).toBe(buckets[index]?.until)
    }
  })
  it('compares a bucket with the same day of the earlier month, if that day exists', () => {
    const { buckets } = period('2026-03-01', '2026-03-31', 'previous', 'day')
    expect(buckets[27]?.before).toEqual({ from: '2026-02-28', until: '2026-03-01' })
    expect(buckets[28]?.before).toBeNull()
    expect(period('2026-01-01', '2026-06-30', 'previous', 'month').buckets[1]?.before).toEqual({
      from: '2025-08-01',
      until: '2025-09-01',
    })
  })
  it.each([
    ['2026-03-01', '2026-03-31'],
    ['2026-04-01', '2026-06-30'],
    ['2024-01-01', '2024-12-31'],
  ])('compares each earlier day from %s to %s with one week at most', (from, to) => {
    for (const compare of ['previous', 'year'] as const) {
      const { buckets } = period(from, to, compare, 'week')
      const earlierSpans = buckets.map(({ before }) => before)
      for (const [index, days] of earlierSpans.slice(1).entries())
        expect(days?.from.localeCompare(earlierSpans[index]?.until ?? '')).not.toBe(-1)
    }
  })
  it('chooses buckets of a readable length by default', () => {
    expect(period('2026-10-01', '2026-10-28').interval).toBe('day')
    expect(period('2026-06-01', '2026-10-28').interval).toBe('week')
    expect(period('2025-10-01', '2026-10-28').interval).toBe('month')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Calendar } from './calendar.ts'

const day = 86_400_000
const days = fc.integer({ min: Date.UTC(2020, 0, 1) / day, max: Date.UTC(2040, 0, 1) / day })
const dayText = (count: number) => new Date(count * day).toISOString().slice(0, 10)

describe('the calendar of a seed', () => {
  it('lists the Mondays before the day of a seed, never the day itself', () => {
    expect(new Calendar('2026-11-25').mondays(3)).toEqual(['2026-11-09', '2026-11-16', '2026-11-23'])
    expect(new Calendar('2026-11-23').mondays(1)).toEqual(['2026-11-16'])
    expect(new Calendar('2026-11-22').mondays(1)).toEqual(['2026-11-16'])
  })

  it('returns a time of a day before the seed', () => {
    expect(new Calendar('2026-03-01').before(1, '09:30')).toBe('2026-02-28T04:30:00.000Z')
    expect(new Calendar('2026-03-01').onDayBefore(2, '2026-10-05T12:15:00+05:00')).toBe('2026-02-27T07:15:00.000Z')
  })

  it('finds the last spring before the seed, and past days of the current month', () => {
    const dayOf = (seed: string, month: number, date: number) => {
      const calendar = new Calendar(seed)
      return calendar.dayBefore(calendar.daysSince(month, date))
    }
    expect(dayOf('2026-11-25', 4, 12)).toBe('2026-04-12')
    expect(dayOf('2026-11-25', 11, 12)).toBe('2026-11-12')
    expect(dayOf('2026-11-05', 11, 12)).toBe('2026-11-04')
    expect(dayOf('2026-11-01', 11, 12)).toBe('2025-11-12')
    expect(dayOf('2027-01-08', 12, 20)).toBe('2026-12-20')
    expect(dayOf('2027-01-08', 2, 20)).toBe('2026-02-20')
  })

  it('finds the last date of a requested month and day, at most a year before the seed', () => {
    const months = fc.integer({ min: 1, max: 12 })
    const dates = fc.integer({ min: 1, max: 28 })
    fc.assert(
      fc.property(days, months, dates, (seed, month, date) => {
        const calendar = new Calendar(dayText(seed))
        const daysBackInTime = calendar.daysSince(month, date)
        expect(Number(calendar.dayBefore(daysBackInTime).slice(5, 7))).toBe(month)
        expect(daysBackInTime).toBeGreaterThan(0)
        expect(daysBackInTime).toBeLessThanOrEqual(366)
      }),
    )
  })

  it('moves times by whole weeks until the newest one is within seven days before the seed', () => {
    fc.assert(
      fc.property(days, fc.array(days, { minLength: 1, maxLength: 8 }), (seed, dayCounts) => {
        const moments = dayCounts.map((count) => `${dayText(count)}T08:15:00+05:00`)
        const moveDate = new Calendar(dayText(seed)).mover(moments)
        const shifts = new Set(moments.map((moment) => Date.parse(moveDate(moment)) - Date.parse(moment)))
        expect(shifts.size).toBe(1)
        expect(Math.abs(([...shifts][0] ?? 1) % (7 * day))).toBe(0)
        const newestTime = Math.max(...moments.map((moment) => Date.parse(moveDate(moment))))
        const timeBefore = seed * day - newestTime
        expect(timeBefore).toBeGreaterThan(0)
        expect(timeBefore).toBeLessThan(7 * day)
      }),
    )
  })
})

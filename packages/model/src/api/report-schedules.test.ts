import { describe, expect, it } from 'vitest'
import { lastSendingDay, nextSendingDay, type SendingRule } from './report-schedules.ts'

const weekly = (weekday: number, hour = 8): SendingRule => ({ weekday, month_day: null, hour })
const monthly = (day: number, hour = 8): SendingRule => ({ weekday: null, month_day: day, hour })

describe('nextSendingDay', () => {
  it.each([
    ['a later day of the week', weekly(3), '2026-11-28', 12, '2026-12-02'],
    ['today before its hour', weekly(6), '2026-11-28', 7, '2026-11-28'],
    ['a week later in its hour', weekly(6), '2026-11-28', 8, '2026-12-05'],
    ['Sunday as the seventh day', weekly(7), '2026-11-28', 12, '2026-11-29'],
    ['a later day of the month', monthly(30), '2026-11-28', 12, '2026-11-30'],
    ['the next month', monthly(1), '2026-12-01', 8, '2027-01-01'],
    ['the last day of a shorter month', monthly(31), '2027-01-31', 9, '2027-02-28'],
    ['the leap day', monthly(30), '2028-01-30', 9, '2028-02-29'],
    ['midnight', monthly(1, 0), '2026-11-30', 23, '2026-12-01'],
  ])('returns %s', (_name, rule, day, hour, expected) => {
    expect(nextSendingDay(rule, { day, hour })).toBe(expected)
  })
})

describe('lastSendingDay', () => {
  it.each([
    ['an earlier day of the week', weekly(1), '2026-11-28', 12, '2026-11-23'],
    ['today in its hour', weekly(6), '2026-11-28', 8, '2026-11-28'],
    ['a week before, before its hour', weekly(6), '2026-11-28', 7, '2026-11-21'],
    ['the month before', monthly(30), '2026-11-28', 12, '2026-10-30'],
    ['the last day of a shorter month', monthly(31), '2027-03-01', 12, '2027-02-28'],
  ])('returns %s', (_name, rule, day, hour, expected) => {
    expect(lastSendingDay(rule, { day, hour })).toBe(expected)
  })
})

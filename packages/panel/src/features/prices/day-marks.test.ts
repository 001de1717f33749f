import { describe, expect, it } from 'vitest'
import { daysAfter, markOf, weeksUpTo } from './day-marks.ts'

const record = (state: string, filledCount: number, carriedCount = 0) => ({
  id: 1,
  state,
  coverage: { expected: 10, filled: filledCount, carried: carriedCount, flagged: 0 },
})

describe('markOf', () => {
  it.each([
    [undefined, 'none'],
    [record('draft', 10), 'draft'],
    [record('checking', 3), 'checking'],
    [record('published', 10), 'published'],
    [record('published', 8, 2), 'published'],
    [record('published', 8, 1), 'gaps'],
  ] as const)('marks in the calendar the day of %o', (entry, mark) => expect(markOf(entry)).toBe(mark))
})

describe('weeksUpTo', () => {
  it('starts weeks of the calendar on Monday and ends with the week of the day, across months and years', () => {
    const weeks = weeksUpTo('2026-01-01', 2)
    expect(weeks.map((week) => [week[0], week[6]])).toEqual([
      ['2025-12-22', '2025-12-28'],
      ['2025-12-29', '2026-01-04'],
    ])
    expect(weeksUpTo('2026-11-22', 1)[0]?.[6]).toBe('2026-11-22')
    expect(daysAfter('2026-03-01', -1)).toBe('2026-02-28')
  })
})

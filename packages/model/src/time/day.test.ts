import { describe, expect, it } from 'vitest'
import { isDay } from './day.ts'

describe('isDay', () => {
  it.each([
    ['2028-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['0000-01-01', false],
    ['2026-1-1', false],
    ['2026-01-01T00:00', false],
  ])('decides whether %s is a day: %s', (text, expected) => expect(isDay(text)).toBe(expected))
})

import { describe, expect, it } from 'vitest'
import { type MonthlyPrice, seasonOf } from './season.ts'

/**
 * Makes monthly prices that grow by 4 % from March to June each year and fall back; `last` is the price of
 * the last June.
 */
function years(count: number, lastValue: number): MonthlyPrice[] {
  return Array.from({ length: count }, (_, index) => 2026 - count + 1 + index).flatMap((year) => [
    { month: `${year}-03`, value: 1000 },
    { month: `${year}-06`, value: year === 2026 ? lastValue : 1040 },
  ])
}

describe('seasonOf', () => {
  it('rates a usual season of a price as usual, whatever its growth', () => {
    expect(seasonOf('2026-06', years(4, 1040))).toMatchObject({ level: 'usual', years: 3 })
  })

  it('warns of a growth in the season that past years did not have', () => {
    expect(seasonOf('2026-06', years(4, 1300))).toMatchObject({ level: 'abnormal' })
    expect(seasonOf('2026-06', years(4, 1060))).toMatchObject({ level: 'watch' })
  })

  it('returns no season of a price with fewer than two years to compare with, or without the month itself', () => {
    expect(seasonOf('2026-06', years(2, 1300))).toBeNull()
    expect(seasonOf('2026-07', years(4, 1300))).toBeNull()
    expect(seasonOf('2026-06', years(3, 1300))).toMatchObject({ years: 2 })
  })

  it('does not count a fall of a price as a warning', () => {
    expect(seasonOf('2026-06', years(4, 800))).toMatchObject({ level: 'usual' })
  })
})

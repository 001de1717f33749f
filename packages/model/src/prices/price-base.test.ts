import { describe, expect, it } from 'vitest'
import { basePrice } from './price-base.ts'

describe('the price of a base unit', () => {
  it.each<[number, unknown, number | null]>([
    [4_000_000, 1000, 4000],
    [1, 3, 0.3333],
    [2, 3, 0.6667],
    [0.01, 8, 0.0013],
    [5, null, null],
  ])('of %d by %j is %j', (price, factor, wanted) => {
    expect(basePrice(price, factor)).toBe(wanted)
  })
})

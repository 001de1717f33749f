import { describe, expect, it } from 'vitest'
import { basePrice } from './price-base.ts'

describe('basePrice', () => {
  it.each<[number, unknown, number | null]>([
    [4_000_000, 1000, 4000],
    [1, 3, 0.3333],
    [2, 3, 0.6667],
    [0.01, 8, 0.0013],
    [5, null, null],
  ])('converts the price %d with the factor %j to the base price %j', (price, factor, expected) => {
    expect(basePrice(price, factor)).toBe(expected)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EnteredPrice, judgePrice, mustBeConfirmed, paramsOfFlag, type PriceHistory } from './price-check.ts'

const kilogram = (price: number, price_max: number | null = null): EnteredPrice => ({ price, price_max, factor: 1 })
const steadyPrices = [4100, 4000, 4200, 4100, 4000, 4100, 4050, 4150]
const history = (overrides: Partial<PriceHistory> = {}): PriceHistory => ({
  values: steadyPrices,
  level: 'district',
  unchanged: 1,
  neighbours: [],
  units: [{ name: { en: 't', ru: 'т' }, factor: 1000 }],
  ...overrides,
})

/** Prices of eight days, none more than a twentieth from their median. */
const days = fc
  .tuple(
    fc.integer({ min: 50, max: 500_000 }),
    fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 8, maxLength: 8 }),
  )
  .map(([middlePrice, moves]) => ({
    middle: middlePrice,
    values: moves.map((move) => middlePrice * (1 + move / 1000)),
  }))

describe('judgePrice', () => {
  it('accepts any price within the spread of the last prices', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 7 }), ({ values }, index) => {
        expect(judgePrice(kilogram(values[index] ?? 0), history({ values }))).toBeUndefined()
      }),
    )
  })

  it('recognises every slip of the decimal places and suggests the intended price', () => {
    fc.assert(
      fc.property(days, fc.constantFrom(10, 100, 1000), ({ middle, values }, factor) => {
        const higherReview = judgePrice(kilogram(middle * factor), history({ values }))
        expect(higherReview).toMatchObject({ severity: 'confirm', code: 'price.slip-more', factor })
        expect(higherReview?.suggestion?.price).toBeCloseTo(middle, 1)
        const lowerReview = judgePrice(kilogram(middle / factor), history({ values }))
        expect(lowerReview).toMatchObject({ severity: 'confirm', code: 'price.slip-less', factor })
      }),
    )
  })

  it('judges a price alike in whatever units it and its history are written', () => {
    fc.assert(
      fc.property(days, fc.double({ min: 0.05, max: 20, noNaN: true }), ({ middle, values }, times) => {
        const kilogramReview = judgePrice(kilogram(middle * times), history({ values }))
        const tonneReview = judgePrice(
          { price: middle * times * 1000, price_max: null, factor: 1000 },
          history({ values }),
        )
        expect(tonneReview?.severity).toBe(kilogramReview?.severity)
      }),
    )
  })

  it('never lowers the severity for a price further from the usual one', () => {
    const severityRank = { confirm: 2, look: 1 } as const
    const severity = (price: number, values: number[]) => {
      const flag = judgePrice(kilogram(price), history({ values }))
      return flag ? severityRank[flag.severity] : 0
    }
    fc.assert(
      fc.property(days, fc.double({ min: 1.2, max: 9, noNaN: true }), ({ middle, values }, times) => {
        expect(severity(middle * times * 1.5, values)).toBeGreaterThanOrEqual(severity(middle * times, values))
      }),
    )
  })

  it('flags a price change of a fifth for a review, and of a half for a confirmation', () => {
    expect(judgePrice(kilogram(5000), history())).toMatchObject({ severity: 'look', code: 'price.far', median: 4100 })
    expect(judgePrice(kilogram(6200), history())).toMatchObject({ severity: 'confirm', code: 'price.far', count: 8 })
  })

  it('recognises the price of another unit', () => {
    const sackHistory = history({ units: [{ name: { en: 'sack' }, factor: 50 }] })
    expect(judgePrice(kilogram(205_000), sackHistory)).toMatchObject({
      code: 'price.slip-unit',
      unit: { en: 'sack' },
      suggestion: { price: 4100 },
    })
  })

  it('recognises an upper limit of a price with an extra zero', () => {
    expect(judgePrice(kilogram(4000, 42_000), history())).toMatchObject({
      severity: 'confirm',
      suggestion: { price: 4000, price_max: 4200 },
    })
  })

  it('flags only a fivefold price difference when fewer than four prices are known', () => {
    const shortHistory = history({ values: [4000, 4100], level: 'country' })
    expect(judgePrice(kilogram(8000), shortHistory)).toBeUndefined()
    expect(judgePrice(kilogram(400_000), shortHistory)).toMatchObject({ severity: 'confirm', factor: 100 })
  })

  it('accepts the very first price of a product', () => {
    expect(judgePrice(kilogram(4000), history({ values: [] }))).toBeUndefined()
  })

  it('flags the fourteenth day with the same price for a review', () => {
    const equalPrices = Array.from({ length: 8 }, () => 4100)
    expect(judgePrice(kilogram(4100), history({ values: equalPrices, unchanged: 12 }))).toBeUndefined()
    expect(judgePrice(kilogram(4100), history({ values: equalPrices, unchanged: 13 }))).toMatchObject({
      severity: 'look',
      code: 'price.unchanged',
    })
  })

  it('compares a price with neighbouring districts only without enough history of its own', () => {
    const neighbours = [9000, 9100, 9050, 8900]
    expect(judgePrice(kilogram(4100), history({ neighbours }))).toBeUndefined()
    expect(judgePrice(kilogram(4100), history({ neighbours, values: [] }))).toMatchObject({
      severity: 'look',
      code: 'price.neighbours',
      neighbours: { min: 8900, max: 9100 },
    })
  })
})

describe('the stored flag of a price', () => {
  it('requires a confirmation of a flagged price unless the flag only asks for a review', () => {
    expect(mustBeConfirmed({ state: 'check', flag: null })).toBe(true)
    expect(mustBeConfirmed({ state: 'check', flag: { severity: 'confirm' } })).toBe(true)
    expect(mustBeConfirmed({ state: 'check', flag: { severity: 'look' } })).toBe(false)
    expect(mustBeConfirmed({ state: 'confirmed', flag: { severity: 'confirm' } })).toBe(false)
  })

  it("fills the message of a price flag in the user's language, or in another that exists", () => {
    const unit = { en: 't', ru: 'т' }
    expect(paramsOfFlag({ unit }, 'ru')).toEqual({ days: 14, unit: 'т' })
    expect(paramsOfFlag({ unit, factor: 10 }, 'kaa')).toEqual({ days: 14, unit: 't', factor: 10 })
  })
})

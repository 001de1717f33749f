/** The rule of sample prices (`priceList.algorithm` of the samples): day and district decide a price. */
import reference from './data/reference.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import { drawOf } from './draws.ts'

const { priceList } = samples

/** A product of the samples with the range of its prices. */
export type PricedProduct = (typeof priceList.products)[number]

/** The products that have sample prices. */
export const pricedProducts: readonly PricedProduct[] = priceList.products

/** The districts that have sample prices from the first start on. */
export const firstDistricts: readonly string[] = priceList.districts

/** The currency of all sample prices. */
export const { currency } = priceList

/** Returns the factor of a district's sample prices compared with the average price. */
function districtFactor(code: string): number {
  const declaredFactor = Object.entries<number>(priceList.districtFactor).find(
    ([districtCode]) => districtCode === code,
  )?.[1]
  return declaredFactor ?? 0.93 + drawOf('district', code) * 0.16
}

/** Returns the sample price of a product in a district on a day. */
export function priceOn(date: string, range: PricedProduct, district: string): number {
  const { product, min, max, seasonLowMonth, roundTo } = range
  const swingShare = ((max - min) / (max + min)) * 0.8
  const monthsAfterLow = Number(date.slice(5, 7)) + Number(date.slice(8)) / 31 - 0.5 - (seasonLowMonth ?? 0)
  const season = seasonLowMonth === null ? 1 : 1 - swingShare * Math.cos((2 * Math.PI * monthsAfterLow) / 12)
  const noiseFactor = 1 + (drawOf('price', date, product, district) - 0.5) * 0.08
  const price = ((min + max) / 2) * season * districtFactor(district) * noiseFactor
  return Math.round(Math.min(Math.max(price, min * 0.9), max * 1.15) / roundTo) * roundTo
}

/** Returns the sample price of one base unit; null for units without a fixed size. */
export function perBaseUnit(price: number, unit: string): number | null {
  const factor = reference.units.find(({ code }) => code === unit)?.factor
  return factor ? Math.round((price / factor) * 10_000) / 10_000 : null
}

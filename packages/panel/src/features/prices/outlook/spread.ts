/** The prices of one product by district, from the highest to the lowest. */
import type { PriceChange, PriceChanges } from '@dala/model'

export interface PlacedPrice {
  /** Id of the district with the price. */
  id: number
  name: string
  lat: number | null
  lng: number | null
  value: number
  isCarried: boolean
  row: PriceChange
}

export interface PriceSpread {
  low: number
  median: number
  highPrice: number
  lowDistrict: string
  highDistrict: string
  n: number
}

/** Districts that have a price. */
export function placedPrices({ rows, districts }: PriceChanges): PlacedPrice[] {
  const districtsById = new Map(districts.map((district) => [district.id, district]))
  return rows
    .flatMap((row) => {
      const priceDistrict = districtsById.get(row.district)
      return priceDistrict && row.value !== null
        ? [{ ...priceDistrict, value: row.value, isCarried: row.carried, row }]
        : []
    })
    .toSorted((a, b) => b.value - a.value)
}

/**
 * The spread of prices without carried ones, as the server calculates it; null where all prices are carried.
 */
export function computePriceSpread({ products, districts }: PriceChanges): PriceSpread | null {
  const [product] = products
  if (!product || product.low === null || product.median === null || product.high === null) return null
  const nameOf = (id: number | null) => districts.find((district) => district.id === id)?.name ?? ''
  const { low, median, high, n } = product
  return {
    low,
    median,
    highPrice: high,
    n,
    lowDistrict: nameOf(product.low_district),
    highDistrict: nameOf(product.high_district),
  }
}

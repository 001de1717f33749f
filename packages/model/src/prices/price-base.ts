/** Prices of one base unit: a litre, a kilogram, a piece. */

/** Maximum that the column of the base price can store. */
export const maxBasePrice = 10_000_000_000

/**
 * Converts a price to one base unit, rounding halves away from zero as the database does.
 *
 * @param price - With at most two decimal places.
 * @param factor - Base units in the unit of the price, with at most six decimal places; without one the unit
 *   is never converted.
 * @returns The price with four decimal places, or null for a unit that is never converted.
 * @example
 * basePrice(45_000, 50) // 900
 */
export function basePrice(price: number, factor: unknown): number | null {
  if (typeof factor !== 'number' || factor <= 0) return null
  const [hundredths, millionths] = [BigInt(Math.round(price * 100)), BigInt(Math.round(factor * 1_000_000))]
  const tenThousandths = (hundredths * 100_000_000n * 2n + millionths) / (millionths * 2n)
  return Number(tenThousandths) / 10_000
}

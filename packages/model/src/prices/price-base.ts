/** The price of one base unit: a litre, a kilogram, a piece. */

/** The limit of the base price's column. */
export const maxBasePrice = 10_000_000_000

/**
 * Works out the price of one base unit, halves away from zero as the database rounds them.
 *
 * @param price - In hundredths at most.
 * @param factor - Base units that the unit of the price holds, in millionths at most; none: it is never converted.
 * @returns The price in ten-thousandths, or null for a unit that is never converted.
 */
export function basePrice(price: number, factor: unknown): number | null {
  if (typeof factor !== 'number' || factor <= 0) return null
  const [hundredths, millionths] = [BigInt(Math.round(price * 100)), BigInt(Math.round(factor * 1_000_000))]
  const tenThousandths = (hundredths * 100_000_000n * 2n + millionths) / (millionths * 2n)
  return Number(tenThousandths) / 10_000
}

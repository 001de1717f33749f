/** The limits of the price table of a day (market §5). */

export const priceMarkets = ['retail', 'wholesale'] as const
export type PriceMarket = (typeof priceMarkets)[number]

/** Products in one answer; a category narrows a longer table. */
export const maxGridProducts = 300
/** Districts in one call. */
export const maxGridDistricts = 60
/** Cells in one call. */
export const maxGridCells = 500

/** The limits of the table of a day (market §5). */

export const priceMarkets = ['retail', 'wholesale'] as const
export type PriceMarket = (typeof priceMarkets)[number]

/** Products of one answer; a category narrows a longer table. */
export const maxGridProducts = 300
/** Districts that one call may name. */
export const maxGridDistricts = 60
/** Cells of one call. */
export const maxGridCells = 500

/** The limits of the price table of a day (market §5). */

export const priceMarkets = ['retail', 'wholesale'] as const
export type PriceMarket = (typeof priceMarkets)[number]

/** Maximum number of products in one price table; a category narrows a longer one. */
export const maxGridProducts = 300
/** Maximum number of districts in one price table. */
export const maxGridDistricts = 60
/** Maximum number of cells of the price table in one call. */
export const maxGridCells = 500

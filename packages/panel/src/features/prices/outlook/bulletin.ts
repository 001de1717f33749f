/** The changes of a week as a bulletin shows them, limited to one page. */
import type { ChangedProduct, PriceChanges } from '@dala/model'

/** Number of the bulletin's table lines that fit on one A4 page. */
export const maxProducts = 36
const maxMovers = 5

export interface MovedPrice {
  product: string
  district: string
  change: number
}

interface Bulletin {
  /** Products of the bulletin that have a price of the day. */
  products: ChangedProduct[]
  /** Number of products that do not fit on the page of the bulletin. */
  more: number
  /** Price changes of the bulletin that are not steady, the largest first. */
  risenPrices: MovedPrice[]
  fallenPrices: MovedPrice[]
}

export function bulletinOf({ products, districts, rows }: PriceChanges): Bulletin {
  const pricedProducts = products.filter(({ n }) => n > 0)
  const nameOf = (list: readonly { id: number; name: string }[], id: number) =>
    list.find((listEntry) => listEntry.id === id)?.name ?? ''
  const movers = rows.flatMap((row): MovedPrice[] => {
    if (row.change_pct === null || row.band === 'steady') return []
    return [
      { product: nameOf(products, row.product), district: nameOf(districts, row.district), change: row.change_pct },
    ]
  })
  return {
    products: pricedProducts.slice(0, maxProducts),
    more: Math.max(0, pricedProducts.length - maxProducts),
    risenPrices: movers.filter(({ change }) => change > 0).slice(0, maxMovers),
    fallenPrices: movers.filter(({ change }) => change < 0).slice(0, maxMovers),
  }
}

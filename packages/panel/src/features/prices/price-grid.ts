/** The table of a day as the server gives it (product/market.md §5), and what can be said of it without the server. */
import type { Locale } from '@dala/model'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

interface Named {
  id: number
  name: string
}

export interface GridProduct extends Named {
  unit: Named | null
}

/** A price as it stands: what a table shows and an edit starts from. */
export interface Figures {
  price: number | null
  price_max: number | null
  version: number | null
}

export interface GridCell extends Figures {
  product: number
  district: number
  id: number | null
  unit: number | null
  state: string | null
  origin: string | null
  note: string | null
  prev: { price: number; unit: number; date: string } | null
  change_pct: number | null
}

export interface Grid {
  data: {
    pricedate: { id: number; date: string; state: string; version: number }
    region: number | null
    districts: Named[]
    products: GridProduct[]
    cells: GridCell[]
  }
  meta: { regions: Named[]; categories: Named[]; more: boolean }
}

export const markets = ['retail', 'wholesale'] as const
export type Market = (typeof markets)[number]

export interface GridAsk {
  pricedate: number
  region: string | undefined
  category: string | undefined
  market: Market
}

/** The table of a day: one call, names in the reader's language. */
export function gridQuery({ pricedate, region, category, market }: GridAsk, locale: Locale) {
  const query = { pricedate, region, category, market_type: market, locale }
  return queryOptions({
    queryKey: ['resource', 'pricelists', 'grid', query],
    queryFn: ({ signal }) => call<Grid>('GET', '/pricelists/grid', { query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
}

/** The name of a cell within its day: one price of a product in a district, retail or wholesale. */
export const cellKey = (market: Market, product: number, district: number): string => `${market}/${product}/${district}`

/** The cells of a table by name. */
export function cellsByKey({ data }: Grid, market: Market): ReadonlyMap<string, GridCell> {
  return new Map(data.cells.map((cell) => [cellKey(market, cell.product, cell.district), cell]))
}

/** The change against the published day before, in percent with one digit; null where the two cannot be compared. */
export function changeOf(price: number | null, unit: number | null, prev: GridCell['prev']): number | null {
  if (price === null || !prev || prev.price <= 0 || prev.unit !== unit) return null
  return Math.round((price / prev.price - 1) * 1000) / 10
}

/** How far a table is: cells with a price, of those that have one or had one on the published day before. */
export function progressOf(cells: readonly Pick<GridCell, 'price' | 'prev'>[]) {
  const filled = cells.filter(({ price }) => price !== null).length
  const expected = cells.filter(({ price, prev }) => price !== null || prev !== null).length
  return { filled, expected }
}

export interface Position {
  row: number
  column: number
}

/**
 * The next place that waits for something, row by row behind a position and then from the top.
 * In: the size of the table, where the reader stands, and what is looked for.
 */
export function nextPlace(
  { rows, columns }: { rows: number; columns: number },
  { row, column }: Position,
  isWanted: (place: Position) => boolean,
): Position | undefined {
  const [total, start] = [rows * columns, row * columns + column]
  for (let step = 1; step <= total; step += 1) {
    const place = (start + step + total) % total
    const found = { row: Math.floor(place / columns), column: place % columns }
    if (isWanted(found)) return found
  }
  return undefined
}

/** The table of a day as the server gives it (market §5), and what can be said of it without the server. */
import { type Locale, mustBeConfirmed, type PriceMarket } from '@dala/model'
import type { GridAnswer, GridCell } from '@dala/model/api/prices'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

/** A price as it is stored: what a table shows and an edit starts from. */
export type Figures = Pick<GridCell, 'price' | 'price_max' | 'version'>

/** Figures with what became of them. */
export type Standing = Figures & Pick<GridCell, 'state' | 'origin' | 'flag'>

export interface GridAsk {
  pricedate: number
  region: string | undefined
  category: string | undefined
  market: PriceMarket
}

/** The table of a day: one call, names in the reader's language. */
export function gridQuery({ pricedate, region, category, market }: GridAsk, locale: Locale) {
  const query = { pricedate, region, category, market_type: market, locale }
  return queryOptions({
    queryKey: ['resource', 'pricelists', 'grid', query],
    queryFn: ({ signal }) => callRoute('GET /api/pricelists/grid', { query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
}

/** The name of a cell within its day: one price of a product in a district, retail or wholesale. */
export const cellKey = (market: PriceMarket, product: number, district: number): string =>
  `${market}/${product}/${district}`

/** The cells of a table by name. */
export function cellsByKey({ data }: GridAnswer, market: PriceMarket): ReadonlyMap<string, GridCell> {
  return new Map(data.cells.map((cell) => [cellKey(market, cell.product, cell.district), cell]))
}

/** The change against the published day before, in percent with one digit; null where the two cannot be compared. */
export function changeOf(price: number | null, unit: number | null, prev: GridCell['prev']): number | null {
  if (price === null || !prev || prev.price <= 0 || prev.unit !== unit) return null
  return Math.round((price / prev.price - 1) * 1000) / 10
}

/** What a saved price is to its reader: `confirm` blocks publishing, `look` does not, `gap` had a price the day before. */
export type CellKind = 'entered' | 'carried' | 'look' | 'confirm' | 'gap' | 'none' | 'closed'

export function kindOf(figures: Standing, prev: GridCell['prev'], isClosed: boolean): CellKind {
  if (figures.price === null) return isClosed ? 'closed' : prev ? 'gap' : 'none'
  if (figures.state === 'check') return mustBeConfirmed(figures) ? 'confirm' : 'look'
  return figures.origin === 'carried' ? 'carried' : 'entered'
}

export type Tally = Record<CellKind, number>

/** How many cells of a table are of each kind. */
export function tallyOf(kinds: Iterable<CellKind>): Tally {
  const tally: Tally = { entered: 0, carried: 0, look: 0, confirm: 0, gap: 0, none: 0, closed: 0 }
  for (const kind of kinds) tally[kind] += 1
  return tally
}

/** Cells with a price, and those that have one or had one on the published day before. */
export function progressOf({ entered, carried, look, confirm, gap }: Tally) {
  const filled = entered + carried + look + confirm
  return { filled, expected: filled + gap }
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

/** What a table is for; `correct`: the day is published, and a cell opens the question for a reason. */
export type TableMode = 'edit' | 'read' | 'correct'

/** A block of cells between two corners. */
export interface Block {
  top: number
  bottom: number
  start: number
  end: number
}

export const blockBetween = (one: Position, other: Position): Block => ({
  top: Math.min(one.row, other.row),
  bottom: Math.max(one.row, other.row),
  start: Math.min(one.column, other.column),
  end: Math.max(one.column, other.column),
})

/** The positions of a block, row by row. */
export function* positionsIn({ top, bottom, start, end }: Block): Generator<Position> {
  for (let row = top; row <= bottom; row += 1)
    for (let column = start; column <= end; column += 1) yield { row, column }
}

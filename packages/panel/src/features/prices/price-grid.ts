/** The price table of a day from the server (market §5), and calculations that need no server. */
import { type Locale, mustBeConfirmed, type PriceMarket } from '@dala/model'
import type { GridAnswer, GridCell } from '@dala/model/api/prices'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

/** Stored price of a cell: what the table shows and an edit starts from. */
export type Figures = Pick<GridCell, 'price' | 'price_max' | 'version'>

/** Figures of a price cell with their state, origin and flag. */
export type CellState = Figures & Pick<GridCell, 'state' | 'origin' | 'flag'>

export interface GridRequest {
  pricedate: number
  region: string | undefined
  category: string | undefined
  market: PriceMarket
}

/** Query of the price table of a day: one call, names in the user's language. */
export function gridQuery({ pricedate, region, category, market }: GridRequest, locale: Locale) {
  const query = { pricedate, region, category, market_type: market, locale }
  return queryOptions({
    queryKey: ['resource', 'pricelists', 'grid', query],
    queryFn: ({ signal }) => callRoute('GET /api/pricelists/grid', { query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
}

/** Key of a price cell within its day: one price of a product in a district, retail or wholesale. */
export const cellKey = (market: PriceMarket, product: number, district: number): string =>
  `${market}/${product}/${district}`

/** Cells of a price table by key. */
export function cellsByKey({ data }: GridAnswer, market: PriceMarket): ReadonlyMap<string, GridCell> {
  return new Map(data.cells.map((cell) => [cellKey(market, cell.product, cell.district), cell]))
}

/**
 * Change from the previous published day, in percent with one digit; null where the two prices cannot be
 * compared.
 */
export function changeOf(price: number | null, unit: number | null, previousPrice: GridCell['prev']): number | null {
  if (price === null || !previousPrice || previousPrice.price <= 0 || previousPrice.unit !== unit) return null
  return Math.round((price / previousPrice.price - 1) * 1000) / 10
}

/**
 * Kind of a price cell by its saved price: `confirm` blocks publishing, `look` does not, `gap` had a price
 * the day before.
 */
export type CellKind = 'entered' | 'carried' | 'look' | 'confirm' | 'gap' | 'none' | 'closed'

export function kindOf(figures: CellState, previousPrice: GridCell['prev'], isClosed: boolean): CellKind {
  if (figures.price === null) return isClosed ? 'closed' : previousPrice ? 'gap' : 'none'
  if (figures.state === 'check') return mustBeConfirmed(figures) ? 'confirm' : 'look'
  return figures.origin === 'carried' ? 'carried' : 'entered'
}

export type CellCounts = Record<CellKind, number>

/** Counts the cells of a price table by kind. */
export function tallyOf(kinds: Iterable<CellKind>): CellCounts {
  const tally: CellCounts = { entered: 0, carried: 0, look: 0, confirm: 0, gap: 0, none: 0, closed: 0 }
  for (const kind of kinds) tally[kind] += 1
  return tally
}

/** Number of cells with a price, and of those that have one now or had one on the previous published day. */
export function progressOf({ entered, carried, look, confirm, gap }: CellCounts) {
  const filledCount = entered + carried + look + confirm
  return { filled: filledCount, expected: filledCount + gap }
}

export interface Position {
  row: number
  column: number
}

/**
 * Finds the next position in the price table that matches, row by row behind a position and then from the
 * top.
 *
 * @param size - The size of the table.
 * @param from - The current position.
 * @param wanted - Whether a position matches.
 */
export function nextPlace(
  { rows, columns }: { rows: number; columns: number },
  { row, column }: Position,
  isWanted: (cellPosition: Position) => boolean,
): Position | undefined {
  const [total, start] = [rows * columns, row * columns + column]
  for (let step = 1; step <= total; step += 1) {
    const cellIndex = (start + step + total) % total
    const position = { row: Math.floor(cellIndex / columns), column: cellIndex % columns }
    if (isWanted(position)) return position
  }
  return undefined
}

/** Purpose of a price table; `correct`: the day is published, and a cell opens the correction dialog. */
export type TableMode = 'edit' | 'read' | 'correct'

/** Block of cells between two corners of the price table. */
export interface CellBlock {
  top: number
  bottom: number
  start: number
  end: number
}

export const blockBetween = (corner: Position, oppositeCorner: Position): CellBlock => ({
  top: Math.min(corner.row, oppositeCorner.row),
  bottom: Math.max(corner.row, oppositeCorner.row),
  start: Math.min(corner.column, oppositeCorner.column),
  end: Math.max(corner.column, oppositeCorner.column),
})

/** Positions of a block in the price table, row by row. */
export function* positionsIn({ top, bottom, start, end }: CellBlock): Generator<Position> {
  for (let row = top; row <= bottom; row += 1)
    for (let column = start; column <= end; column += 1) yield { row, column }
}

/** The figures of the map: the value of each tile, and what has no tile. */
import type { MapTile, ReportBreakdown } from '@dala/model'

interface MapArea extends MapTile {
  value: number
}

export interface MapFigures {
  /** Areas of the map, with the largest value first. */
  areas: readonly MapArea[]
  /** Cases of areas that are not on the map, and of no area. */
  off: number
}

const thousand = 1_000

/**
 * Joins the rows of a report's table to the tiles by id. The cases on the map and off it add up to the table.
 *
 * @param table - The table by region or district.
 * @param tiles - The tiles of the map.
 * @param isPerUsers - Whether values are for each 1,000 users of an area; areas without users have 0.
 */
export function mapFigures(
  { rows, not_set: notSet }: ReportBreakdown,
  tiles: readonly MapTile[],
  isPerUsers: boolean,
): MapFigures {
  const tileIds = new Set<ReportBreakdown['rows'][number]['id']>(tiles.map(({ id }) => id))
  const values = new Map(rows.map(({ id, value }) => [id, value ?? 0]))
  const scaleValue = (value: number, users: number | null) =>
    isPerUsers ? (users ? Math.round((value / users) * thousand * 10) / 10 : 0) : value
  return {
    areas: tiles
      .map((tile) => ({ ...tile, value: scaleValue(values.get(tile.id) ?? 0, tile.users) }))
      .toSorted((left, right) => right.value - left.value),
    off: rows.reduce((sum, { id, value }) => (tileIds.has(id) ? sum : sum + (value ?? 0)), notSet?.value ?? 0),
  }
}

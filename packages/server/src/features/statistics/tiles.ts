/** Places areas on a grid of tiles, roughly where they lie, when no shapes of them are known (statistics §7). */

interface Point {
  lat: number
  lng: number
}
export interface Tile {
  /** Column of a tile of the map. */
  x: number
  /** Row of a tile of the map, from the north. */
  y: number
}

/** How much wider than high the grid is, as the country is. */
const proportion = 1.5

/** Returns columns for sorted wishes: as near as possible to them, each one different and in the same order. */
function columnsOf(wishes: readonly number[], width: number): number[] {
  const columns: number[] = []
  for (const wish of wishes) columns.push(Math.max(Math.round(wish), (columns.at(-1) ?? -1) + 1))
  // Those that left the grid on the right push the others back to the left.
  return columns.map((column, index) => Math.min(column, width - (columns.length - index)))
}

/**
 * Places points on a grid: rows of about equal length from north to south, and in each the columns nearest to
 * the longitudes. No two points share a tile.
 *
 * @returns The tiles, in the order of the points.
 */
export function placeTiles(points: readonly Point[]): Tile[] {
  const rowCount = Math.max(1, Math.round(Math.sqrt(points.length / proportion)))
  const width = Math.max(Math.ceil(points.length / rowCount), Math.round(rowCount * proportion))
  const [westEdge, eastEdge] = [Math.min(...points.map(({ lng }) => lng)), Math.max(...points.map(({ lng }) => lng))]
  const wishedColumnOf = ({ lng }: Point) =>
    eastEdge === westEdge ? 0 : ((lng - westEdge) / (eastEdge - westEdge)) * (width - 1)
  const tilesFromNorth = [...points].toSorted((left, right) => right.lat - left.lat)
  const tiles = new Map<Point, Tile>()
  for (let y = 0; y < rowCount; y += 1) {
    const firstIndex = Math.round((y * points.length) / rowCount)
    const row = tilesFromNorth
      .slice(firstIndex, Math.round(((y + 1) * points.length) / rowCount))
      .toSorted((left, right) => left.lng - right.lng)
    const columns = columnsOf(row.map(wishedColumnOf), width)
    for (const [index, point] of row.entries()) tiles.set(point, { x: columns[index] ?? index, y })
  }
  return points.map((point) => tiles.get(point) ?? { x: 0, y: 0 })
}

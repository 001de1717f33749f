/** Target cells of a pasted block, and the values of fill-down. */
import type { Entry } from '@dala/model'
import { type CellPlace, type Grid, rangeOf, findCellAtOffset } from './grid.ts'

export interface PlacedText {
  place: CellPlace
  text: string
}

/**
 * Places a pasted block of texts. A single text fills all selected cells; any other block starts at the first
 * one.
 *
 * @param block - The texts.
 * @param grid - The cells.
 * @param corner - A corner of the selected cells.
 * @param oppositeCorner - The opposite corner.
 * @returns Each text with its cell, and the number of texts without one.
 */
export function placeBlock(
  block: readonly (readonly string[])[],
  grid: Grid,
  corner: CellPlace,
  oppositeCorner: CellPlace,
): { placedTexts: PlacedText[]; droppedCount: number } {
  const range = rangeOf(grid, corner, oppositeCorner)
  const [onlyText] = block.flat()
  if (onlyText !== undefined && block.flat().length === 1) {
    return { placedTexts: range.flat().map((cellPlace) => ({ place: cellPlace, text: onlyText })), droppedCount: 0 }
  }
  const firstCell = range[0]?.[0] ?? corner
  const row = grid.ids.indexOf(firstCell.id)
  const column = grid.names.indexOf(firstCell.name)
  const placedTexts: PlacedText[] = []
  let droppedCount = 0
  for (const [rowOffset, texts] of block.entries()) {
    for (const [columnOffset, text] of texts.entries()) {
      const id = grid.ids[row + rowOffset]
      const name = grid.names[column + columnOffset]
      if (id === undefined || name === undefined) droppedCount += 1
      else placedTexts.push({ place: { id, name }, text })
    }
  }
  return { placedTexts, droppedCount }
}

/**
 * Values of fill-down: the first selected row fills those below; a single row takes the values of the row
 * above it.
 */
export function fillDown(
  grid: Grid,
  corner: CellPlace,
  oppositeCorner: CellPlace,
  entries: readonly Entry[],
): { place: CellPlace; value: unknown }[] {
  const range = rangeOf(grid, corner, oppositeCorner)
  const [firstRow = []] = range
  const cellsAbove = firstRow.map((cellPlace) => findCellAtOffset(grid, cellPlace, -1, 0))
  const [source, rows] = range.length > 1 ? [firstRow, range.slice(1)] : [cellsAbove, range]
  return rows.flatMap((row) =>
    row.flatMap((cellPlace, column) => {
      const sourceCell = source[column]
      if (!sourceCell || sourceCell.id === cellPlace.id) return []
      return [{ place: cellPlace, value: entries.find(({ id }) => id === sourceCell.id)?.[cellPlace.name] }]
    }),
  )
}

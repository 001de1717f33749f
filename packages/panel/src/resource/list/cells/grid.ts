/** The cells of a list's table by record and column, and moves between them. */
import { cellAfter } from '../../../lib/keys/grid-keys.ts'

export interface CellPlace {
  id: number
  name: string
}

/** Move to another cell of the table after a save. */
export type CellMove = 'stay' | 'down' | 'next' | 'back'

export const keyOf = ({ id, name }: CellPlace): string => `${id} ${name}`
export const isSame = (left: CellPlace, right: CellPlace): boolean => left.id === right.id && left.name === right.name

export function cellOf(root: Element, { id, name }: CellPlace): HTMLTableCellElement | null {
  return root.querySelector<HTMLTableCellElement>(`tr[data-row="${id}"] > td[data-field="${CSS.escape(name)}"]`) ?? null
}

/** Finds the cell of the list that contains an element; undefined outside of the records' cells. */
export function placeOf(element: Element | null): CellPlace | undefined {
  const cell = element?.closest<HTMLElement>('td[data-field]')
  const row = cell?.closest<HTMLElement>('tr[data-row]')
  const { field } = cell?.dataset ?? {}
  const { row: id } = row?.dataset ?? {}
  return field !== undefined && id !== undefined ? { id: Number(id), name: field } : undefined
}

/** The visible rows and columns of the table; columns that a narrow window hides are left out. */
export interface Grid {
  ids: readonly number[]
  names: readonly string[]
}

export function gridOf(root: Element): Grid {
  const rows = [...root.querySelectorAll<HTMLElement>('tr[data-row]')]
  const cells = [...(rows[0]?.querySelectorAll<HTMLElement>('td[data-field]') ?? [])]
  return {
    ids: rows.map(({ dataset }) => Number(dataset['row'])),
    names: cells
      .filter((cell) => getComputedStyle(cell).display !== 'none')
      .map(({ dataset }) => dataset['field'] ?? ''),
  }
}

/** Cell of the table at an offset of rows and columns; stops at the edges. */
export function findCellAtOffset(
  { ids, names }: Grid,
  startPlace: CellPlace,
  rows: number,
  columns: number,
): CellPlace {
  const nextCell = cellAfter(ids, names, [ids.indexOf(startPlace.id), names.indexOf(startPlace.name)], [rows, columns])
  return nextCell ? { id: nextCell.row, name: nextCell.column } : startPlace
}

/** Next cell of the table for Tab: after the end of a row, the first cell of the next row. */
export function findNextCell(grid: Grid, startPlace: CellPlace, step: 1 | -1): CellPlace {
  const nextPlace = findCellAtOffset(grid, startPlace, 0, step)
  if (!isSame(nextPlace, startPlace)) return nextPlace
  const row = findCellAtOffset(grid, startPlace, step, 0)
  const name = step > 0 ? grid.names[0] : grid.names.at(-1)
  return row.id === startPlace.id || name === undefined ? startPlace : { id: row.id, name }
}

/** Cells of the table between two corners, row by row. */
export function rangeOf({ ids, names }: Grid, corner: CellPlace, oppositeCorner: CellPlace): CellPlace[][] {
  const span = <T>(items: readonly T[], left: T, right: T) => {
    const [firstIndex = 0, lastIndex = 0] = [items.indexOf(left), items.indexOf(right)].toSorted((a, b) => a - b)
    return firstIndex < 0 ? [] : items.slice(firstIndex, lastIndex + 1)
  }
  const columns = span(names, corner.name, oppositeCorner.name)
  return span(ids, corner.id, oppositeCorner.id).map((id) => columns.map((name) => ({ id, name })))
}

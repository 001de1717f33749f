/** Keys that lead from cell to cell in a table: the same ones in lists and in the preview of an import. */

/** Rows down and columns towards the end of the row. */
export type GridStep = readonly [down: number, across: number]

const ends: Readonly<Record<string, GridStep>> = {
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
}

/**
 * Reads a key as a step.
 *
 * @param key - The key.
 * @param table - The table or a cell of it: where its lines run from right to left, the arrows turn.
 * @param page - Rows of a step of Page Up and Page Down.
 * @returns The step; undefined for keys that lead to no other cell.
 */
export function gridStep(key: string, table: Element, page: number): GridStep | undefined {
  if (key === 'ArrowUp') return [-1, 0]
  if (key === 'ArrowDown') return [1, 0]
  if (key === 'PageUp') return [-page, 0]
  if (key === 'PageDown') return [page, 0]
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return ends[key]
  const isTurned = getComputedStyle(table).direction === 'rtl'
  return [0, (key === 'ArrowRight') === isTurned ? -1 : 1]
}

const within = (index: number, count: number) => Math.max(0, Math.min(count - 1, index))

/**
 * Finds the cell that a step leads to; at an edge it is the last one in its direction.
 *
 * @param rows - The rows in sight.
 * @param columns - The columns in sight.
 * @param from - The indices of the cell.
 * @param step - The step.
 * @returns The row and the column; undefined for a table without cells.
 */
export function cellAfter<Row, Column>(
  rows: readonly Row[],
  columns: readonly Column[],
  [row, column]: readonly [number, number],
  [down, across]: GridStep,
): { row: Row; column: Column } | undefined {
  const nextRow = rows[within(row + down, rows.length)]
  const nextColumn = columns[within(column + across, columns.length)]
  return nextRow === undefined || nextColumn === undefined ? undefined : { row: nextRow, column: nextColumn }
}

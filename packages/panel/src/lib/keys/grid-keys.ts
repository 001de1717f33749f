/** Keys that move between the cells of a table, for lists and for the preview of an import. */

/** Step between the cells of a table: rows down, and columns towards the end of the row. */
export type GridStep = readonly [down: number, across: number]

const edgeSteps: Readonly<Record<string, GridStep>> = {
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
}

/**
 * Converts a key to a step between cells of a table.
 *
 * @param key - The key.
 * @param table - The table or one of its cells: the arrows are reversed in right-to-left lines.
 * @param page - Rows of a Page Up or Page Down step.
 * @returns The step; undefined for other keys.
 */
export function gridStep(key: string, table: Element, page: number): GridStep | undefined {
  if (key === 'ArrowUp') return [-1, 0]
  if (key === 'ArrowDown') return [1, 0]
  if (key === 'PageUp') return [-page, 0]
  if (key === 'PageDown') return [page, 0]
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return edgeSteps[key]
  const isRightToLeft = getComputedStyle(table).direction === 'rtl'
  return [0, (key === 'ArrowRight') === isRightToLeft ? -1 : 1]
}

const clampIndex = (index: number, count: number) => Math.max(0, Math.min(count - 1, index))

/**
 * Finds the cell of a table to which a step leads; the last one in its direction at an edge.
 *
 * @param rows - The visible rows.
 * @param columns - The visible columns.
 * @param from - The indices of the cell.
 * @param step - The step.
 * @returns The row and the column; undefined for an empty table.
 */
export function cellAfter<Row, Column>(
  rows: readonly Row[],
  columns: readonly Column[],
  [row, column]: readonly [number, number],
  [rowStep, columnStep]: GridStep,
): { row: Row; column: Column } | undefined {
  const nextRow = rows[clampIndex(row + rowStep, rows.length)]
  const nextColumn = columns[clampIndex(column + columnStep, columns.length)]
  return nextRow === undefined || nextColumn === undefined ? undefined : { row: nextRow, column: nextColumn }
}

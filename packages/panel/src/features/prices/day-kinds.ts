/** The kinds of many price cells, computed again only when saved figures change. */
import type { GridCell } from '@dala/model/api/prices'
import type { CellEdits } from './cell-edits.ts'
import { type CellKind, kindOf } from './price-grid.ts'

interface KnownCell {
  key: string
  cell: GridCell | undefined
  isClosed: boolean
}

/**
 * Creates a function that computes the kinds of some price cells.
 *
 * @param edits - The edits of the day.
 * @param cells - The cells as the table was loaded.
 * @returns A function that returns the kinds in the order of the cells: the same list until saved figures
 *   change.
 */
export function kindsOf(edits: CellEdits, cells: readonly KnownCell[]): () => readonly CellKind[] {
  let cachedKinds: { version: number; kinds: readonly CellKind[] } | undefined
  return () => {
    const version = edits.figuresVersion()
    if (cachedKinds?.version !== version) {
      const kinds = cells.map(({ key, cell, isClosed }) =>
        kindOf(edits.figures(key, cell), cell?.prev ?? null, isClosed),
      )
      cachedKinds = { version, kinds }
    }
    return cachedKinds.kinds
  }
}

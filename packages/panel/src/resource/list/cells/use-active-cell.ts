/** Marks the focused and the selected cells in the table, without rendering it. */
import type { Entry } from '@dala/model'
import { useEffectEvent, useLayoutEffect } from 'react'
import { type CellPlace, cellOf, gridOf, isSame, rangeOf } from './grid.ts'

/** Focused cell of the list, and the corner where the selection started. */
export interface ActivePlace {
  at: CellPlace
  from: CellPlace
}

interface ActiveCell {
  root: HTMLElement
  activePlace: ActivePlace | null
  isEditing: boolean
  entries: readonly Entry[]
  /** Called when the user enters the cells of the list, to load cell editing. */
  onWalk: () => Promise<unknown>
}

// Attributes of cells are set without React, because rendering the table for each step would be slow.
export function useActiveCell({ root, activePlace: activeCell, isEditing, entries, onWalk }: ActiveCell): void {
  const markActiveCell = useEffectEvent((cell: HTMLElement) => {
    if (!isEditing && document.activeElement !== cell) cell.focus()
  })
  useLayoutEffect(() => {
    if (!activeCell) return
    const cell = cellOf(root, activeCell.at)
    const range = isSame(activeCell.at, activeCell.from)
      ? [activeCell.at]
      : rangeOf(gridOf(root), activeCell.at, activeCell.from).flat()
    const markedCells = range.map((cellPlace) => cellOf(root, cellPlace))
    for (const markedCell of markedCells) {
      markedCell?.setAttribute('aria-selected', 'true')
      if (markedCells.length > 1) markedCell?.setAttribute('data-marked', '')
    }
    if (cell) {
      cell.setAttribute('data-cell', '')
      cell.tabIndex = -1
      markActiveCell(cell)
    }
    return () => {
      for (const markedCell of [...markedCells, cell]) {
        for (const name of ['data-cell', 'data-marked', 'aria-selected', 'tabindex']) markedCell?.removeAttribute(name)
      }
    }
  }, [root, activeCell])

  // Rendered rows keep their cells; only a moved row has lost the focus.
  const restoreFocus = useEffectEvent(() => {
    if (activeCell && document.activeElement === document.body) cellOf(root, activeCell.at)?.focus()
  })
  useLayoutEffect(() => restoreFocus(), [entries])

  const isActive = activeCell !== null
  const handleWalk = useEffectEvent(() => void onWalk())
  useLayoutEffect(() => {
    const table = root.querySelector('table')
    if (!table || !isActive) return
    // Screen readers treat the table as a grid once one of its cells has the focus.
    table.setAttribute('role', 'grid')
    handleWalk()
    return () => table.removeAttribute('role')
  }, [root, isActive])
}

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
export function useActiveCell({ root, activePlace: active, isEditing, entries, onWalk }: ActiveCell): void {
  const markActiveCell = useEffectEvent((cell: HTMLElement) => {
    if (!isEditing && document.activeElement !== cell) cell.focus()
  })
  useLayoutEffect(() => {
    if (!active) return
    const cell = cellOf(root, active.at)
    const range = isSame(active.at, active.from) ? [active.at] : rangeOf(gridOf(root), active.at, active.from).flat()
    const markedCells = range.map((at) => cellOf(root, at))
    for (const one of markedCells) {
      one?.setAttribute('aria-selected', 'true')
      if (markedCells.length > 1) one?.setAttribute('data-marked', '')
    }
    if (cell) {
      cell.setAttribute('data-cell', '')
      cell.tabIndex = -1
      markActiveCell(cell)
    }
    return () => {
      for (const one of [...markedCells, cell]) {
        for (const name of ['data-cell', 'data-marked', 'aria-selected', 'tabindex']) one?.removeAttribute(name)
      }
    }
  }, [root, active])

  // Rendered rows keep their cells; only a moved row has lost the focus.
  const restoreFocus = useEffectEvent(() => {
    if (active && document.activeElement === document.body) cellOf(root, active.at)?.focus()
  })
  useLayoutEffect(() => restoreFocus(), [entries])

  const isActive = active !== null
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

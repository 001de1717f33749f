/** Shows in the table which cell has the focus and which are marked with it; the table's own drawing knows nothing of it. */
import type { Entry } from '@dala/model'
import { useEffectEvent, useLayoutEffect } from 'react'
import { type CellPlace, cellOf, gridOf, isSame, rangeOf } from './grid.ts'

/** The cell with the focus, and the corner from which cells are marked. */
export interface Active {
  at: CellPlace
  from: CellPlace
}

interface ActiveCell {
  root: HTMLElement
  active: Active | null
  isEditing: boolean
  entries: readonly Entry[]
  /** When the cells begin to be walked. */
  onWalk: () => Promise<unknown>
}

// By attributes of the cells: the table would be drawn anew for each step.
export function useActiveCell({ root, active, isEditing, entries, onWalk }: ActiveCell): void {
  const hold = useEffectEvent((cell: HTMLElement) => {
    if (!isEditing && document.activeElement !== cell) cell.focus()
  })
  useLayoutEffect(() => {
    if (!active) return
    const cell = cellOf(root, active.at)
    const range = isSame(active.at, active.from) ? [active.at] : rangeOf(gridOf(root), active.at, active.from).flat()
    const marked = range.map((at) => cellOf(root, at))
    for (const one of marked) {
      one?.setAttribute('aria-selected', 'true')
      if (marked.length > 1) one?.setAttribute('data-marked', '')
    }
    if (cell) {
      cell.setAttribute('data-cell', '')
      cell.tabIndex = -1
      hold(cell)
    }
    return () => {
      for (const one of [...marked, cell]) {
        for (const name of ['data-cell', 'data-marked', 'aria-selected', 'tabindex']) one?.removeAttribute(name)
      }
    }
  }, [root, active])

  // Rows that are drawn anew keep their cells; one that was moved has lost the focus.
  const regain = useEffectEvent(() => {
    if (active && document.activeElement === document.body) cellOf(root, active.at)?.focus()
  })
  useLayoutEffect(() => regain(), [entries])

  const isActive = active !== null
  const walk = useEffectEvent(() => void onWalk())
  useLayoutEffect(() => {
    const table = root.querySelector('table')
    if (!table || !isActive) return
    // Once a cell has the focus the table is read as one whose cells can be walked.
    table.setAttribute('role', 'grid')
    walk()
    return () => table.removeAttribute('role')
  }, [root, isActive])
}

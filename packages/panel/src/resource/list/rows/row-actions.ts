/** The actions on rows of a list, and the moves that each row allows. */
import type { Entry } from '@dala/model'

/** Actions on a row of a list, with stable identities: a row renders only when it changes. */
export interface RowHandlers {
  /** Selects or clears a row of the list; with `range`, all rows from the last selected one. */
  onToggle: (entry: Entry, range: boolean) => void
  onDelete: (entry: Entry) => void
  /** Moves a row of the list one place up or down, where the rows have a manual order. */
  onMove: ((entry: Entry, step: -1 | 1) => void) | undefined
}

/** Moves that a row with a manual order allows. */
export type RowMoves = 'up' | 'down' | 'both' | undefined

/** Moves that a visible row allows: the first row cannot move up, the last row cannot move down. */
export function allowedMoves(entries: readonly Entry[], index: number, onMove: RowHandlers['onMove']): RowMoves {
  if (!onMove || entries.length < 2) return undefined
  return index === 0 ? 'down' : index === entries.length - 1 ? 'up' : 'both'
}

/** What is done with the rows of a list, and where each of them may go. */
import type { Entry } from '@dala/model'

/** What is done with a row, by functions that stay the same: a row is drawn anew only when it changes. */
export interface RowActs {
  /** Ticks or clears a row; with `range` all rows from the last one that was ticked. */
  onToggle: (entry: Entry, range: boolean) => void
  onDelete: (entry: Entry) => void
  /** Puts a row before the one above it or behind the one below, where the rows have an order of their own. */
  onMove: ((entry: Entry, by: -1 | 1) => void) | undefined
}

/** Where a row may go, when rows have an order of their own. */
export type Ways = 'up' | 'down' | 'both' | undefined

/** The ways of a row among those in sight: the first has none up, the last none down. */
export function waysOf(entries: readonly Entry[], index: number, onMove: RowActs['onMove']): Ways {
  if (!onMove || entries.length < 2) return undefined
  return index === 0 ? 'down' : index === entries.length - 1 ? 'up' : 'both'
}

/** Headings between grouped rows of a list; none in other lists. */
import { createContext, type ReactNode } from 'react'

export interface RowGrouping {
  /**
   * Returns the heading above the first row of a group: a table row over the given columns, or a list item.
   */
  headingOf: (index: number, columns: number) => ReactNode
  /** Returns whether the group of a row is collapsed. */
  isFolded: (index: number) => boolean
}

export const GroupContext = createContext<RowGrouping>({ headingOf: () => null, isFolded: () => false })

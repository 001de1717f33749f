/** The headings between grouped rows of a list; none in other lists. */
import { createContext, type ReactNode } from 'react'

export interface Grouping {
  /** The heading above the first row of a group: a table row over the given columns, or a list item. */
  headingOf: (index: number, columns: number) => ReactNode
  /** Whether the row's group is collapsed. */
  isFolded: (index: number) => boolean
}

export const GroupContext = createContext<Grouping>({ headingOf: () => null, isFolded: () => false })

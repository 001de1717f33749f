/** What stands between the rows of a list whose rows stand in groups; nothing in all others. */
import { createContext, type ReactNode } from 'react'

export interface Grouping {
  /** The heading above a row, where its group begins: over so many columns of a table, or as an item of a list. */
  headingOf: (index: number, columns: number) => ReactNode
  /** Whether the row's group is folded. */
  isFolded: (index: number) => boolean
}

export const GroupContext = createContext<Grouping>({ headingOf: () => null, isFolded: () => false })

/** What work in the rows of a list is given: the rows, and the place they stand in. */
import type { ListRowsProps } from '../rows/row.tsx'
import type { Selection } from '../selection.ts'

export interface ListWorkProps extends Omit<ListRowsProps, 'onDelete'> {
  /** How many rows the filter finds. */
  total: number
}

export interface RowWorkProps extends ListWorkProps {
  /** The element around the rows. */
  root: HTMLElement
}

export interface BulkBarProps extends ListWorkProps {
  selection: Selection
}

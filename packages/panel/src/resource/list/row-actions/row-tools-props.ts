/** The props of the tools in a list's rows: the rows, and the element around them. */
import type { ListRowsProps } from '../rows/row.tsx'
import type { Selection } from '../selection.ts'

export interface WithRowToolsProps extends Omit<ListRowsProps, 'onDelete'> {
  /** Number of rows that match the filter. */
  total: number
}

export interface RowToolsProps extends WithRowToolsProps {
  /** Element around the rows. */
  root: HTMLElement
}

export interface BulkBarProps extends WithRowToolsProps {
  selection: Selection
}

/** Props of the tools in a list's rows: the rows, and the element around them. */
import type { ListRowsProps } from '../rows/row.tsx'
import type { Selection } from '../selection.ts'

export interface WithRowToolsProps extends Omit<ListRowsProps, 'onDelete'> {
  /** Number of rows that match the filter of the list. */
  total: number
}

export interface RowToolsProps extends WithRowToolsProps {
  /** Element around the rows of the list. */
  root: HTMLElement
}

export interface BulkBarProps extends WithRowToolsProps {
  selection: Selection
}

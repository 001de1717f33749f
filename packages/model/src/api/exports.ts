/** The limits of exports: rows of lists as files. */
import { narrowingKeys } from './list-query.ts'

export const exportFormats = ['xlsx', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const maxExportColumns = 60
export const maxExportIds = 1_000
/** Query keys of a list that select and sort the rows of an exported file. */
export const exportQueryKeys = [...narrowingKeys, 'sort'] as const

/** Maximum number of rows in a file (checklist §5), and in a file for a caller who is not staff. */
export const maxExportRows = 50_000
export const maxExportRowsOfGuests = 5_000

/** Bounds of imports. */

/** Bounds of a sheet and of a correction (market §5). */
export const importLimits = {
  rows: 50_000,
  /** Letters of a cell: what a spreadsheet itself allows. */
  letters: 32_767,
  /** Rows and names of one correction. */
  corrected: 500,
} as const

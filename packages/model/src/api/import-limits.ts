/** Limits of imports from sheets. */

/** Limits of an imported sheet and of a correction (market §5). */
export const importLimits = {
  rows: 50_000,
  /** Characters in a cell, the limit of spreadsheet programs themselves. */
  letters: 32_767,
  /** Maximum number of rows and names in one correction of an import. */
  corrected: 500,
} as const

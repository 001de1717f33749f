/** Limits of imports. */

/** Limits of a sheet and of a correction (market §5). */
export const importLimits = {
  rows: 50_000,
  /** Characters in a cell, the limit of spreadsheets themselves. */
  letters: 32_767,
  /** Rows and names in one correction. */
  corrected: 500,
} as const

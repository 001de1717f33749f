/** Limits of the search by name across all resources. */

/** Characters of a query; no name is longer. */
export const maxSearched = 200
export const foundPerResource = 5
export const foundAtMost = 30

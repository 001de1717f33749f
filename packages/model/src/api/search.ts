/** Limits of the search by name across all resources. */

/** Maximum characters of a search query; no name is longer. */
export const maxSearchLength = 200
export const foundPerResource = 5
export const maxFoundRecords = 30

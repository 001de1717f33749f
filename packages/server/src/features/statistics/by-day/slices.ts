/** Names of the slices in which the cases of a day are counted. */

/** Slice of all cases. */
export const everyCase = 'all'

/**
 * Returns the slice of a dimension, or of all cases, within a filter. Its ids begin with the id of the filter's
 * record and a space; an empty rest is "not set".
 */
export const sliceWithin = (filter: string, slice: string): string => `${filter}/${slice}`

/** Names of the slices in which the cases of a day are counted. */
import type { ReportFilter } from '@dala/model'

/**
 * Filters within which days are counted. Records of the other ones have so few cases each that a year of them is
 * counted from the facts in the same time.
 */
export const storedFilters = ['region', 'category'] as const satisfies readonly ReportFilter[]

/** Slice of all cases. */
export const everyCase = 'all'

/** Returns the slice of a dimension, or of all cases, within a filter; each record of the filter has its own row. */
export const sliceWithin = (filter: string, slice: string): string => `${filter}/${slice}`

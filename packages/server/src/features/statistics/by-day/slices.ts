/** Names of the slices in which the cases of a day are counted. */
import type { ReportFilter } from '@dala/model'

/**
 * Filters within which days are counted, with the dimension that each compares. Records of the other ones have so
 * few cases each that a year of them is counted from the facts in the same time.
 */
export const storedFilters = { region: 'region', category: 'category', locale: 'language' } as const satisfies Readonly<
  Partial<Record<ReportFilter, string>>
>
export type StoredFilter = keyof typeof storedFilters

/** Tells whether days are counted within a filter. */
export const isStoredFilter = (name: string): name is StoredFilter => Object.hasOwn(storedFilters, name)

/** Slice of all cases. */
export const everyCase = 'all'

/** Returns the slice of a dimension, or of all cases, within a filter; each record of the filter has its own row. */
export const sliceWithin = (filter: string, slice: string): string => `${filter}/${slice}`

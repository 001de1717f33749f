/** Number of rows of a list for each value of a field. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { isEntry } from '../../fields/field-display.tsx'
import { type ListSearch, queryOfSearch } from './filters/conditions.ts'
import { type ResourceList, useListPage } from './use-resource-list.ts'

export interface Counts {
  total: number
  /** Number of rows in a list by the key of the value (`keyOfValue`). */
  countsByValue: ReadonlyMap<string, number>
}

/** Returns the key of a field's value: a record's id for a link; empty for no value. */
export function keyOfValue(value: unknown): string {
  if (isEntry(value)) return String(value.id)
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? String(value) : ''
}

/** Requests counts after the page of the list; the previous counts stay until the new ones arrive. */
function useCounts({ list, by, search }: { list: ResourceList; by: string; search: ListSearch }) {
  const { resource } = list.screen
  const query = {
    by,
    ...languageOf(resource, list.query.language),
    ...queryOfSearch(resource, search, list.query.rows),
  }
  // The rows of the list come first, because the embedded database runs one statement at a time.
  const page = useListPage(list)
  return useQuery({
    queryKey: [...resourceQueries(resource).all, 'groups', query],
    queryFn: ({ signal }) => callRoute('GET /api/:wire/groups', { params: { wire: resource.wire }, query, signal }),
    select: ({ data, meta }): Counts => ({
      total: meta.total,
      countsByValue: new Map(data.map(({ value, count }) => [keyOfValue(value), count])),
    }),
    enabled: page.isFetched && !page.isPlaceholderData,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  }).data
}

/** Counts of rows in a list with all its conditions. */
export const useGroupCounts = (list: ResourceList, countedField: string): Counts | undefined =>
  useCounts({ list, by: countedField, search: list.query.search })

/** Counts of each value with all conditions of the list except the one on this field. */
export function useSegmentCounts(list: ResourceList, countedField: string): Counts | undefined {
  const { [countedField]: _own, ...filter } = list.query.filters
  return useCounts({ list, by: countedField, search: { ...list.query.search, filter } })
}

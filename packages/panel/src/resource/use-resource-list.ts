/** The state of a list: the address bar on one side, the server's page on the other. */
import type { Locale, Screen } from '@dala/model'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Query } from '../api/query-string.ts'
import { resourceQueries } from '../api/resource-queries.ts'
import { askerOf, meQuery } from '../api/session.ts'
import { filterOf } from '../fields/filters/filter.ts'
import { findResource } from '../fields/targets.ts'
import { useLocale } from '../lib/i18n.ts'
import { type ListSearch, narrowedBy } from './list-conditions.ts'
import { isNarrowed, listQuery, readListSearch, writeListSearch } from './list-search.ts'
import { rowsFor, screenFor } from './seen-screen.ts'

export interface ResourceList {
  screen: Screen
  /** Whether the query can be written: what a list of cards asks for depends on who reads. */
  ready: boolean
  search: ListSearch
  /** Content language of the rows. */
  language: Locale
  /** Conditions of the screen itself, beside those of the address. */
  rows: Query
  /** Changes the address; anything but a page change goes back to the first page. */
  change: (next: Partial<ListSearch>) => void
  /** Changes a key of the screen's own in the address and goes back to the first page. */
  changeOwn: (key: string, value: string | undefined) => void
  /** Whether something narrows the list, so that "nothing found" differs from "nothing there". */
  narrowed: boolean
  clear: () => void
}

/** Conditions of keys that the list itself does not have in the address. */
export type OwnFilters = (address: Readonly<Record<string, unknown>>) => Query

interface ListConditions {
  filters?: Query | undefined
  filtersOf?: OwnFilters | undefined
}

/** What stands in the address beside the list's own words. */
function ownKeys(address: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isOfList = (key: string) => ['page', 'size', 'sort', 'q', 'lang'].includes(key) || key.startsWith('f.')
  return Object.fromEntries(Object.entries(address).filter(([key]) => !isOfList(key)))
}

/** Reads and writes the list's part of the address. */
export function useResourceList(
  declared: Screen,
  { filters = {}, filtersOf: ownFilters }: ListConditions = {},
): ResourceList {
  const reader = useLocale()
  const { data: me, isFetched } = useQuery(meQuery)
  // Kept, because the columns of the table are made anew for another resource.
  const screen = useMemo(() => (me ? screenFor(declared, me) : declared), [declared, me])
  const address: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const search = readListSearch(screen.resource, address, me && askerOf(me))
  const own = ownFilters?.(address) ?? {}
  const navigate = useNavigate()
  const go = (next: ListSearch, kept: Readonly<Record<string, unknown>> = ownKeys(address)) =>
    void navigate({ to: '.', search: { ...kept, ...writeListSearch(next) }, replace: true })
  const { page: _first, ...firstPage } = search
  return {
    screen,
    ready: isFetched || screen.resource.card === undefined,
    search,
    language: search.lang ?? reader,
    rows: { ...rowsFor(screen, me), ...filters, ...own },
    narrowed: isNarrowed(search) || Object.keys(own).length > 0,
    change: (next) => go({ ...('page' in next ? search : firstPage), ...next }),
    changeOwn: (key, value) => go(firstPage, { ...ownKeys(address), [key]: value }),
    clear: () => {
      const { q: _q, filter: _filter, page: _page, ...kept } = search
      go(kept, {})
    },
  }
}

/** The query of the page that the state asks for. */
export function pageQuery({ screen, search, language, rows }: ResourceList) {
  return resourceQueries(screen.resource).list(listQuery(screen.resource, search, language, findResource, rows))
}

/** The page that the state asks for. */
export function useListPage(list: ResourceList) {
  return useQuery({ ...pageQuery(list), enabled: list.ready })
}

/**
 * How many records each value of the segments' field has, and how many there are in all, under the other filters and
 * the search. Counted once the page itself is there; the counts before stay until the new ones are known.
 */
export function useSegmentCounts(
  list: ResourceList,
  name: string,
  values: readonly string[],
): ReadonlyMap<string, number> | undefined {
  const {
    screen: { resource },
    search,
    language,
    rows,
  } = list
  const queries = resourceQueries(resource)
  // On the embedded database one statement runs at a time: the rows come first.
  const page = useListPage(list)
  const pageIsHere = page.isFetched && !page.isPlaceholderData
  const { [name]: _own, ...filter } = search.filter ?? {}
  const narrowed = narrowedBy(resource, { ...search, filter }, rows)
  // Records without a value are in no segment, so where there may be some all of them are counted besides.
  const hasRest = filterOf(resource, name)?.optional ?? false
  const count = (condition: Query) =>
    queries.count({ ...narrowed, filters: { ...narrowed.filters, ...condition } }, language)
  const { data } = useQuery({
    queryKey: [...queries.all, 'segments', name, narrowed, language],
    queryFn: async ({ client }) => {
      const [all, ...single] = await Promise.all([
        hasRest ? client.query(count({})) : undefined,
        ...values.map((value) => client.query(count({ [name]: { $eq: value } }))),
      ])
      const known = single.map((total) => total ?? 0)
      return [all ?? known.reduce((sum, total) => sum + total, 0), ...known]
    },
    enabled: pageIsHere,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  return data && new Map(['all', ...values].map((value, index) => [value, data[index] ?? 0]))
}

/** The state of a list: the address bar on one side, the server's page on the other. */
import type { Locale, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Query } from '../api/query-string.ts'
import { resourceQueries } from '../api/resource-queries.ts'
import { findResource } from '../fields/targets.ts'
import { useLocale } from '../lib/i18n.ts'
import { filtersOf, type ListSearch, listQuery, onlyRows, readListSearch, writeListSearch } from './list-search.ts'

export interface ResourceList {
  screen: Screen
  search: ListSearch
  /** Content language of the rows. */
  language: Locale
  /** Conditions of the screen itself, beside those of the address. */
  rows: Query
  /** Changes the address; anything but a page change goes back to the first page. */
  change: (next: Partial<ListSearch>) => void
  clear: () => void
}

/** Reads and writes the list's part of the address. */
export function useResourceList(screen: Screen, filters: Query = {}): ResourceList {
  const reader = useLocale()
  const search = readListSearch(screen.resource, useSearch({ strict: false }))
  const navigate = useNavigate()
  const go = (next: ListSearch) => void navigate({ to: '.', search: writeListSearch(next), replace: true })
  return {
    screen,
    search,
    language: search.lang ?? reader,
    rows: { ...onlyRows(screen.only), ...filters },
    change: (next) => {
      const { page: _first, ...rest } = search
      go({ ...('page' in next ? search : rest), ...next })
    },
    clear: () => {
      const { q: _q, filter: _filter, page: _page, ...kept } = search
      go(kept)
    },
  }
}

/** The page that the state asks for. */
export function useListPage({ screen, search, language, rows }: ResourceList) {
  const query = listQuery(screen.resource, search, language, findResource, rows)
  return useQuery(resourceQueries(screen.resource).list(query))
}

/** Totals of the active and of the other records under the same filters and search, for the segments of the filter row. */
export function useActiveCounts({ screen: { resource }, search, language, rows }: ResourceList) {
  const hasActive = resource.list?.filters?.includes('active') ?? false
  const { active: _active, ...others } = search.filter ?? {}
  const count = (active: boolean) => ({
    ...resourceQueries(resource).count(
      {
        filters: { ...filtersOf({ filter: others }), ...rows, active: { $eq: active } },
        ...(search.q && { _q: search.q }),
      },
      language,
    ),
    enabled: hasActive,
  })
  const active = useQuery(count(true)).data
  const inactive = useQuery(count(false)).data
  return hasActive && active !== undefined && inactive !== undefined
    ? { active, inactive, all: active + inactive }
    : undefined
}

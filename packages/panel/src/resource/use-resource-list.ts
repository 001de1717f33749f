/** The state of a list: the address bar on one side, the server's page on the other. */
import type { Locale, Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { resourceQueries } from '../api/resource-queries.ts'
import { findResource } from '../fields/targets.ts'
import { useLocale } from '../lib/i18n.ts'
import { filtersOf, type ListSearch, listQuery, readListSearch, writeListSearch } from './list-search.ts'

export interface ResourceList {
  search: ListSearch
  /** Content language of the rows. */
  language: Locale
  /** Changes the address; anything but a page change goes back to the first page. */
  change: (next: Partial<ListSearch>) => void
  clear: () => void
}

/** Reads and writes the list's part of the address. */
export function useResourceList(resource: Resource): ResourceList {
  const reader = useLocale()
  const search = readListSearch(resource, useSearch({ strict: false }))
  const navigate = useNavigate()
  const go = (next: ListSearch) => void navigate({ to: '.', search: writeListSearch(next), replace: true })
  return {
    search,
    language: search.lang ?? reader,
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
export function useListPage(resource: Resource, { search, language }: ResourceList) {
  return useQuery(resourceQueries(resource).list(listQuery(resource, search, language, findResource)))
}

/** Totals of the active and of the other records under the same filters and search, for the segments of the filter row. */
export function useActiveCounts(resource: Resource, { search, language }: ResourceList) {
  const hasActive = resource.list?.filters?.includes('active') ?? false
  const { active: _active, ...others } = search.filter ?? {}
  const count = (active: boolean) => ({
    ...resourceQueries(resource).count(
      {
        filters: { ...filtersOf({ filter: others }), active: { $eq: active } },
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

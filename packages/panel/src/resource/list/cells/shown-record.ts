/**
 * A record as the lists show it now: the latest cached copy that has the column, because an edit may just
 * have changed it.
 */
import type { Entry, Resource } from '@dala/model'
import type { QueryClient } from '@tanstack/react-query'
import type { CellPlace } from './grid.ts'

const versionOf = ({ version }: Entry): number => (typeof version === 'number' ? version : 0)

export function shownRecord(cache: QueryClient, resource: Resource, { id, name }: CellPlace): Entry | undefined {
  const pages = cache.getQueriesData<{ entries: Entry[] }>({ queryKey: ['resource', resource.name, 'list'] })
  return pages
    .flatMap(([, page]) => page?.entries ?? [])
    .filter((entry) => entry.id === id && name in entry)
    .toSorted((one, other) => versionOf(other) - versionOf(one))[0]
}

/** Refreshes the screen when colleagues change records, and holds back changes that would move rows. */
import { type Resource, resources } from '@dala/model'
import type { Query, QueryClient } from '@tanstack/react-query'
import { type ChangeUpdate, onChanged, onInboxChanged, openLiveSocket } from '../../api/live.ts'
import type { Page } from '../../api/resource-queries.ts'
import { hasPending, pendingChangesOf, noChanges, setPending } from './pending-changes.ts'
import { patchPage } from './page.ts'

/**
 * Delay before a changed list is fetched again: the user's own write has been answered by then, and not all
 * panels fetch in the same moment.
 */
const refreshDelay = () => 300 + Math.random() * 700
/** Milliseconds for which a row changed by a colleague is marked. */
const highlightTime = 4_000

const partOfQueryKey = ({ queryKey }: Query): unknown => queryKey[2]
const isPage = (data: unknown): data is Page => typeof data === 'object' && data !== null && 'entries' in data

/** Fetches a list's page outside of the cache, and patches the shown page. */
async function refreshPage(cache: QueryClient, query: Query, startedAt: number): Promise<void> {
  const { queryHash: hash, queryKey } = query
  const { queryFn } = query.options
  if (typeof queryFn !== 'function' || query.state.fetchStatus === 'fetching' || query.state.dataUpdatedAt > startedAt)
    return
  const newData: unknown = await cache
    .query({
      queryKey: ['live', ...queryKey],
      queryFn: (context) => queryFn({ ...context, queryKey }),
      gcTime: 0,
      staleTime: 0,
      meta: { inPlace: true },
    })
    .catch(() => undefined)
  const current = query.state.data
  // The list was requested again, or left, while its changed rows were loading.
  if (!isPage(newData) || !isPage(current) || query.state.dataUpdatedAt > startedAt || !query.isActive()) return
  const { page, changed, isMoved } = patchPage(current, newData)
  if (changed.length > 0 || !isMoved) cache.setQueryData(queryKey, page, { updatedAt: query.state.dataUpdatedAt })
  setPending(hash, { changedIds: new Set(changed), ...(isMoved && { page: newData }) })
  if (changed.length > 0)
    setTimeout(() => setPending(hash, { ...pendingChangesOf(hash), changedIds: new Set() }), highlightTime)
}

function refreshResource(cache: QueryClient, { name }: Resource, startedAt: number): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: ['resource', name] })) {
    if (query.meta?.hearsItself) continue
    if (partOfQueryKey(query) === 'list' && query.isActive()) void refreshPage(cache, query, startedAt)
    // Data other than lists updates in place; a record in a form does not change while the user edits it.
    else
      void cache.invalidateQueries({
        queryKey: query.queryKey,
        exact: true,
        refetchType: partOfQueryKey(query) === 'one' || partOfQueryKey(query) === 'single' ? 'none' : 'active',
      })
  }
}

/**
 * Starts live updates for the signed-in session.
 *
 * @param cache - The query cache.
 * @param onRefused - Called when the server refuses the connection: the session may have ended.
 * @returns A function that stops them.
 */
export function startLiveUpdates(cache: QueryClient, onRefused: () => void): () => void {
  const changedResources = new Set<Resource>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refreshChanged = () => {
    timer = undefined
    // A hidden page fetches changed data when it is visible again.
    if (document.hidden) return
    const startedAt = Date.now()
    for (const resource of changedResources) refreshResource(cache, resource, startedAt)
    changedResources.clear()
  }
  const scheduleRefresh = () => {
    if (changedResources.size > 0) timer ??= setTimeout(refreshChanged, refreshDelay())
  }
  const handleChanges = (changes: ChangeUpdate) => {
    const allResources = Object.values<Resource>(resources)
    for (const resource of changes === 'all' ? allResources : allResources.filter(({ wire }) => changes.includes(wire)))
      changedResources.add(resource)
    scheduleRefresh()
  }
  const unsubscribe = onChanged(handleChanges)
  const unsubscribeInbox = onInboxChanged(() => void cache.invalidateQueries({ queryKey: ['notices'] }))
  const closeSocket = openLiveSocket(onRefused)
  document.addEventListener('visibilitychange', scheduleRefresh)
  // A list that was fetched again has no pending changes.
  const unsubscribeCache = cache.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && hasPending(query.queryHash) && query.state.fetchStatus === 'fetching')
      setPending(query.queryHash, noChanges)
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
    unsubscribeInbox()
    closeSocket()
    unsubscribeCache()
    document.removeEventListener('visibilitychange', scheduleRefresh)
  }
}

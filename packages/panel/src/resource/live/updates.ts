/** Refreshes the screen when colleagues change records, and holds back changes that would move rows. */
import { type Resource, resources } from '@dala/model'
import type { Query, QueryClient } from '@tanstack/react-query'
import { type ChangeUpdate, onChanged, openLive } from '../../api/live.ts'
import type { Page } from '../../api/resource-queries.ts'
import { hasPending, pendingOf, nothing, tell } from './pending-changes.ts'
import { patchPage } from './page.ts'

/**
 * Delay before the refetch: the user's own write has been answered by then, and not all panels refetch at
 * once.
 */
const wait = () => 300 + Math.random() * 700
/** Milliseconds for which a row is marked as changed. */
const markedFor = 4_000

const partOf = ({ queryKey }: Query): unknown => queryKey[2]
const isPage = (data: unknown): data is Page => typeof data === 'object' && data !== null && 'entries' in data

/** Fetches a list's page outside of the cache, and patches the shown one. */
async function refresh(cache: QueryClient, query: Query, since: number): Promise<void> {
  const { queryHash: hash, queryKey } = query
  const { queryFn } = query.options
  if (typeof queryFn !== 'function' || query.state.fetchStatus === 'fetching' || query.state.dataUpdatedAt > since)
    return
  const fresh: unknown = await cache
    .query({
      queryKey: ['live', ...queryKey],
      queryFn: (context) => queryFn({ ...context, queryKey }),
      gcTime: 0,
      staleTime: 0,
      meta: { inPlace: true },
    })
    .catch(() => undefined)
  const shown = query.state.data
  // It was refetched or left meanwhile.
  if (!isPage(fresh) || !isPage(shown) || query.state.dataUpdatedAt > since || !query.isActive()) return
  const { page, changed, isMoved } = patchPage(shown, fresh)
  if (changed.length > 0 || !isMoved) cache.setQueryData(queryKey, page, { updatedAt: query.state.dataUpdatedAt })
  tell(hash, { changed: new Set(changed), ...(isMoved && { waiting: fresh }) })
  if (changed.length > 0) setTimeout(() => tell(hash, { ...pendingOf(hash), changed: new Set() }), markedFor)
}

function renew(cache: QueryClient, { name }: Resource, since: number): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: ['resource', name] })) {
    if (query.meta?.hearsItself) continue
    if (partOf(query) === 'list' && query.isActive()) void refresh(cache, query, since)
    // Other data updates in place; a record in a form does not change while the user edits it.
    else
      void cache.invalidateQueries({
        queryKey: query.queryKey,
        exact: true,
        refetchType: partOf(query) === 'one' || partOf(query) === 'single' ? 'none' : 'active',
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
  const waiting = new Set<Resource>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const work = () => {
    timer = undefined
    // A hidden page refetches when it is visible again.
    if (document.hidden) return
    const since = Date.now()
    for (const resource of waiting) renew(cache, resource, since)
    waiting.clear()
  }
  const plan = () => {
    if (waiting.size > 0) timer ??= setTimeout(work, wait())
  }
  const hear = (changes: ChangeUpdate) => {
    const all = Object.values<Resource>(resources)
    for (const resource of changes === 'all' ? all : all.filter(({ wire }) => changes.includes(wire)))
      waiting.add(resource)
    plan()
  }
  const unsubscribe = onChanged(hear)
  const close = openLive(onRefused)
  document.addEventListener('visibilitychange', plan)
  // A refetched page has no pending changes.
  const forget = cache.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && hasPending(query.queryHash) && query.state.fetchStatus === 'fetching')
      tell(query.queryHash, nothing)
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
    close()
    forget()
    document.removeEventListener('visibilitychange', plan)
  }
}

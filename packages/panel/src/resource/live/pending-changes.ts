/** Pending changes of colleagues in the visible lists. */
import type { QueryClient } from '@tanstack/react-query'
import type { Page } from '../../api/resource-queries.ts'

interface PendingChanges {
  /** The page on the server, where rows would move. */
  waiting?: Page
  changed: ReadonlySet<number>
}

export const nothing: PendingChanges = { changed: new Set() }
const news = new Map<string, PendingChanges>()
const listeners = new Set<() => void>()

/** Sets the pending changes of a list. */
export function tell(hash: string, next: PendingChanges): void {
  if (next.waiting || next.changed.size > 0) news.set(hash, next)
  else news.delete(hash)
  for (const listener of listeners) listener()
}

/** The pending changes of a query's list, for `useSyncExternalStore`. */
export const pendingOf = (hash: string): PendingChanges => news.get(hash) ?? nothing
export const hasPending = (hash: string): boolean => news.has(hash)
export function subscribeNews(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows the pending page. */
export function showWaiting(cache: QueryClient, hash: string): void {
  const { waiting } = pendingOf(hash)
  const query = cache.getQueryCache().get(hash)
  if (waiting && query) cache.setQueryData(query.queryKey, waiting)
  tell(hash, nothing)
}

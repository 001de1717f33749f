/** Pending changes of colleagues in the visible lists. */
import type { QueryClient } from '@tanstack/react-query'
import type { Page } from '../../api/resource-queries.ts'

interface ListNews {
  /** The page on the server, where rows would move. */
  waiting?: Page
  changed: ReadonlySet<number>
}

export const nothing: ListNews = { changed: new Set() }
const news = new Map<string, ListNews>()
const listeners = new Set<() => void>()

/** Sets the pending changes of a list. */
export function tell(hash: string, next: ListNews): void {
  if (next.waiting || next.changed.size > 0) news.set(hash, next)
  else news.delete(hash)
  for (const listener of listeners) listener()
}

/** The pending changes of a query's list, for `useSyncExternalStore`. */
export const newsOf = (hash: string): ListNews => news.get(hash) ?? nothing
export const hasNews = (hash: string): boolean => news.has(hash)
export function subscribeNews(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows the pending page. */
export function showWaiting(cache: QueryClient, hash: string): void {
  const { waiting } = newsOf(hash)
  const query = cache.getQueryCache().get(hash)
  if (waiting && query) cache.setQueryData(query.queryKey, waiting)
  tell(hash, nothing)
}

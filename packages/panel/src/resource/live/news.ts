/** What colleagues have changed in the lists on screen, until it is shown. */
import type { QueryClient } from '@tanstack/react-query'
import type { Page } from '../../api/resource-queries.ts'

interface ListNews {
  /** The page as the server has it, where rows would move. */
  waiting?: Page
  changed: ReadonlySet<number>
}

export const nothing: ListNews = { changed: new Set() }
const news = new Map<string, ListNews>()
const listeners = new Set<() => void>()

/** Takes note of what is new in a list. */
export function tell(hash: string, next: ListNews): void {
  if (next.waiting || next.changed.size > 0) news.set(hash, next)
  else news.delete(hash)
  for (const listener of listeners) listener()
}

/** What is new in the list of a query, for `useSyncExternalStore`. */
export const newsOf = (hash: string): ListNews => news.get(hash) ?? nothing
export const hasNews = (hash: string): boolean => news.has(hash)
export function subscribeNews(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows the page that waits. */
export function showWaiting(cache: QueryClient, hash: string): void {
  const { waiting } = newsOf(hash)
  const query = cache.getQueryCache().get(hash)
  if (waiting && query) cache.setQueryData(query.queryKey, waiting)
  tell(hash, nothing)
}

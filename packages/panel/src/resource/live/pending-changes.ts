/** Pending changes of colleagues in the visible lists. */
import type { QueryClient } from '@tanstack/react-query'
import type { Page } from '../../api/resource-queries.ts'

interface PendingChanges {
  /** The new page of a list, which the list does not show yet because its rows would move. */
  page?: Page
  changedIds: ReadonlySet<number>
}

export const noChanges: PendingChanges = { changedIds: new Set() }
const pendingByHash = new Map<string, PendingChanges>()
const listeners = new Set<() => void>()

/** Sets the pending changes of a list. */
export function setPending(hash: string, pendingChanges: PendingChanges): void {
  if (pendingChanges.page || pendingChanges.changedIds.size > 0) pendingByHash.set(hash, pendingChanges)
  else pendingByHash.delete(hash)
  for (const listener of listeners) listener()
}

/** Returns the pending changes of a query's list, for `useSyncExternalStore`. */
export const pendingChangesOf = (hash: string): PendingChanges => pendingByHash.get(hash) ?? noChanges
export const hasPending = (hash: string): boolean => pendingByHash.has(hash)
export function subscribePendingChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows the pending page of a list. */
export function applyPendingChanges(cache: QueryClient, hash: string): void {
  const { page } = pendingChangesOf(hash)
  const query = cache.getQueryCache().get(hash)
  if (page && query) cache.setQueryData(query.queryKey, page)
  setPending(hash, noChanges)
}

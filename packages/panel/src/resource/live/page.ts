/** Updates a page of a list without moving its rows: only their values change. */
import type { Entry } from '@dala/model'
import type { Page } from '../../api/resource-queries.ts'

export interface PatchedPage {
  /** Shown rows of the list in their positions, with the current values. */
  page: Page
  /** Ids of the list's rows with changed values. */
  changed: readonly number[]
  /** Whether rows were added, removed or moved: the new page is shown on request. */
  isMoved: boolean
}

const isSame = (one: Entry, other: Entry): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Compares the page of a list on the screen with the same page on the server.
 *
 * @param current - The page as it is shown.
 * @param fresh - The page on the server.
 * @returns The page to show, and its changes.
 */
export function patchPage(current: Page, fresh: Page): PatchedPage {
  const now = new Map(fresh.entries.map((entry) => [entry.id, entry]))
  const changedIds: number[] = []
  const entries = current.entries.map((entry) => {
    const next = now.get(entry.id)
    if (!next || isSame(entry, next)) return entry
    changedIds.push(entry.id)
    return next
  })
  const isMoved =
    current.total !== fresh.total ||
    current.entries.length !== fresh.entries.length ||
    current.entries.some(({ id }, index) => fresh.entries[index]?.id !== id)
  return { page: isMoved ? { ...current, entries } : { ...fresh, entries }, changed: changedIds, isMoved }
}

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

const isSame = (leftEntry: Entry, rightEntry: Entry): boolean =>
  JSON.stringify(leftEntry) === JSON.stringify(rightEntry)

/**
 * Compares the page of a list on the screen with the same page on the server.
 *
 * @param current - The page as it is shown.
 * @param freshPage - The page on the server.
 * @returns The page to show, and its changes.
 */
export function patchPage(current: Page, freshPage: Page): PatchedPage {
  const now = new Map(freshPage.entries.map((entry) => [entry.id, entry]))
  const changedIds: number[] = []
  const entries = current.entries.map((entry) => {
    const freshEntry = now.get(entry.id)
    if (!freshEntry || isSame(entry, freshEntry)) return entry
    changedIds.push(entry.id)
    return freshEntry
  })
  const isMoved =
    current.total !== freshPage.total ||
    current.entries.length !== freshPage.entries.length ||
    current.entries.some(({ id }, index) => freshPage.entries[index]?.id !== id)
  return { page: isMoved ? { ...current, entries } : { ...freshPage, entries }, changed: changedIds, isMoved }
}

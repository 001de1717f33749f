/** Updates a page of a list without moving its rows: only their values change. */
import type { Entry } from '@dala/model'
import type { Page } from '../../api/resource-queries.ts'

export interface PatchedPage {
  /** The shown rows, in their places, with the current values. */
  page: Page
  /** Rows with changed values. */
  changed: readonly number[]
  /** Rows were added, removed or moved: the new page is shown on request. */
  isMoved: boolean
}

const isSame = (one: Entry, other: Entry): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Compares the shown page with the current one.
 *
 * @param shown - The page as it is shown.
 * @param fresh - The page on the server.
 * @returns The page to show, and its changes.
 */
export function patchPage(shown: Page, fresh: Page): PatchedPage {
  const now = new Map(fresh.entries.map((entry) => [entry.id, entry]))
  const changed: number[] = []
  const entries = shown.entries.map((entry) => {
    const next = now.get(entry.id)
    if (!next || isSame(entry, next)) return entry
    changed.push(entry.id)
    return next
  })
  const isMoved =
    shown.total !== fresh.total ||
    shown.entries.length !== fresh.entries.length ||
    shown.entries.some(({ id }, index) => fresh.entries[index]?.id !== id)
  return { page: isMoved ? { ...shown, entries } : { ...fresh, entries }, changed, isMoved }
}

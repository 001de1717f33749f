/** Brings a page of a list up to date without moving what one reads: rows stay where they are, only their values change. */
import type { Entry } from '@dala/model'
import type { Page } from '../../api/resource-queries.ts'

export interface PatchedPage {
  /** The rows that were shown, in their places, with the values of now. */
  page: Page
  /** Rows whose values are others than before. */
  changed: readonly number[]
  /** Rows came, went or stand elsewhere: the new page is there for whoever asks for it. */
  isMoved: boolean
}

const isSame = (one: Entry, other: Entry): boolean => JSON.stringify(one) === JSON.stringify(other)

/** In: the page as it is shown, and as the server has it now. */
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

/** Positions of messages in the thread of a page, to see whether they move. */
/// <reference lib="dom" />
import type { Page } from '@playwright/test'

interface LogPlace {
  id: string
  /** Distance of a message from the upper edge of the thread, in pixels. */
  top: number
}

/** Returns the position of a message in the thread, or of the first visible one. */
export function positionOf(page: Page, messageId?: string): Promise<LogPlace> {
  return page.getByRole('log').evaluate((log, id) => {
    const topEdge = log.getBoundingClientRect().top
    const messageTops = [...log.querySelectorAll<HTMLElement>('[data-message]')].map((message) => ({
      id: message.dataset['message'] ?? '',
      top: message.getBoundingClientRect().top - topEdge,
    }))
    const visiblePlaces = messageTops.filter(({ top }) => top >= 0).toSorted((one, other) => one.top - other.top)
    return messageTops.find((messageTop) => messageTop.id === id) ?? visiblePlaces[0] ?? { id: '', top: Number.NaN }
  }, messageId)
}

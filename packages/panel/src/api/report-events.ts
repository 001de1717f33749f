/** Subscriptions to the event that figures of reports may have changed. */
import type { ReportsChanged } from '@dala/model'

const listeners = new Set<(update: ReportsChanged) => void>()

/**
 * Subscribes to changes of the figures of reports.
 *
 * @returns A function that unsubscribes.
 */
export function onReportsChanged(listener: (update: ReportsChanged) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Forwards an event of the socket to the open report. */
export function emitReportsChanged(update: ReportsChanged): void {
  for (const listener of listeners) listener(update)
}

/** Counts of the moderation queue for tests. */
import type { QueueCounts } from '@dala/model'

/** Counts of a moderation queue without posts. */
export const noCounts: QueueCounts = {
  on_hold: 0,
  needs_changes: 0,
  reported: 0,
  processed: 0,
  rejected: 0,
  expired: 0,
  archived: 0,
  all: 0,
}

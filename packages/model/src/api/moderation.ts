/** The messages of server and panel about the queue of trading posts (market §7). */

/** The tabs of the queue, in their order. What waits are new posts and edits of public ones. */
export const queueTabs = [
  'on_hold',
  'needs_changes',
  'reported',
  'processed',
  'rejected',
  'expired',
  'archived',
  'all',
] as const
export type QueueTab = (typeof queueTabs)[number]

/** Posts by tab. */
export type QueueCounts = Record<QueueTab, number>

/** The event `moderation:changed`: a post as it stands now, by the id of its first language. */
export interface ModerationNews {
  id: number
  /** Its status, or `edit` while an edit waits beside it. */
  state: string
  /** The moderator who decided last. */
  by: number | null
  counts: QueueCounts
}

/** Why a post looks like another one: a picture of the same bytes, or one that looks the same when resized or recompressed. */
export const twinReasons = ['phone', 'title', 'picture_equal', 'picture_alike'] as const
export type TwinReason = (typeof twinReasons)[number]

/** Seconds in which a decision can be taken back, before the author is notified. */
export const undoSeconds = 10

/** Reasons that one decision may name. */
export const maxReasons = 6

/** How a decision ends for the author: one on the post, or one on the edit beside it. */
export const postOutcomes = [
  'processed',
  'needs_changes',
  'rejected',
  'on_hold',
  'archived',
  'edit_processed',
  'edit_needs_changes',
  'edit_rejected',
] as const
export type PostOutcome = (typeof postOutcomes)[number]

/** Minutes that a claim holds for. */
export const claimMinutes = 5

/** Posts that one call may decide. */
export const maxDecided = 100

/** Letters of a note to the author, of a note for colleagues, of the code of a reason and of a report. */
export const maxPostNote = 10_000
export const maxPostStaffNote = 2_000
export const maxPostReason = 64
export const maxPostReport = 1_000

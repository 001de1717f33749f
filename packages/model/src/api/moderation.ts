/** Codes, limits and events of the moderation queue of trading posts, for server and panel (market §7). */

/** The tabs of the moderation queue, in order. Waiting posts are new posts and edits of public ones. */
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

/** Number of trading posts in each tab of the moderation queue. */
export type QueueCounts = Record<QueueTab, number>

/** The event `moderation:changed`: the present state of a post, by the id of its first language. */
export interface ModerationEvent {
  id: number
  /** Status of the trading post, or `edit` while an edit waits for review. */
  state: string
  /** Id of the moderator who last decided on the trading post. */
  by: number | null
  counts: QueueCounts
}

/**
 * Why a post resembles another one: a picture with the same bytes, or one that looks the same after resizing
 * or recompression.
 */
export const twinReasons = ['phone', 'title', 'picture_equal', 'picture_alike'] as const
export type TwinReason = (typeof twinReasons)[number]

/** Seconds in which a decision can be undone, before the author is notified. */
export const decisionUndoSeconds = 10

/** Maximum number of reasons in one decision of a moderator. */
export const maxReasons = 6

/** Outcomes of a decision on a trading post, or on an edit of a post, for the author. */
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

/** Minutes until a moderator's claim on a post expires. */
export const claimMinutes = 5

/** Maximum number of trading posts in one decision call. */
export const maxDecidedPosts = 100

/**
 * Maximum lengths in characters: a note to the author, a note for colleagues, the code of a reason, and a
 * report.
 */
export const maxPostNote = 10_000
export const maxPostStaffNote = 2_000
export const maxPostReason = 64
export const maxPostReport = 1_000

/** The messages of server and panel about the queue of trading posts (market §7). */
import type { Locale } from '../locales.ts'
import type { WorkingHours } from '../time/working-time.ts'

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

/** Working hours within which a post is to be decided, and the calendar that they are counted in. */
export interface QueueTarget {
  hours: number
  working: WorkingHours
  zone: string
}

/** The moderator who is reviewing a post, and the end of the claim. */
export interface PostClaim {
  by: { id: number; name: string }
  until: string
}

/** A value of a post as it is shown, and as the edit has it; links are named records. */
export interface EditChange {
  field: string
  /** The language of a text; null for what all languages share. */
  locale: Locale | null
  before: unknown
  after: unknown
}

/** Why a post looks like another one: a picture of the same bytes, or one that looks the same when resized or recompressed. */
export const twinReasons = ['phone', 'title', 'picture_equal', 'picture_alike'] as const
export type TwinReason = (typeof twinReasons)[number]

/** Another post that is much alike. */
export interface PostTwin {
  id: number
  title: string
  status: string
  price: number | null
  currency: string | null
  createdAt: string
  picture: string | null
  /** The kind of goods of its category; null without a category. */
  kind: string | null
  /** 0 to 1. */
  score: number
  /** Why it looks alike. */
  same: readonly TwinReason[]
}

/** Prices that a post is compared with, in its own unit. */
export interface PriceScale {
  price: number
  min: number
  low: number
  median: number
  high: number
  max: number
  count: number
  /** Where the prices are from: the region of the post, or the whole country where that has too few. */
  scope: 'region' | 'country'
  /** How far it is from the median, in per cent. */
  percent: number
  verdict: 'usual' | 'outside' | 'far'
}

/** A report of a reader. */
export interface PostReport {
  id: number
  reason: string
  text: string | null
  at: string
  settled_at: string | null
  upheld: boolean | null
}

/** A decision as its author and moderators read it. */
export interface PostDecision {
  id: number
  at: string
  by: { id: number; name: string } | null
  subject: 'post' | 'edit'
  from: string
  to: string
  reasons: readonly string[]
  public_note: string | null
  /** For moderators alone. */
  staff_note?: string | null
  undone: boolean
}

/** The details that a moderator is shown beside a post. */
export interface PostReview {
  version: number
  author: {
    id: number
    name: string
    language: Locale
    since: string
    /** The account is blocked: no letter reaches them, and nothing they write will follow. */
    blocked: boolean
    posts: number
    refusals: number
    reports: number
  } | null
  claim: PostClaim | null
  /** The edit that stands beside the post. */
  edit: { state: 'waiting' | 'returned'; at: string; changes: readonly EditChange[] } | null
  twins: readonly PostTwin[]
  /** Null where there is nothing to compare with. */
  price: PriceScale | null
  /** Ways to reach the author that stand in the text. */
  contacts: readonly string[]
  /** Words that are looked at twice. */
  words: readonly string[]
  reports: readonly PostReport[]
  decisions: readonly PostDecision[]
}

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

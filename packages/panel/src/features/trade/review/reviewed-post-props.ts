import type { Entry, Locale, PostClaim, PostReview, QueueTarget, Screen, WorkingTime } from '@dala/model'
import type { ReviewVerdict } from './review-data.ts'

/** Post under review, and the callbacks that decide on it. */
export interface ReviewedPostProps {
  screen: Screen
  record: Entry
  review: PostReview
  lang: Locale | undefined
  /** Whether a colleague has claimed the post: no decision is possible here. */
  othersClaim: PostClaim | undefined
  ownClaim: PostClaim | undefined
  wait: { calendar: WorkingTime; target: QueueTarget } | undefined
  /** Decision that the page's address names. */
  initialChoice: unknown
  isBusy: boolean
  obstacle: string | undefined | false
  failure: string | undefined
  isStale: boolean
  onReload: () => void
  onSend: (record: Entry, verdict: ReviewVerdict) => void
}

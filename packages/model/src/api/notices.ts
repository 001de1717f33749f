/** What the inbox tells of. */
import { postOutcomes } from './moderation.ts'

export const noticeKinds = [
  'bulk.finished',
  'view.shared',
  'desk.waiting',
  'desk.returned',
  ...postOutcomes.map((outcome) => `post.${outcome}` as const),
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Notices that one call may mark as read. */
export const maxNoticesRead = 1_000

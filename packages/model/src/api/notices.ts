/** Kinds of notices in a user's inbox. */
import { postOutcomes } from './moderation.ts'

export const noticeKinds = [
  'bulk.finished',
  'view.shared',
  'desk.waiting',
  'desk.returned',
  'chat.assigned',
  'consultation.assigned',
  'consultation.reopened',
  'import.done',
  'import.failed',
  ...postOutcomes.map((outcome) => `post.${outcome}` as const),
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Maximum number of notices in one call that marks them as read. */
export const maxNoticesRead = 1_000

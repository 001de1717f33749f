/** Kinds of notices in a user's inbox, their readers, and how each reaches a reader who has chosen nothing. */
import { type Caller, rankOfRole } from '../access/access.ts'
import { postOutcomes } from './moderation.ts'

/** Kinds of notices whose ways a reader chooses; decisions on posts always have a letter of their own. */
export const chosenKinds = [
  'consultation.asked',
  'consultation.assigned',
  'consultation.reopened',
  'consultation.overdue',
  'chat.assigned',
  'desk.waiting',
  'desk.returned',
  'day.check',
  'course.translate',
  'bulk.finished',
  'import.done',
  'import.failed',
  'view.shared',
] as const
export type ChosenKind = (typeof chosenKinds)[number]

export const noticeKinds = [...chosenKinds, ...postOutcomes.map((outcome) => `post.${outcome}` as const)] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Letters about a kind of notices: none, one for each notice, or the daily digest. */
export const letterChoices = ['off', 'now', 'daily'] as const
export type LetterChoice = (typeof letterChoices)[number]

/** How notices of one kind reach a reader. */
export interface NoticeChoice {
  inbox: boolean
  letter: LetterChoice
}

interface NoticeDeclaration extends NoticeChoice {
  /** Readers of the kind: the desk (consultants and staff), or staff alone. */
  for: 'desk' | 'staff'
}

/**
 * Declarations of the kinds that a reader chooses: who receives them, and how without a choice. Letters are
 * the default where a customer or the public waits; users who work in a chat or started a job see the inbox.
 */
export const noticeDeclarations: Readonly<Record<ChosenKind, NoticeDeclaration>> = {
  'consultation.asked': { for: 'desk', inbox: true, letter: 'daily' },
  'consultation.assigned': { for: 'desk', inbox: true, letter: 'now' },
  'consultation.reopened': { for: 'desk', inbox: true, letter: 'now' },
  'consultation.overdue': { for: 'desk', inbox: true, letter: 'now' },
  'chat.assigned': { for: 'desk', inbox: true, letter: 'off' },
  'desk.waiting': { for: 'desk', inbox: true, letter: 'off' },
  'desk.returned': { for: 'staff', inbox: true, letter: 'off' },
  'day.check': { for: 'staff', inbox: true, letter: 'now' },
  'course.translate': { for: 'staff', inbox: true, letter: 'daily' },
  'bulk.finished': { for: 'desk', inbox: true, letter: 'off' },
  'import.done': { for: 'staff', inbox: true, letter: 'off' },
  'import.failed': { for: 'staff', inbox: true, letter: 'off' },
  'view.shared': { for: 'desk', inbox: true, letter: 'off' },
}

/** Time of the daily digest of readers who have chosen none. */
export const usualDigestTime = '08:00'

/**
 * Tells whether the ways of a kind of notices are chosen by its readers.
 *
 * @example
 * isChosenKind('post.rejected') // false
 */
export const isChosenKind = (kind: string): kind is ChosenKind => Object.hasOwn(noticeDeclarations, kind)

/**
 * Returns the kinds of notices that a user can receive and choose the ways of.
 *
 * @example
 * noticeKindsOf({ role: 'authenticated', isConsultant: false }) // []
 */
export function noticeKindsOf({ role, isConsultant }: Pick<Caller, 'role' | 'isConsultant'>): ChosenKind[] {
  const isStaff = rankOfRole(role) >= rankOfRole('admin')
  return chosenKinds.filter((kind) => isStaff || (isConsultant && noticeDeclarations[kind].for === 'desk'))
}

/** Maximum number of notices in one call that marks them as read. */
export const maxNoticesRead = 1_000

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
  /** Whether notices are pushed to the browsers in which the reader turned that on. */
  push: boolean
}

interface NoticeDeclaration extends NoticeChoice {
  /** Readers of the kind: the desk (consultants and staff), or staff alone. */
  for: 'desk' | 'staff'
}

/**
 * Declarations of the kinds that a reader chooses: who receives them, and how without a choice. Letters are
 * the default where a customer or the public waits; users who work in a chat or started a job see the inbox.
 * Browsers are pushed what somebody waits for, and the end of a job.
 */
export const noticeDeclarations: Readonly<Record<ChosenKind, NoticeDeclaration>> = {
  'consultation.asked': { for: 'desk', inbox: true, letter: 'daily', push: false },
  'consultation.assigned': { for: 'desk', inbox: true, letter: 'now', push: true },
  'consultation.reopened': { for: 'desk', inbox: true, letter: 'now', push: true },
  'consultation.overdue': { for: 'desk', inbox: true, letter: 'now', push: true },
  'chat.assigned': { for: 'desk', inbox: true, letter: 'off', push: true },
  'desk.waiting': { for: 'desk', inbox: true, letter: 'off', push: true },
  'desk.returned': { for: 'staff', inbox: true, letter: 'off', push: true },
  'day.check': { for: 'staff', inbox: true, letter: 'now', push: true },
  'course.translate': { for: 'staff', inbox: true, letter: 'daily', push: false },
  'bulk.finished': { for: 'desk', inbox: true, letter: 'off', push: true },
  'import.done': { for: 'staff', inbox: true, letter: 'off', push: true },
  'import.failed': { for: 'staff', inbox: true, letter: 'off', push: true },
  'view.shared': { for: 'desk', inbox: true, letter: 'off', push: false },
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

/** Maximum number of a user's browsers that notices are pushed to; a further one replaces the oldest. */
export const maxPushBrowsers = 5

const maxEndpointLength = 2_048
/** A host by its name below a domain, at the usual port: addresses of machines and user names are refused. */
const endpointPattern = /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?\/[\x21-\x7e]*$/

/**
 * Tells whether a text may be the address at which a push service receives the messages of a browser.
 *
 * @example
 * isPushEndpoint('https://10.0.0.1/a') // false
 */
export const isPushEndpoint = (text: string): boolean => text.length <= maxEndpointLength && endpointPattern.test(text)

/** Maximum number of notices in one call that marks them as read. */
export const maxNoticesRead = 1_000

/** The user's permissions on a consultation; the server decides by the same table (content-model §2). */
import { type CallerRole, type Entry, rankOfRole } from '@dala/model'

export function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

/** Milliseconds after finishing within which the customer may reopen a consultation. */
const reopenTime = 14 * 86_400_000

export interface ConsultationPermissions {
  isStaff: boolean
  /** Whether the user has asked the question themselves. */
  isAsker: boolean
  /** Whether the user is a consultant or staff, even if another user answers the question. */
  isDesk: boolean
  mayAnswer: boolean
  mayTake: boolean
  mayAssign: boolean
  mayFinish: boolean
  mayReopen: boolean
  /** Whether the user may end the wait for a reply that the question does not need. */
  mayEndWait: boolean
  /** Reason why the answer to a consultation is locked. */
  lock: 'finished' | 'free' | 'other' | undefined
}

export function consultationPermissions(
  record: Entry,
  reader: CallerRole & { id: number },
  now: Date = new Date(),
): ConsultationPermissions {
  const isFinished = record.status === 'finished'
  const isStaff = rankOfRole(reader.role) >= rankOfRole('admin')
  const consultant = isRecord(record.consultant) ? record.consultant.id : null
  const isOwner = reader.isConsultant && consultant === reader.id
  const isAsker = isRecord(record.user) && record.user.id === reader.id
  const age = typeof record.finished_at === 'string' ? now.getTime() - Date.parse(record.finished_at) : 0
  const isLocked = !isStaff && !isOwner
  return {
    isStaff,
    isAsker,
    isDesk: isStaff || reader.isConsultant,
    mayAnswer: !isFinished && !isLocked,
    mayTake: !isFinished && !isStaff && reader.isConsultant && consultant === null,
    mayAssign: !isFinished && isStaff,
    mayFinish: !isFinished && (isStaff || isOwner || isAsker),
    mayEndWait: typeof record.waiting_since === 'string' && !isLocked,
    mayReopen: isFinished && (isStaff || (isAsker && age <= reopenTime)),
    lock: isFinished ? 'finished' : isLocked ? (consultant === null ? 'free' : 'other') : undefined,
  }
}

/** Returns whether a rich text shows nothing. */
export function isBlank(html: unknown): boolean {
  if (typeof html !== 'string') return true
  return !/<img\b/i.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === ''
}

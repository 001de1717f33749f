/** The wait of a customer for a reply, in a room or a consultation: its urgency and its text. */
import { formatSpan, type Translate } from './format.ts'

export type Urgency = 'calm' | 'soon' | 'late'

/** Share of the reply time after which a customer's wait counts as about to be overdue (chat §5). */
const warnShare = 0.7

/** Times of a customer's wait: its start, the time of a warning, and the deadline. */
export interface CaseWait {
  waiting_since: string | null
  warn_at: string | null
  due_at: string | null
}

/** Urgency of a customer's wait; undefined when no customer waits. */
export function urgencyOf(
  { waiting_since: waitingSince, warn_at, due_at: dueAt }: CaseWait,
  now: Date,
): Urgency | undefined {
  if (!waitingSince) return undefined
  const [start, end] = [Date.parse(waitingSince), dueAt ? Date.parse(dueAt) : Number.POSITIVE_INFINITY]
  const warnTime = warn_at ? Date.parse(warn_at) : start + (end - start) * warnShare
  const presentTime = now.getTime()
  return presentTime >= end ? 'late' : presentTime >= warnTime ? 'soon' : 'calm'
}

const waitLabels = { calm: 'chat.waits', soon: 'chat.waitsSoon', late: 'chat.waitsLate' } as const

const shortWaitLabels = { calm: 'chat.waits', soon: 'chat.rowSoon', late: 'chat.rowLate' } as const

/**
 * Text for the wait of a customer: "waits 2 h, overdue", or nothing when nobody waits; `short` omits the
 * verb: "2 h, overdue".
 */
export function waitLabel(t: Translate, wait: CaseWait, now: Date, isShort = false): string | undefined {
  const urgency = urgencyOf(wait, now)
  if (!urgency || !wait.waiting_since) return undefined
  return t((isShort ? shortWaitLabels : waitLabels)[urgency], { time: formatSpan(t, wait.waiting_since, now) })
}

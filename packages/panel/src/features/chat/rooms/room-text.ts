/** Texts for the row of a room in the list. */
import { formatSpan, type Translate } from '../../../lib/format.ts'
import type { OpenRoom, RoomPerson, Room } from '../chat-data.ts'

/** The other side of a room: the customer for the desk, the consultant for the customer. */
export function partnerOf(
  { sender, receiver, assignee }: Pick<OpenRoom, 'sender' | 'receiver' | 'assignee'>,
  reader: number,
): RoomPerson | null {
  return sender.id === reader ? (assignee ?? receiver) : sender
}

/** Text for the last message of a room. */
export function lastMessageText(t: Translate, { last_message: last }: Pick<Room, 'last_message'>): string {
  if (!last) return t('empty.noMessages')
  return last.text ?? t('chat.lastAttachment')
}

export type Urgency = 'calm' | 'soon' | 'late'

/** Share of the reply time after which a customer's wait counts as about to be overdue (chat §5). */
const warnShare = 0.7

type Wait = Pick<Room, 'waiting_since' | 'warn_at' | 'due_at'>

/** Urgency of a customer's wait; undefined when no customer waits. */
export function urgencyOf({ waiting_since: since, warn_at, due_at: due }: Wait, now: Date): Urgency | undefined {
  if (!since) return undefined
  const [start, end] = [Date.parse(since), due ? Date.parse(due) : Number.POSITIVE_INFINITY]
  const warnTime = warn_at ? Date.parse(warn_at) : start + (end - start) * warnShare
  const nowTime = now.getTime()
  return nowTime >= end ? 'late' : nowTime >= warnTime ? 'soon' : 'calm'
}

const waitLabels = { calm: 'chat.waits', soon: 'chat.waitsSoon', late: 'chat.waitsLate' } as const

const shortWaitLabels = { calm: 'chat.waits', soon: 'chat.rowSoon', late: 'chat.rowLate' } as const

/**
 * Text for the wait of a customer: "waits 2 h, overdue", or nothing when nobody waits; `short` omits the
 * verb: "2 h, overdue".
 */
export function waitLabel(t: Translate, room: Wait, now: Date, short = false): string | undefined {
  const urgency = urgencyOf(room, now)
  if (!urgency || !room.waiting_since) return undefined
  return t((short ? shortWaitLabels : waitLabels)[urgency], { time: formatSpan(t, room.waiting_since, now) })
}

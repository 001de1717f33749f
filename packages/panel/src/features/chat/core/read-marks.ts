/**
 * Read marks of a room: how far each side has read, and when the user's own mark is sent (chat §4). The
 * server counts unread messages.
 */
import type { ChatEvents, ChatMessage } from '@dala/model'

interface ReadMark {
  readonly read: number
  readonly deliveredSeq: number
}

/** Highest known read mark of each reader of a room. */
export type Marks = ReadonlyMap<number, ReadMark>

export const noMarks: Marks = new Map()

/** Applies a receipt of read messages. A mark only rises, whatever the order of receipts. */
export function applyReceipt(
  marks: Marks,
  { user, last_read_seq, delivered_seq }: Parameters<ChatEvents['receipt']>[0],
): Marks {
  const { read, deliveredSeq: lastDeliveredSeq } = marks.get(user) ?? { read: 0, deliveredSeq: 0 }
  const newMark = {
    read: Math.max(read, last_read_seq),
    deliveredSeq: Math.max(lastDeliveredSeq, delivered_seq, last_read_seq),
  }
  return newMark.read === read && newMark.deliveredSeq === lastDeliveredSeq ? marks : new Map(marks).set(user, newMark)
}

export type DeliveryProgress = 'sent' | 'delivered' | 'seen'

/** Progress of a message at the other side: the customer is one side, everyone else is the other. */
export function progressOf(
  { seen, seq, sender }: Pick<ChatMessage, 'seen' | 'seq'> & { sender: { id: number } },
  marks: Marks,
  askerId: number,
): DeliveryProgress {
  const isFromAsker = sender.id === askerId
  const otherMarks = [...marks].flatMap(([user, mark]) => ((user === askerId) === isFromAsker ? [] : [mark]))
  if (seen || otherMarks.some(({ read }) => seq <= read)) return 'seen'
  return otherMarks.some(({ deliveredSeq: lastDeliveredSeq }) => seq <= lastDeliveredSeq) ? 'delivered' : 'sent'
}

/** Progress of sending the user's own mark: at most once for each message, and never backwards. */
export interface SentMarks {
  /** Highest read mark of the user that was sent, answered or not. */
  readonly sentSeq: number
  /** Highest read mark of the user that the server has confirmed. */
  readonly confirmedSeq: number
}

export const noSentMarks: SentMarks = { sentSeq: 0, confirmedSeq: 0 }

export interface ShownRoom {
  /** `seq` of the newest visible message of a room. */
  seq: number | undefined
  isVisible: boolean
  isOpen: boolean
}

/** Read mark of a room to send now; undefined when no mark is due. */
export function nextMark({ sentSeq }: SentMarks, { seq, isVisible, isOpen }: ShownRoom): number | undefined {
  return isVisible && isOpen && seq !== undefined && seq > sentSeq ? seq : undefined
}

export const markAsSent = (marks: SentMarks, seq: number): SentMarks => ({
  ...marks,
  sentSeq: Math.max(marks.sentSeq, seq),
})

/** Records the answer to a sent mark; a lost mark is sent again at the next occasion. */
export function applyReadAnswer({ sentSeq, confirmedSeq }: SentMarks, seq: number, isTaken: boolean): SentMarks {
  if (isTaken) return { sentSeq, confirmedSeq: Math.max(confirmedSeq, seq) }
  return { sentSeq: sentSeq === seq ? confirmedSeq : sentSeq, confirmedSeq }
}

/**
 * Read marks of a room: how far each side has read, and when the user's own mark is sent (chat §4). The
 * server counts unread messages.
 */
import type { ChatEvents, ChatMessage } from '@dala/model'

interface ReadMark {
  readonly read: number
  readonly delivered: number
}

/** The highest known mark of each reader. */
export type Marks = ReadonlyMap<number, ReadMark>

export const noMarks: Marks = new Map()

/** Applies a receipt. A mark only rises, whatever the order of receipts. */
export function applyReceipt(
  marks: Marks,
  { user, last_read_seq, delivered_seq }: Parameters<ChatEvents['receipt']>[0],
): Marks {
  const { read, delivered } = marks.get(user) ?? { read: 0, delivered: 0 }
  const next = {
    read: Math.max(read, last_read_seq),
    delivered: Math.max(delivered, delivered_seq, last_read_seq),
  }
  return next.read === read && next.delivered === delivered ? marks : new Map(marks).set(user, next)
}

export type Progress = 'sent' | 'delivered' | 'seen'

/** How far the other side has received a message: the customer is one side, everyone else is the other. */
export function progressOf(
  { seen, seq, sender }: Pick<ChatMessage, 'seen' | 'seq'> & { sender: { id: number } },
  marks: Marks,
  asker: number,
): Progress {
  const isAsked = sender.id === asker
  const others = [...marks].flatMap(([user, reach]) => ((user === asker) === isAsked ? [] : [reach]))
  if (seen || others.some(({ read }) => seq <= read)) return 'seen'
  return others.some(({ delivered }) => seq <= delivered) ? 'delivered' : 'sent'
}

/** Progress of sending the user's own mark: at most once for each message, and never backwards. */
export interface SentMarks {
  /** The highest mark that was sent, answered or not. */
  readonly told: number
  /** The highest that the server has confirmed. */
  readonly confirmed: number
}

export const noSentMarks: SentMarks = { told: 0, confirmed: 0 }

export interface Shown {
  /** The newest visible message. */
  seq: number | undefined
  isVisible: boolean
  isOpen: boolean
}

/** The mark to send now; undefined when there is none. */
export function nextMark({ told }: SentMarks, { seq, isVisible, isOpen }: Shown): number | undefined {
  return isVisible && isOpen && seq !== undefined && seq > told ? seq : undefined
}

export const afterSending = (telling: SentMarks, seq: number): SentMarks => ({
  ...telling,
  told: Math.max(telling.told, seq),
})

/** Records the answer to a sent mark; a lost mark is sent again at the next occasion. */
export function afterAnswer({ told, confirmed }: SentMarks, seq: number, isTaken: boolean): SentMarks {
  if (isTaken) return { told, confirmed: Math.max(confirmed, seq) }
  return { told: told === seq ? confirmed : told, confirmed }
}

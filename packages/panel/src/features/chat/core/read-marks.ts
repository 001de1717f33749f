/** How far each side has read a room, and when the reader's own mark is told (chat §4): unread is the server's number. */
import type { ChatEvents, ChatMessage } from '@dala/model'

interface Reach {
  readonly read: number
  readonly delivered: number
}

/** The highest that was heard of each reader. */
export type Marks = ReadonlyMap<number, Reach>

export const noMarks: Marks = new Map()

/** A mark only rises, whatever order the receipts come in. */
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

/** How far a message has come with the other side: the asker is one, whoever answers him the other. */
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

/** What the server was told of the reader's own place: each message at most once, and never backwards. */
export interface Telling {
  /** The highest that was told, whether it was answered yet or not. */
  readonly told: number
  /** The highest that the server has confirmed. */
  readonly confirmed: number
}

export const nothingTold: Telling = { told: 0, confirmed: 0 }

export interface Shown {
  /** The newest message that stands on screen. */
  seq: number | undefined
  isVisible: boolean
  isOpen: boolean
}

/** The place to tell now; undefined when there is nothing to tell. */
export function toTell({ told }: Telling, { seq, isVisible, isOpen }: Shown): number | undefined {
  return isVisible && isOpen && seq !== undefined && seq > told ? seq : undefined
}

export const afterTelling = (telling: Telling, seq: number): Telling => ({
  ...telling,
  told: Math.max(telling.told, seq),
})

/** The answer to what was told: a lost one is told again when there is an occasion. */
export function afterAnswer({ told, confirmed }: Telling, seq: number, isTaken: boolean): Telling {
  if (isTaken) return { told, confirmed: Math.max(confirmed, seq) }
  return { told: told === seq ? confirmed : told, confirmed }
}

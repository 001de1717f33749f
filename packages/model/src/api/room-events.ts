/**
 * What the chat says on the wire: one shape for the server that tells and for every client that listens (chat
 * §4). A room counts its changes by `rev`; `prev` is the revision before it that the listener may know of, so that
 * hidden notes make no gaps.
 */
import type { RoomState } from './chat.ts'
import type { ChatMessage, DeletedMessage, RoomRow } from './routes/chat/parts.ts'

/** A message too long for a notification: the listener fetches it. */
export interface PartialMessage {
  id: number
  rev: number
  partial: true
}

/** Why somebody may not write to the other side of a room; null where he may (`cannot_write_reason`). */
export const closedReasons = ['customer-removed', 'unassigned', 'not-owner'] as const
export type ClosedReason = (typeof closedReasons)[number]

interface Change {
  rev: number
  prev: number
}
/** Something was said, said otherwise, or taken back. */
export type MessageChange = Change &
  (
    | { type: 'created' | 'updated'; data: ChatMessage | PartialMessage | DeletedMessage }
    | { type: 'deleted'; data: DeletedMessage }
  )
/** The room itself moved: its state, or who has it. */
export type RoomMove = Change &
  (
    | { type: 'state'; data: { from: RoomState; to: RoomState; reason: string | null } }
    | { type: 'assigned'; data: { from: number | null; to: number | null; note: string | null } }
  )
/** One entry of a room's log. */
export type RoomChange = MessageChange | RoomMove

/** What the server says on a socket. */
export interface ChatEvents {
  /** Of messages only: whatever is neither `updated` nor `deleted` appends (spec). */
  update: (event: {
    status: 'created' | 'updated' | 'deleted'
    room: number
    rev: number
    prev: number
    data: ChatMessage | PartialMessage | DeletedMessage
  }) => void
  /** After every change of a room, `row` as this listener's list shows it; without one he has lost sight of the room. */
  'room:changed': (news: { room: number; change: RoomChange; row: RoomRow | null }) => void
  receipt: (news: { room: number; user: number; last_read_seq: number; delivered_seq: number }) => void
  /** Until a moment, ISO. */
  typing: (news: { room: number; user: number; until: string }) => void
  presence: (news: { user: number; state: 'online' | 'offline' }) => void
  assigned: (news: { room: number; from: number | null; to: number | null; note: string | null }) => void
  /** The revisions of the rooms that this socket has joined. */
  tick: (news: { rooms: Readonly<Record<number, number>> }) => void
  /** `counts` differ by listener: null, for him to ask again. */
  'consultation:changed': (news: {
    id: number
    answered: boolean
    finished: boolean
    assignee: number | null
    counts: null
  }) => void
  'session:ended': (news: { reason: string }) => void
}

/** How a word of a client is answered: `code` of the refusal, and the revision of the room for this listener. */
export interface ChatAnswer {
  ok: boolean
  code?: string
  rev?: number
}

/** What a client says on a socket; writing goes by REST. */
export interface ChatWords {
  'room:join': (said: { room: number; rev: number }, answer: (answer: ChatAnswer) => void) => void
  'room:leave': (said: { room: number }, answer: (answer: ChatAnswer) => void) => void
  typing: (said: { room: number; on: boolean }, answer: (answer: ChatAnswer) => void) => void
  delivered: (said: { room: number; seq: number }, answer: (answer: ChatAnswer) => void) => void
}

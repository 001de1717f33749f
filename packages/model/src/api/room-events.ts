/**
 * The socket events of the chat, in one shape for the server and every client (chat §4). `rev` counts the
 * changes of a room; `prev` is the previous revision that the recipient may see, so that hidden notes leave
 * no gaps.
 */
import type { RoomState } from './chat.ts'
import type { ChatMessage, DeletedMessage, RoomRow } from './routes/chat/parts.ts'

/** A chat message too long for a notification; the client fetches its text. */
export interface PartialMessage {
  id: number
  rev: number
  partial: true
}

/** Reasons why a user may not write in a room (`cannot_write_reason`). */
export const closedReasons = ['customer-removed', 'unassigned', 'not-owner'] as const
export type ClosedReason = (typeof closedReasons)[number]

interface Change {
  rev: number
  prev: number
}
/** A change of a room: a message was created, edited or deleted. */
export type MessageChange = Change &
  (
    | { type: 'created' | 'updated'; data: ChatMessage | PartialMessage | DeletedMessage }
    | { type: 'deleted'; data: DeletedMessage }
  )
/** A change of a chat room's state or assignee, or the end of a wait that needed no reply. */
export type RoomTransition = Change &
  (
    | { type: 'state'; data: { from: RoomState; to: RoomState; reason: string | null } }
    | { type: 'no_reply'; data: { reason: string | null } }
    | { type: 'assigned'; data: { from: number | null; to: number | null; note: string | null } }
  )
/** One change in a chat room's log. */
export type RoomChange = MessageChange | RoomTransition

/** Socket events of the chat from the server. */
export interface ChatEvents {
  /** Event of chat messages only. Every status except `updated` and `deleted` appends a message (spec). */
  update: (event: {
    status: 'created' | 'updated' | 'deleted'
    room: number
    rev: number
    prev: number
    data: ChatMessage | PartialMessage | DeletedMessage
  }) => void
  /**
   * Event after every change of a chat room. `row` is the room as the recipient's list shows it, null when
   * they can no longer see the room.
   */
  'room:changed': (payload: { room: number; change: RoomChange; row: RoomRow | null }) => void
  receipt: (payload: { room: number; user: number; last_read_seq: number; delivered_seq: number }) => void
  /** Typing indicator that expires at `until`, an ISO time. */
  typing: (payload: { room: number; user: number; until: string }) => void
  presence: (payload: { user: number; state: 'online' | 'offline' }) => void
  assigned: (payload: { room: number; from: number | null; to: number | null; note: string | null }) => void
  /** Latest revisions of the chat rooms that the socket has joined. */
  tick: (payload: { rooms: Readonly<Record<number, number>> }) => void
  /**
   * The `counts` of chat rooms differ between recipients, so they are null and each client requests its own.
   */
  'consultation:changed': (payload: {
    id: number
    answered: boolean
    finished: boolean
    assignee: number | null
    counts: null
  }) => void
  'session:ended': (payload: { reason: string }) => void
}

/**
 * The acknowledgement of a client event: `code` of an error, and the revision of the room for this client.
 */
export interface ChatAnswer {
  ok: boolean
  code?: string
  rev?: number
}

/** Socket events of the chat from a client; messages are written by REST. */
export interface ClientEvents {
  'room:join': (said: { room: number; rev: number }, answer: (answer: ChatAnswer) => void) => void
  'room:leave': (said: { room: number }, answer: (answer: ChatAnswer) => void) => void
  typing: (said: { room: number; on: boolean }, answer: (answer: ChatAnswer) => void) => void
  delivered: (said: { room: number; seq: number }, answer: (answer: ChatAnswer) => void) => void
}

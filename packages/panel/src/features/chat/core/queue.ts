/**
 * Messages on their way to the server (chat §7): in order within a room, each by one id however often it is
 * sent. A refused message delays the later ones of its room; other rooms go on.
 */
import type { ChatAttachment, QuotedMessage } from '@dala/model'

export interface OutgoingMessage {
  /**
   * Id of a message, created once by this browser: the server stores the message once, however often it is
   * sent (chat §4).
   */
  clientId: string
  user: number
  room: number
  kind: 'message' | 'note'
  text: string
  attachments: readonly ChatAttachment[]
  replyTo: number | null
  /** Quoted message, shown until the queued message is sent. */
  quoted: QuotedMessage | null
  /** Time of writing, ISO, by the local clock: for display only, never for ordering. */
  at: string
  /** Position of the queued message among all messages written in this browser. */
  order: number
  /** `sent`: the server has the queued message, but the thread does not show it yet. */
  state: 'queued' | 'sending' | 'sent' | 'failed'
  /** Reason why the server refused the message, as text for the user. */
  reason?: string
  /** Number of attempts to send the message without a response. */
  tries: number
  /** Whether the author has confirmed that an old message is sent. */
  isConfirmed?: boolean
}

export type Queue = readonly OutgoingMessage[]

/** Milliseconds after which a waiting message is sent only when its author confirms it. */
export const confirmAfterMs = 24 * 3_600_000

const compareOrder = (one: OutgoingMessage, other: OutgoingMessage) =>
  one.order - other.order || (one.clientId < other.clientId ? -1 : 1)

const change = (
  queue: Queue,
  clientId: string,
  changeMessage: (queuedMessage: OutgoingMessage) => OutgoingMessage,
): Queue =>
  queue.map((outgoingMessage) =>
    outgoingMessage.clientId === clientId ? changeMessage(outgoingMessage) : outgoingMessage,
  )

const removeReason = ({ reason: _reason, ...queuedMessage }: OutgoingMessage): OutgoingMessage => queuedMessage

/** Appends a message to the queue; a message that is already queued stays as it is. */
export function enqueueMessage(queue: Queue, queuedMessage: Omit<OutgoingMessage, 'order' | 'state' | 'tries'>): Queue {
  if (queue.some(({ clientId }) => clientId === queuedMessage.clientId)) return queue
  const order = 1 + Math.max(0, ...queue.map((outgoingMessage) => outgoingMessage.order))
  return [...queue, { ...queuedMessage, order, state: 'queued', tries: 0 }]
}

/**
 * Whether the author must confirm an old message before it is sent. A wrong clock only asks once too often,
 * or not at all.
 */
export const needsConfirmation = ({ state, at, isConfirmed }: OutgoingMessage, now: number): boolean =>
  state === 'queued' && !isConfirmed && now - Date.parse(at) > confirmAfterMs

/** Returns whether a queued message waits for a decision of its author. */
export const isBlocking = (queuedMessage: OutgoingMessage, now: number): boolean =>
  queuedMessage.state === 'failed' || needsConfirmation(queuedMessage, now)

/** The first message of a room that the server does not have; later messages of the room wait for it. */
function firstUnsentOf(queue: Queue, room: number): OutgoingMessage | undefined {
  return queue
    .filter((outgoingMessage) => outgoingMessage.room === room && outgoingMessage.state !== 'sent')
    .toSorted(compareOrder)[0]
}

/** Queued messages to send now: at most one of each room. */
export function messagesToSend(queue: Queue, now: number): OutgoingMessage[] {
  const rooms = new Set(queue.map(({ room }) => room))
  return [...rooms].flatMap((room) => {
    const firstUnsent = firstUnsentOf(queue, room)
    return firstUnsent?.state === 'queued' && !needsConfirmation(firstUnsent, now) ? [firstUnsent] : []
  })
}

/** Whether an earlier message of the room, failed or unconfirmed, blocks this one. */
export function isBlockedByEarlier(queue: Queue, queuedMessage: OutgoingMessage, now: number): boolean {
  const firstUnsent = firstUnsentOf(queue, queuedMessage.room)
  const isBlocked = firstUnsent !== undefined && isBlocking(firstUnsent, now)
  return isBlocked && queuedMessage.state === 'queued' && compareOrder(firstUnsent, queuedMessage) < 0
}

export const startSending = (queue: Queue, clientId: string): Queue =>
  change(queue, clientId, (outgoingMessage) =>
    outgoingMessage.state === 'queued' ? { ...removeReason(outgoingMessage), state: 'sending' } : outgoingMessage,
  )

/** Result of sending a queued message. `lost`: unknown, so it is sent again. */
export type Outcome = { is: 'taken' } | { is: 'refused'; reason: string } | { is: 'lost' }

export function applyOutcome(queue: Queue, clientId: string, outcome: Outcome): Queue {
  return change(queue, clientId, (outgoingMessage) => {
    if (outgoingMessage.state !== 'sending') return outgoingMessage
    if (outcome.is === 'taken') return { ...removeReason(outgoingMessage), state: 'sent' }
    if (outcome.is === 'refused') return { ...outgoingMessage, state: 'failed', reason: outcome.reason }
    return { ...outgoingMessage, state: 'queued', tries: outgoingMessage.tries + 1 }
  })
}

/** Queues a failed or unconfirmed message again at its author's request. */
export const retry = (queue: Queue, clientId: string): Queue =>
  change(queue, clientId, (outgoingMessage) =>
    outgoingMessage.state === 'failed' || outgoingMessage.state === 'queued'
      ? { ...removeReason(outgoingMessage), state: 'queued', tries: 0, isConfirmed: true }
      : outgoingMessage,
  )

export const remove = (queue: Queue, clientIds: ReadonlySet<string>): Queue =>
  queue.some(({ clientId }) => clientIds.has(clientId))
    ? queue.filter(({ clientId }) => !clientIds.has(clientId))
    : queue

/** Queues messages again whose send was interrupted by a reload, because its result is unknown. */
export const requeueInterrupted = (queue: Queue): Queue =>
  queue.some(({ state }) => state === 'sending')
    ? queue.map((outgoingMessage) =>
        outgoingMessage.state === 'sending' ? { ...outgoingMessage, state: 'queued' } : outgoingMessage,
      )
    : queue

/** Milliseconds to wait after a number of attempts to send without an answer. */
export const pauseAfter = (tries: number): number => Math.min(1_000 * 2 ** Math.max(0, tries - 1), 30_000)

/** Queued messages that the server does not have. */
export const unsentMessagesOf = (queue: Queue): Queue => queue.filter(({ state }) => state !== 'sent')

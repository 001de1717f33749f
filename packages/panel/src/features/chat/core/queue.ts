/**
 * Messages on their way to the server (chat §7): in order within a room, each by one id however often it is
 * sent. One that is refused holds back the later ones of its room; other rooms go on.
 */
import type { ChatAttachment, QuotedMessage } from '@dala/model'

export interface Outgoing {
  /** Made once for each message that is written: however often it is sent, the server keeps one (chat §4). */
  clientId: string
  user: number
  room: number
  kind: 'message' | 'note'
  text: string
  attachments: readonly ChatAttachment[]
  replyTo: number | null
  /** What it answers, to be shown while it is on its way. */
  quoted: QuotedMessage | null
  /** When it was written, ISO, by the clock of this machine: shown, never ordered by. */
  at: string
  /** Its place among all that were written in this browser. */
  order: number
  /** `sent`: the server has it, and the thread does not show it yet. */
  state: 'queued' | 'sending' | 'sent' | 'failed'
  /** Why it was refused, in words. */
  reason?: string
  /** How often it got no answer. */
  tries: number
  /** The writer was asked whether an old one shall still go. */
  isConfirmed?: boolean
}

export type Queue = readonly Outgoing[]

/** A message that waited for longer is sent only when its writer says so. */
export const oldAfter = 24 * 3_600_000

const byOrder = (one: Outgoing, other: Outgoing) => one.order - other.order || (one.clientId < other.clientId ? -1 : 1)

const change = (queue: Queue, clientId: string, next: (outgoing: Outgoing) => Outgoing): Queue =>
  queue.map((each) => (each.clientId === clientId ? next(each) : each))

const without = ({ reason: _reason, ...outgoing }: Outgoing): Outgoing => outgoing

/** Adds a message behind the others; one that is there already stays as it is. */
export function enqueue(queue: Queue, outgoing: Omit<Outgoing, 'order' | 'state' | 'tries'>): Queue {
  if (queue.some(({ clientId }) => clientId === outgoing.clientId)) return queue
  const order = 1 + Math.max(0, ...queue.map((each) => each.order))
  return [...queue, { ...outgoing, order, state: 'queued', tries: 0 }]
}

/** Whether its writer has to say first that it shall still go. A clock that is wrong asks once too often, or not. */
export const asksFirst = ({ state, at, isConfirmed }: Outgoing, now: number): boolean =>
  state === 'queued' && !isConfirmed && now - Date.parse(at) > oldAfter

/** Whether it stays until its writer says what shall become of it. */
export const isStuck = (outgoing: Outgoing, now: number): boolean =>
  outgoing.state === 'failed' || asksFirst(outgoing, now)

/** What a room's messages wait for: the first that the server does not have. */
function headOf(queue: Queue, room: number): Outgoing | undefined {
  return queue.filter((each) => each.room === room && each.state !== 'sent').toSorted(byOrder)[0]
}

/** The messages to be sent now: of each room at most one. */
export function nextToSend(queue: Queue, now: number): Outgoing[] {
  const rooms = new Set(queue.map(({ room }) => room))
  return [...rooms].flatMap((room) => {
    const head = headOf(queue, room)
    return head?.state === 'queued' && !asksFirst(head, now) ? [head] : []
  })
}

/** Whether an earlier one of its room, which failed or has to be asked about, holds it back. */
export function isHeldBack(queue: Queue, outgoing: Outgoing, now: number): boolean {
  const head = headOf(queue, outgoing.room)
  const holds = head !== undefined && isStuck(head, now)
  return holds && outgoing.state === 'queued' && byOrder(head, outgoing) < 0
}

export const startSending = (queue: Queue, clientId: string): Queue =>
  change(queue, clientId, (each) => (each.state === 'queued' ? { ...without(each), state: 'sending' } : each))

/** What has become of a message that was sent. `lost`: nobody knows, so it goes again. */
export type Outcome = { is: 'taken' } | { is: 'refused'; reason: string } | { is: 'lost' }

export function settle(queue: Queue, clientId: string, outcome: Outcome): Queue {
  return change(queue, clientId, (each) => {
    if (each.state !== 'sending') return each
    if (outcome.is === 'taken') return { ...without(each), state: 'sent' }
    if (outcome.is === 'refused') return { ...each, state: 'failed', reason: outcome.reason }
    return { ...each, state: 'queued', tries: each.tries + 1 }
  })
}

/** The writer wants one to go that failed, or that he was asked about. */
export const retry = (queue: Queue, clientId: string): Queue =>
  change(queue, clientId, (each) =>
    each.state === 'failed' || each.state === 'queued'
      ? { ...without(each), state: 'queued', tries: 0, isConfirmed: true }
      : each,
  )

export const remove = (queue: Queue, clientIds: ReadonlySet<string>): Queue =>
  queue.some(({ clientId }) => clientIds.has(clientId))
    ? queue.filter(({ clientId }) => !clientIds.has(clientId))
    : queue

/** After a reload nobody knows what became of those that were being sent. */
export const recover = (queue: Queue): Queue =>
  queue.some(({ state }) => state === 'sending')
    ? queue.map((each) => (each.state === 'sending' ? { ...each, state: 'queued' } : each))
    : queue

/** How long to wait after so many tries without an answer, in milliseconds. */
export const pauseAfter = (tries: number): number => Math.min(1_000 * 2 ** Math.max(0, tries - 1), 30_000)

/** Those that the server does not have. */
export const unsent = (queue: Queue): Queue => queue.filter(({ state }) => state !== 'sent')

/** Sends what is in the outbox: one tab for all of them, one message of a room at a time, again until the server answers. */
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { onConnection } from '../../../api/connection.ts'
import { wordsOfFailure } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { hasToken, meQuery } from '../../../api/session.ts'
import { subscribeToViewing, viewedRole } from '../../../api/viewing.ts'
import { atSessionEnd } from '../../../lib/session-end.ts'
import { chatKeys } from '../chat-data.ts'
import { nextToSend, type Outcome, type Outgoing, pauseAfter, settle, startSending } from '../core/queue.ts'
import { changeQueue, openOutbox, ownerOfOutbox, readQueue, recoverQueue, subscribeToQueue } from './outbox.ts'
import { roomStoresOf } from '../live/use-room-log.ts'

let running: { user: number; cache: QueryClient; end: AbortController } | undefined
/** Rooms that got no answer are tried again then, in milliseconds. */
const notBefore = new Map<number, number>()
let timer: ReturnType<typeof setTimeout> | undefined

const post = ({ room, user, text, kind, clientId, replyTo, attachments }: Outgoing) =>
  callRoute('POST /api/chatmessages', {
    body: {
      data: {
        room,
        // Another tab may have signed in somebody else: the server refuses what is not his (contract §11).
        sender: user,
        text: text || null,
        kind,
        client_id: clientId,
        ...(replyTo !== null && { reply_to: replyTo }),
        ...(attachments.length > 0 && { attachments: [...attachments] }),
      },
    },
  })

/** What a failure means: an answer that would be the same again is one, and no answer is none. */
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof ApiError)) return { is: 'lost' }
  const { status } = error
  const isRefused = status >= 400 && status < 500 && ![401, 408, 429].includes(status)
  return isRefused ? { is: 'refused', reason: wordsOfFailure(error) } : { is: 'lost' }
}

async function send(outgoing: Outgoing, cache: QueryClient): Promise<void> {
  const { clientId, room, tries, user } = outgoing
  // On the disk before it leaves: what is lost on the way is sent again by the next page.
  await changeQueue((queue) => startSending(queue, clientId))
  let outcome: Outcome
  try {
    const { rev } = await post(outgoing)
    outcome = { is: 'taken' }
    roomStoresOf(cache).get(room)?.expect(rev)
  } catch (error) {
    outcome = outcomeOf(error)
    const retryAt = error instanceof ApiError ? error.retryAt : undefined
    if (outcome.is === 'lost') notBefore.set(room, retryAt ?? Date.now() + pauseAfter(tries + 1))
    // Somebody else may have the room by now.
    else void cache.invalidateQueries({ queryKey: chatKeys.room(room) })
    if (error instanceof ApiError && error.status === 401) void cache.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  if (user === ownerOfOutbox()) void changeQueue((queue) => settle(queue, clientId, outcome))
}

/** Sends what may go now, and comes back for the rest. */
function pump(): void {
  clearTimeout(timer)
  // Looking as another role, nothing is sent; it waits.
  if (!running || running.user !== ownerOfOutbox() || !hasToken() || viewedRole()) return
  const now = Date.now()
  const waiting: number[] = []
  for (const outgoing of nextToSend(readQueue(), now)) {
    const at = notBefore.get(outgoing.room) ?? 0
    if (at > now) waiting.push(at)
    else void send(outgoing, running.cache)
  }
  if (waiting.length > 0) timer = setTimeout(pump, Math.min(...waiting) - now)
}

/** There may be a connection again: nobody need wait for a pause to end. */
export function sendNow(): void {
  notBefore.clear()
  pump()
}

/** Until this tab looks as another role, or does so no more; or until its turn is over. */
async function untilViewing(isViewing: boolean, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined
  await new Promise<void>((resolve) => {
    const look = () => {
      if (signal.aborted || (viewedRole() !== undefined) === isViewing) resolve()
    }
    stop = subscribeToViewing(look)
    signal.addEventListener('abort', look)
    look()
  })
  stop()
}

/**
 * Holds the lock between tabs for as long as the session lasts, and leaves it to another tab while this one looks as
 * another role; without locks every tab sends, which does no harm.
 */
async function lead(signal: AbortSignal): Promise<void> {
  const work = async () => {
    if (signal.aborted) return
    await recoverQueue()
    const stops = [subscribeToQueue(pump), onConnection((connected) => connected && sendNow())]
    window.addEventListener('online', sendNow)
    pump()
    await untilViewing(true, signal)
    for (const stop of stops) stop()
    window.removeEventListener('online', sendNow)
  }
  try {
    while (!signal.aborted) {
      await untilViewing(false, signal)
      await ('locks' in navigator ? navigator.locks.request('outbox', { signal }, work) : work())
    }
  } catch {
    // Given up while waiting.
  }
}

/** Opens the outbox of who is signed in and begins to send. */
export async function startSender(cache: QueryClient, user: number): Promise<void> {
  if (running?.user === user && running.cache === cache) return
  stopSender()
  const end = new AbortController()
  running = { user, cache, end }
  await openOutbox(user)
  await lead(end.signal)
}

export function stopSender(): void {
  running?.end.abort()
  running = undefined
  notBefore.clear()
  clearTimeout(timer)
}
atSessionEnd(stopSender)

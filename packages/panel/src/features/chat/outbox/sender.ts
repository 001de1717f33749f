/** Sends the outbox: one tab for all, one message of a room at a time, retried until the server answers. */
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { onConnection } from '../../../api/connection.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { hasToken, meQuery } from '../../../api/session.ts'
import { subscribeToViewing, viewedRole } from '../../../api/viewing.ts'
import { onSessionEnd } from '../../../lib/session-end.ts'
import { chatKeys } from '../chat-data.ts'
import {
  messagesToSend,
  type Outcome,
  type OutgoingMessage,
  pauseAfter,
  applyOutcome,
  startSending,
} from '../core/queue.ts'
import { changeQueue, openOutbox, ownerOfOutbox, readQueue, recoverQueue, subscribeToQueue } from './outbox.ts'
import { expectOwnRevision } from '../live/use-room-log.ts'

let activeSender: { user: number; cache: QueryClient; end: AbortController } | undefined
/** Times in milliseconds before which rooms without an answer are not retried. */
const retryTimes = new Map<number, number>()
let timer: ReturnType<typeof setTimeout> | undefined

const post = ({ room, user, text, kind, clientId, replyTo, attachments }: OutgoingMessage) =>
  callRoute('POST /api/chatmessages', {
    body: {
      data: {
        room,
        // The server refuses a message if another user has signed in in another tab (contract §11).
        sender: user,
        text: text || null,
        kind,
        client_id: clientId,
        ...(replyTo !== null && { reply_to: replyTo }),
        ...(attachments.length > 0 && { attachments: [...attachments] }),
      },
    },
  })

/** Maps a failed send of a message to an outcome: a final answer is a refusal, no answer means lost. */
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof ApiError)) return { is: 'lost' }
  const { status } = error
  const isRefused = status >= 400 && status < 500 && ![401, 408, 429].includes(status)
  return isRefused ? { is: 'refused', reason: messageOfFailure(error) } : { is: 'lost' }
}

async function send(unsentMessage: OutgoingMessage, cache: QueryClient): Promise<void> {
  const { clientId, room, tries, user } = unsentMessage
  // A message is stored before it is sent: if the page is closed during the request, the next page sends it
  // again.
  await changeQueue((queue) => startSending(queue, clientId))
  let sendOutcome: Outcome
  try {
    const { rev } = await post(unsentMessage)
    sendOutcome = { is: 'taken' }
    expectOwnRevision(cache, room, rev)
  } catch (error) {
    sendOutcome = outcomeOf(error)
    const retryTime = error instanceof ApiError ? error.retryTime : undefined
    if (sendOutcome.is === 'lost') retryTimes.set(room, retryTime ?? Date.now() + pauseAfter(tries + 1))
    // The room may have another owner by the time the message is refused.
    else void cache.invalidateQueries({ queryKey: chatKeys.room(room) })
    if (error instanceof ApiError && error.status === 401) void cache.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  if (user === ownerOfOutbox()) void changeQueue((queue) => applyOutcome(queue, clientId, sendOutcome))
}

/** Sends the messages of the outbox that may be sent now, and continues with the rest. */
function sendNextMessages(): void {
  clearTimeout(timer)
  // Messages wait while the user views the panel as another role.
  if (!activeSender || activeSender.user !== ownerOfOutbox() || !hasToken() || viewedRole()) return
  const now = Date.now()
  const delays: number[] = []
  for (const outgoingMessage of messagesToSend(readQueue(), now)) {
    const retryStart = retryTimes.get(outgoingMessage.room) ?? 0
    if (retryStart > now) delays.push(retryStart)
    else void send(outgoingMessage, activeSender.cache)
  }
  if (delays.length > 0) timer = setTimeout(sendNextMessages, Math.min(...delays) - now)
}

/** Skips the pauses between attempts to send messages, because the connection may be back. */
export function sendOutbox(): void {
  retryTimes.clear()
  sendNextMessages()
}

/** Resolves when this tab starts or stops viewing as another role, or when the signal aborts. */
async function waitForViewing(isViewing: boolean, signal: AbortSignal): Promise<void> {
  let unsubscribe: () => void = () => undefined
  await new Promise<void>((resolve) => {
    const checkViewing = () => {
      if (signal.aborted || (viewedRole() !== undefined) === isViewing) resolve()
    }
    unsubscribe = subscribeToViewing(checkViewing)
    signal.addEventListener('abort', checkViewing)
    checkViewing()
  })
  unsubscribe()
}

/**
 * Holds the lock between tabs during the session, and releases it while this tab views as another role.
 * Without the Web Locks API every tab sends, which does no harm.
 */
async function sendQueueAsLeader(signal: AbortSignal): Promise<void> {
  const sendUntilAborted = async () => {
    if (signal.aborted) return
    await recoverQueue()
    const unsubscribers = [
      subscribeToQueue(sendNextMessages),
      onConnection((isConnected) => isConnected && sendOutbox()),
    ]
    window.addEventListener('online', sendOutbox)
    sendNextMessages()
    await waitForViewing(true, signal)
    for (const unsubscribe of unsubscribers) unsubscribe()
    window.removeEventListener('online', sendOutbox)
  }
  try {
    while (!signal.aborted) {
      await waitForViewing(false, signal)
      await ('locks' in navigator
        ? navigator.locks.request('outbox', { signal }, sendUntilAborted)
        : sendUntilAborted())
    }
  } catch {
    // The wait for the lock of the outbox was aborted: another user signed in, or the page closes.
  }
}

/** Opens the outbox of the signed-in user and starts to send. */
export async function startSender(cache: QueryClient, user: number): Promise<void> {
  if (activeSender?.user === user && activeSender.cache === cache) return
  stopSender()
  const end = new AbortController()
  activeSender = { user, cache, end }
  await openOutbox(user)
  await sendQueueAsLeader(end.signal)
}

export function stopSender(): void {
  activeSender?.end.abort()
  activeSender = undefined
  retryTimes.clear()
  clearTimeout(timer)
}
onSessionEnd(stopSender)

/** The outbox in memory, persisted in IndexedDB and synchronised between all tabs of the browser. */
import { useSyncExternalStore } from 'react'
import { onSessionEnd } from '../../../lib/session-end.ts'
import { type OutgoingMessage, type Queue, requeueInterrupted, remove, unsentMessagesOf } from '../core/queue.ts'
import { readOutbox, writeOutbox } from './store.ts'

interface QueueUpdate {
  user: number
  put: readonly OutgoingMessage[]
  drop: readonly string[]
}

let owner: number | undefined
let queue: Queue = []
let loadingOutbox: Promise<void> | undefined
/** Promise of the last write to the outbox database: writes run one after the other. */
let lastWrite: Promise<void> = Promise.resolve()
let otherTabs: BroadcastChannel | undefined
const listeners = new Set<() => void>()

function show(newQueue: Queue): void {
  queue = newQueue
  for (const listener of listeners) listener()
}

/** Applies a change of the outbox from another tab without writing the change again. */
function applyQueueUpdate({ user, put, drop }: QueueUpdate): void {
  if (user !== owner) return
  const messagesByClientId = new Map(queue.map((outgoingMessage) => [outgoingMessage.clientId, outgoingMessage]))
  for (const queuedMessage of put) messagesByClientId.set(queuedMessage.clientId, queuedMessage)
  for (const clientId of drop) messagesByClientId.delete(clientId)
  show([...messagesByClientId.values()])
}

/**
 * Changes the queue: immediately here, a moment later in other tabs and in the database. Resolves when it is
 * stored.
 */
export function changeQueue(applyChange: (queue: Queue) => Queue): Promise<void> {
  const formerMessages = new Map(queue.map((outgoingMessage) => [outgoingMessage.clientId, outgoingMessage]))
  const changedQueue = applyChange(queue)
  if (changedQueue === queue || owner === undefined) return lastWrite
  const putMessages = changedQueue.filter(
    (outgoingMessage) => formerMessages.get(outgoingMessage.clientId) !== outgoingMessage,
  )
  const remainingIds = new Set(changedQueue.map(({ clientId }) => clientId))
  const droppedIds = [...formerMessages.keys()].filter((clientId) => !remainingIds.has(clientId))
  show(changedQueue)
  otherTabs?.postMessage({ user: owner, put: putMessages, drop: droppedIds } satisfies QueueUpdate)
  // A sent message is shown until the thread has it, and need not survive the page.
  const sentIds = putMessages.flatMap(({ state, clientId }) => (state === 'sent' ? clientId : []))
  const rows = putMessages.filter(({ state }) => state !== 'sent')
  lastWrite = lastWrite.then(() => writeOutbox(rows, [...droppedIds, ...sentIds]))
  return lastWrite
}

/** Loads the stored messages of the outbox's owner; those already in memory are newer. */
async function loadOutbox(user: number): Promise<void> {
  const storedMessages = await readOutbox(user)
  if (user !== owner) return
  const knownIds = new Set(queue.map(({ clientId }) => clientId))
  show([...storedMessages.filter(({ clientId }) => !knownIds.has(clientId)), ...queue])
}

/** Opens the outbox of a user, once for each page. */
export function openOutbox(user: number): Promise<void> {
  if (owner === user && loadingOutbox) return loadingOutbox
  closeOutbox()
  owner = user
  if (typeof BroadcastChannel !== 'undefined') {
    otherTabs = new BroadcastChannel('outbox')
    otherTabs.addEventListener('message', ({ data }: MessageEvent<QueueUpdate>) => applyQueueUpdate(data))
  }
  loadingOutbox = loadOutbox(user)
  return loadingOutbox
}

/** Clears the outbox in memory; the database keeps the messages for their author. */
export function closeOutbox(): void {
  otherTabs?.close()
  otherTabs = undefined
  owner = undefined
  loadingOutbox = undefined
  show([])
}
onSessionEnd(closeOutbox)

/** Queues messages of the outbox again whose send was interrupted. */
export const recoverQueue = (): Promise<void> => changeQueue(requeueInterrupted)

export const ownerOfOutbox = (): number | undefined => owner
export const readQueue = (): Queue => queue

/** Removes messages from the outbox that the thread now shows, or that their author has deleted. */
export function dropOutgoingMessages(clientIds: ReadonlySet<string>): void {
  void changeQueue((currentQueue) => remove(currentQueue, clientIds))
}

export function subscribeToQueue(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Unsent messages of one chat room, in the order of writing. */
export function useOutbox(room: number): readonly OutgoingMessage[] {
  const allMessages = useSyncExternalStore(subscribeToQueue, readQueue)
  return allMessages
    .filter((outgoingMessage) => outgoingMessage.room === room)
    .toSorted((one, other) => one.order - other.order)
}

/**
 * Number of messages that the server does not have: for the status bar and the question before signing out.
 */
export const useUnsentCount = (): number => unsentMessagesOf(useSyncExternalStore(subscribeToQueue, readQueue)).length

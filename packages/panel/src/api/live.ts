/**
 * The page's one socket: changes made elsewhere, other people who have the same record open, and the chat's
 * events.
 */
import type { ChatAnswer, ChatEvents, ClientEvents, Locale, ModerationEvent, ReportsChanged } from '@dala/model'
import { io, type Socket } from 'socket.io-client'
import { readStorage, storageKeys } from '../lib/storage-keys.ts'
import { setConnected } from './connection.ts'
import { emitReportsChanged } from './report-events.ts'

/** Person who has the same record open; `locale` is the language they write in. */
export interface Editor {
  id: number
  name: string
  locale: Locale | null
  /** Part of the record that the person writes in, as the page names its parts. */
  part?: string
}

/** Record that is open in a form on this page. */
export interface EditLocation {
  resource: string
  id: number
  locale: Locale | null
  part?: string | null
}

/** Wire names of the resources that changed, or `all` after a time without a connection. */
export type ChangeUpdate = readonly string[] | 'all'

interface EditorsUpdate {
  resource: string
  id: number
  people: Editor[]
}

/** Payload of a chat event. */
export type ChatPayload<K extends ReceivedEvent> = Parameters<ChatEvents[K]>[0]

/** The listeners of a chat event, and the function that forwards it to them from the socket. */
function makeChannel<K extends ReceivedEvent>(name: K) {
  const listeners = new Set<(payload: ChatPayload<K>) => void>()
  const relayEvents = (socket: Socket) => {
    socket.on<string>(name, (payload: ChatPayload<K>) => {
      for (const listener of listeners) listener(payload)
    })
  }
  return { listeners, relay: relayEvents }
}

/**
 * Chat events that the panel receives. `update` is for other clients; `room:changed` has its messages too.
 */
type ReceivedEvent = Exclude<keyof ChatEvents, 'update'>

/** Channel of each event; its types ensure that no event is missing. */
const chatChannels: { readonly [K in ReceivedEvent]: ReturnType<typeof makeChannel<K>> } = {
  'room:changed': makeChannel('room:changed'),
  receipt: makeChannel('receipt'),
  typing: makeChannel('typing'),
  presence: makeChannel('presence'),
  assigned: makeChannel('assigned'),
  tick: makeChannel('tick'),
  'session:ended': makeChannel('session:ended'),
  'consultation:changed': makeChannel('consultation:changed'),
}

/**
 * Subscribes to an event of the chat.
 *
 * @returns A function that unsubscribes.
 */
export function onChat<K extends ReceivedEvent>(name: K, listener: (payload: ChatPayload<K>) => void): () => void {
  chatChannels[name].listeners.add(listener)
  return () => void chatChannels[name].listeners.delete(listener)
}

/** Milliseconds to wait for the response to an emitted event. */
const answerTimeout = 10_000

/**
 * Sends an event of the chat.
 *
 * @returns The answer; undefined without a connection, or when no answer arrives.
 */
export async function emitChat<K extends keyof ClientEvents>(
  name: K,
  payload: Parameters<ClientEvents[K]>[0],
): Promise<ChatAnswer | undefined> {
  if (!socket?.connected) return undefined
  try {
    return (await socket.timeout(answerTimeout).emitWithAck(name, payload)) as ChatAnswer
  } catch {
    return undefined
  }
}

const moderationListeners = new Set<(event: ModerationEvent) => void>()

/**
 * Subscribes to updates of the queue of trading posts.
 *
 * @returns A function that unsubscribes.
 */
export function onModeration(listener: (event: ModerationEvent) => void): () => void {
  moderationListeners.add(listener)
  return () => void moderationListeners.delete(listener)
}

const inboxListeners = new Set<() => void>()

/**
 * Subscribes to changes of the user's inbox.
 *
 * @returns A function that unsubscribes.
 */
export function onInboxChanged(listener: () => void): () => void {
  inboxListeners.add(listener)
  return () => void inboxListeners.delete(listener)
}

const changeListeners = new Set<(update: ChangeUpdate) => void>()
const editorListeners = new Set<(update: EditorsUpdate) => void>()
/** The records open in forms, newest last: a form may close after the next one has opened. */
let editLocations: readonly EditLocation[] = []
let socket: Socket | undefined

function emitLocation(): void {
  const location = editLocations.at(-1) ?? null
  socket?.emit('editing', location, ({ data }: { data: { people: Editor[] } | null }) => {
    if (!location || !data) return
    for (const listener of editorListeners) listener({ ...location, people: data.people })
  })
}

/** Milliseconds to wait before asking the server again to accept this session. */
const reconnectDelay = 2_000

/**
 * Connects the socket of live updates for as long as somebody is signed in.
 *
 * @param onRefused - Called when the server ends the connection or refuses it: the session may have ended.
 * @returns A function that disconnects.
 */
export function openLiveSocket(onRefused: () => void): () => void {
  let isFirst = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const connection = io({
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    auth: (respond) => respond({ token: readStorage(storageKeys.token) }),
  })
  const reconnectSocket = () => {
    onRefused()
    timer = setTimeout(() => readStorage(storageKeys.token) && connection.connect(), reconnectDelay)
  }
  connection.on('connect', () => {
    // Changes made while the socket was disconnected are unknown, so all resources count as changed.
    if (!isFirst) for (const listener of changeListeners) listener('all')
    isFirst = false
    if (editLocations.length > 0) emitLocation()
    setConnected(true, connection.id)
  })
  connection.on('disconnect', (reason) => {
    setConnected(false)
    if (reason === 'io server disconnect') reconnectSocket()
  })
  // Socket.IO itself reconnects after a lost network, but not after a refusal by the server.
  connection.on(
    'connect_error',
    (error: Error & { data?: { status: number } }) => error.data?.status === 401 && reconnectSocket(),
  )
  connection.on('changed', ({ resources }: { resources: string[] }) => {
    for (const listener of changeListeners) listener(resources)
  })
  connection.on('editors', (update: EditorsUpdate) => {
    for (const listener of editorListeners) listener(update)
  })
  connection.on('moderation:changed', (event: ModerationEvent) => {
    for (const listener of moderationListeners) listener(event)
  })
  connection.on('notices:changed', () => {
    for (const listener of inboxListeners) listener()
  })
  connection.on('statistics:changed', (update: ReportsChanged) => emitReportsChanged(update))
  for (const { relay } of Object.values(chatChannels)) relay(connection)
  connection.on('session:ended', onRefused)
  socket = connection
  return () => {
    clearTimeout(timer)
    connection.disconnect()
    if (socket === connection) socket = undefined
    setConnected(false)
  }
}

/**
 * Subscribes to changes of records.
 *
 * @returns A function that unsubscribes.
 */
export function onChanged(listener: (update: ChangeUpdate) => void): () => void {
  changeListeners.add(listener)
  return () => void changeListeners.delete(listener)
}

/**
 * Announces that a record is open here, and subscribes to the other people who have it open.
 *
 * @returns A function that ends both.
 */
export function joinEditors(location: EditLocation, listener: (people: readonly Editor[]) => void): () => void {
  const handleEditors = ({ resource, id, people }: EditorsUpdate) => {
    if (resource === location.resource && id === location.id) listener(people)
  }
  editorListeners.add(handleEditors)
  editLocations = [...editLocations, location]
  emitLocation()
  return () => {
    editorListeners.delete(handleEditors)
    editLocations = editLocations.filter((editLocation) => editLocation !== location)
    emitLocation()
  }
}

/** Announces which part of an open record the user writes in; null for none. */
export function emitEditedPart(location: EditLocation, editedPart: string | null): void {
  if ((location.part ?? null) === editedPart || !editLocations.includes(location)) return
  location.part = editedPart
  emitLocation()
}

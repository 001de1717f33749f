/** The one socket of a page: what changes elsewhere, who else has the same record open, and the words of the chat. */
import type { ChatAnswer, ChatEvents, ChatWords, Locale, ModerationNews } from '@dala/model'
import { io, type Socket } from 'socket.io-client'
import { readStorage, storageKeys } from '../lib/storage-keys.ts'
import { setConnected } from './connection.ts'

/** Somebody who has the same record open; `locale` is the language he writes in. */
export interface Editor {
  id: number
  name: string
  locale: Locale | null
  /** The part of the record they write in, as the page names its parts. */
  part?: string
}

/** The record that is open in a form here. */
export interface Place {
  resource: string
  id: number
  locale: Locale | null
  part?: string | null
}

/** Wire names of resources with changes, or all of them after a time without connection. */
export type ChangeNews = readonly string[] | 'all'

interface EditorsNews {
  resource: string
  id: number
  people: Editor[]
}

/** What an event of the chat tells. */
export type ChatNews<K extends ReceivedEvent> = Parameters<ChatEvents[K]>[0]

/** Who hears an event of the chat, and the way from the socket to him. */
function channel<K extends ReceivedEvent>(name: K) {
  const listeners = new Set<(news: ChatNews<K>) => void>()
  const relay = (own: Socket) => {
    own.on<string>(name, (news: ChatNews<K>) => {
      for (const listener of listeners) listener(news)
    })
  }
  return { listeners, relay }
}

/** The events of the chat that the panel receives; `update` carries the messages of `room:changed` for other clients. */
type ReceivedEvent = Exclude<keyof ChatEvents, 'update'>

/** All of them: the type lets none be missing. */
const chat: { readonly [K in ReceivedEvent]: ReturnType<typeof channel<K>> } = {
  'room:changed': channel('room:changed'),
  receipt: channel('receipt'),
  typing: channel('typing'),
  presence: channel('presence'),
  assigned: channel('assigned'),
  tick: channel('tick'),
  'session:ended': channel('session:ended'),
  'consultation:changed': channel('consultation:changed'),
}

/** Hears what the server says of the chat. Out: a function that ends it. */
export function hearChat<K extends ReceivedEvent>(name: K, listener: (news: ChatNews<K>) => void): () => void {
  chat[name].listeners.add(listener)
  return () => void chat[name].listeners.delete(listener)
}

/** How long an answer to a word is waited for. */
const answerTime = 10_000

/** Says a word of the chat; undefined without a connection, and when no answer comes. */
export async function sayChat<K extends keyof ChatWords>(
  name: K,
  said: Parameters<ChatWords[K]>[0],
): Promise<ChatAnswer | undefined> {
  if (!socket?.connected) return undefined
  try {
    return (await socket.timeout(answerTime).emitWithAck(name, said)) as ChatAnswer
  } catch {
    return undefined
  }
}

const moderationListeners = new Set<(news: ModerationNews) => void>()

/** Receives updates of the queue of trading posts. Returns a function that ends it. */
export function onModeration(listener: (news: ModerationNews) => void): () => void {
  moderationListeners.add(listener)
  return () => void moderationListeners.delete(listener)
}

const changeListeners = new Set<(news: ChangeNews) => void>()
const editorListeners = new Set<(news: EditorsNews) => void>()
/** Where one is, newest last: a form may be left after the next one was opened. */
let places: readonly Place[] = []
let socket: Socket | undefined

function sayWhere(): void {
  const place = places.at(-1) ?? null
  socket?.emit('editing', place, ({ data }: { data: { people: Editor[] } | null }) => {
    if (!place || !data) return
    for (const listener of editorListeners) listener({ ...place, people: data.people })
  })
}

/** How long to wait before asking again whether the server takes this session. */
const pause = 2_000

/**
 * Connects for as long as somebody is signed in. `onRefused` hears that the server has ended the connection or does
 * not take it: the session may have ended. Out: a function that ends it.
 */
export function openLive(onRefused: () => void): () => void {
  let isFirst = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const own = io({
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    auth: (give) => give({ token: readStorage(storageKeys.token) }),
  })
  const again = () => {
    onRefused()
    timer = setTimeout(() => readStorage(storageKeys.token) && own.connect(), pause)
  }
  own.on('connect', () => {
    // What happened without a connection is unknown.
    if (!isFirst) for (const listener of changeListeners) listener('all')
    isFirst = false
    if (places.length > 0) sayWhere()
    setConnected(true, own.id)
  })
  own.on('disconnect', (reason) => {
    setConnected(false)
    if (reason === 'io server disconnect') again()
  })
  // A lost network is tried again by the library; a refusal is not.
  own.on('connect_error', (error: Error & { data?: { status: number } }) => error.data?.status === 401 && again())
  own.on('changed', ({ resources }: { resources: string[] }) => {
    for (const listener of changeListeners) listener(resources)
  })
  own.on('editors', (news: EditorsNews) => {
    for (const listener of editorListeners) listener(news)
  })
  own.on('moderation:changed', (news: ModerationNews) => {
    for (const listener of moderationListeners) listener(news)
  })
  for (const { relay } of Object.values(chat)) relay(own)
  own.on('session:ended', onRefused)
  socket = own
  return () => {
    clearTimeout(timer)
    own.disconnect()
    if (socket === own) socket = undefined
    setConnected(false)
  }
}

/** Hears of changes. Out: a function that ends it. */
export function onChanged(listener: (news: ChangeNews) => void): () => void {
  changeListeners.add(listener)
  return () => void changeListeners.delete(listener)
}

/** Says that a record is open here and hears who else has it open. Out: a function that ends both. */
export function beAt(place: Place, listener: (people: readonly Editor[]) => void): () => void {
  const hear = ({ resource, id, people }: EditorsNews) => {
    if (resource === place.resource && id === place.id) listener(people)
  }
  editorListeners.add(hear)
  places = [...places, place]
  sayWhere()
  return () => {
    editorListeners.delete(hear)
    places = places.filter((one) => one !== place)
    sayWhere()
  }
}

/** Says in which part of an open record one writes, or that one writes nowhere in it. */
export function showPart(place: Place, part: string | null): void {
  if ((place.part ?? null) === part || !places.includes(place)) return
  place.part = part
  sayWhere()
}

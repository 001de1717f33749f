/** What is known of a room beside its messages: its notes, pictures, ratings and what happened to it. */
import { type ChatMessage, maxInteger } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { Person } from '../chat-data.ts'

const key = (room: number, part: string) => ['resource', 'chatmessages', 'facts', room, part] as const

const messagesOf = async (room: number, filters: object, pageSize: number, signal: AbortSignal) => {
  const query = { filters: { room, ...filters }, sort: 'seq:desc', pagination: { pageSize } }
  return (await call<{ results: ChatMessage[] }>('GET', '/chatmessages', { query, signal })).results
}

/** The latest notes of a room, newest first. */
export const notesQuery = (room: number) =>
  queryOptions({
    queryKey: key(room, 'notes'),
    queryFn: async ({ signal }) => {
      const notes = await messagesOf(room, { kind: 'note' }, 20, signal)
      return notes.toSorted((one, other) => other.seq - one.seq)
    },
    meta: { inPlace: true },
  })

/** The messages with pictures, newest first. */
export const picturesQuery = (room: number) =>
  queryOptions({
    queryKey: key(room, 'pictures'),
    queryFn: async ({ signal }) => {
      const found = await messagesOf(room, { attachments: { $notNull: true } }, 50, signal)
      return found.toSorted((one, other) => other.seq - one.seq).filter(({ attachments }) => attachments.length > 0)
    },
    meta: { inPlace: true },
  })

/** What can go into a consultation or a question and answer: the latest public messages, in their order. */
export const convertibleQuery = (room: number) =>
  queryOptions({
    queryKey: key(room, 'convertible'),
    queryFn: async ({ signal }) => {
      const query = { filters: { room }, before: maxInteger, limit: 100 }
      const { results } = await call<{ results: ChatMessage[] }>('GET', '/chatmessages', { query, signal })
      return results.filter(({ kind, text }) => kind === 'message' && text !== null)
    },
    staleTime: 0,
    meta: { inPlace: true },
  })

export interface Rating {
  id?: number
  episode: number
  score: number
  comment: string | null
  consultant: Person | null
  createdAt: string
}

export const ratingsQuery = (room: number) =>
  queryOptions({
    queryKey: ['resource', 'chatrooms', 'ratings', room],
    queryFn: async ({ signal }) =>
      (await call<{ results: Rating[] }>('GET', `/chatrooms/${room}/ratings`, { signal })).results,
    meta: { inPlace: true },
  })

/** Something that happened to a room. */
export interface Happening {
  at: string
  user: Person | null
  action: string
  data: Readonly<Record<string, unknown>> | null
}

export const historyQuery = (room: number) =>
  queryOptions({
    queryKey: ['resource', 'chatrooms', 'history', room],
    queryFn: async ({ signal }) =>
      (await call<{ results: Happening[] }>('GET', `/chatrooms/${room}/history`, { signal })).results,
    meta: { inPlace: true },
  })

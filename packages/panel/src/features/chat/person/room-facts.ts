/** What is known of a room beside its messages: its notes, pictures, ratings and what happened to it. */
import { maxInteger } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import type { Query } from '../../../api/query-string.ts'
import { callRoute } from '../../../api/route.ts'

const key = (room: number, part: string) => ['resource', 'chatmessages', 'facts', room, part] as const

const messagesOf = async (room: number, filters: Query, pageSize: number, signal: AbortSignal) => {
  const query = { filters: { room, ...filters }, sort: 'seq:desc', pagination: { pageSize } }
  return (await callRoute('GET /api/chatmessages', { query, signal })).results
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
      const { results } = await callRoute('GET /api/chatmessages', { query, signal })
      return results.filter(({ kind, text }) => kind === 'message' && text !== null)
    },
    staleTime: 0,
    meta: { inPlace: true },
  })

export const ratingsQuery = (room: number) =>
  queryOptions({
    queryKey: ['resource', 'chatrooms', 'ratings', room],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/chatrooms/:id/ratings', { params: { id: room }, signal })).results,
    meta: { inPlace: true },
  })

export const historyQuery = (room: number) =>
  queryOptions({
    queryKey: ['resource', 'chatrooms', 'history', room],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/chatrooms/:id/history', { params: { id: room }, signal })).results,
    meta: { inPlace: true },
  })

/** Details of a room beside its messages: notes, files, ratings and history. */
import { type ChatMessage, maxInteger } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import type { Query } from '../../../api/query-string.ts'
import { callRoute } from '../../../api/route.ts'

const key = (room: number, detailName: string) => ['resource', 'chatmessages', 'facts', room, detailName] as const

/** Latest messages of a room that match the filters, in order. */
async function fetchLatestMessages(
  room: number,
  filters: Query,
  limit: number,
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  const query = { filters: { room, ...filters }, before: maxInteger, limit }
  return (await callRoute('GET /api/chatmessages', { query, signal })).results
}

/** Latest notes of a room, newest first. */
export const notesQuery = (room: number) =>
  queryOptions({
    queryKey: key(room, 'notes'),
    queryFn: async ({ signal }) => {
      const notes = await fetchLatestMessages(room, { kind: 'note' }, 20, signal)
      return notes.toReversed()
    },
    meta: { inPlace: true },
  })

/** Messages with pictures or documents, newest first. */
export const filesQuery = (room: number) =>
  queryOptions({
    queryKey: key(room, 'files'),
    queryFn: async ({ signal }) => {
      const messages = await fetchLatestMessages(room, { attachments: { $notNull: true } }, 50, signal)
      return messages.toReversed().filter(({ attachments }) => attachments.length > 0)
    },
    meta: { inPlace: true },
  })

/** Messages that can go into a consultation or a question: the latest public ones, in order. */
export const convertibleQuery = (room: number) =>
  queryOptions({
    queryKey: key(room, 'convertible'),
    queryFn: async ({ signal }) => {
      const messages = await fetchLatestMessages(room, {}, 100, signal)
      return messages.filter(({ kind, text }) => kind === 'message' && text !== null)
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

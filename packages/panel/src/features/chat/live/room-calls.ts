/** What the log of a room is filled from: pages and changes by calls, the present revision by the socket. */
import { ApiError } from '../../../api/api-error.ts'
import { sayChat } from '../../../api/live.ts'
import { callRoute } from '../../../api/route.ts'
import type { MessagesPage } from '../core/room-log.ts'

const pageSize = 50
/** The server gives so many changes at once. */
const changesLimit = 200

/** Messages before, after or around a place. Throws `ApiError`. */
export async function askPage(
  room: number,
  place: { before: number } | { after: number } | { around: number },
): Promise<MessagesPage> {
  const page = await callRoute('GET /api/chatmessages', { query: { filters: { room }, ...place, limit: pageSize } })
  if (!('cursor' in page)) throw new TypeError('messages around a place came without their cursor')
  return page
}

/** What happened after a revision. Throws `ApiError`. */
export const askChanges = (room: number, after: number) =>
  callRoute('GET /api/chatrooms/:id/changes', { params: { id: room }, query: { after, limit: changesLimit } })

/** Joins the room, for its ticks. Out: its revision; undefined when the socket does not tell. */
export async function joinRoom(room: number, rev: number): Promise<number | undefined> {
  const answer = await sayChat('room:join', { room, rev })
  return answer?.ok ? answer.rev : undefined
}

/** Nobody answered: the reader may write on, and what he writes waits. */
export const isUnanswered = (error: unknown): boolean => error instanceof ApiError && error.unanswered !== undefined

/** The answer would be the same again. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 429

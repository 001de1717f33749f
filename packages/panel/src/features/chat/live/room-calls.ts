/** The sources of a room log: pages and changes by HTTP, the current revision by the socket. */
import { ApiError } from '../../../api/api-error.ts'
import { emitChat } from '../../../api/live.ts'
import { callRoute } from '../../../api/route.ts'
import type { MessagesPage } from '../core/room-log.ts'

const pageSize = 50
/** Maximum number of changes of a room in one response of the server. */
const changesLimit = 200

/**
 * Loads messages of a room before, after or around a position.
 *
 * @throws ApiError
 */
export async function fetchPage(
  room: number,
  position: { before: number } | { after: number } | { around: number },
): Promise<MessagesPage> {
  const page = await callRoute('GET /api/chatmessages', { query: { filters: { room }, ...position, limit: pageSize } })
  if (!('cursor' in page)) throw new TypeError('messages around a place came without their cursor')
  return page
}

/**
 * Loads the changes of a room after a revision.
 *
 * @throws ApiError
 */
export const fetchChanges = (room: number, lastRev: number) =>
  callRoute('GET /api/chatrooms/:id/changes', { params: { id: room }, query: { after: lastRev, limit: changesLimit } })

/**
 * Joins the room to receive reports of its revision. Returns that revision; undefined when the socket does
 * not answer.
 */
export async function joinRoom(room: number, rev: number): Promise<number | undefined> {
  const answer = await emitChat('room:join', { room, rev })
  return answer?.ok ? answer.rev : undefined
}

/** Whether a call for a room got no answer: the user may keep writing, and their messages wait. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && error.unansweredReason !== undefined

/** Whether a failed call for a room is final: another attempt would get the same response. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 429

/** Events that clients send about rooms on their sockets; messages are written over HTTP (chat §4). */
import { type Fault, fault, maxInteger, rankOfRole } from '@dala/model'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import type { Database } from '../../db/database.ts'
import { channelOf, type Socket, type Sockets, watchersOf } from '../../domain/delivery/sockets.ts'
import { deskChannelsOf, readMembers, membershipOf } from './members.ts'
import { markMessagesDelivered, readReceipts, emitReceipt } from './receipts.ts'

const id = z.int().min(1).max(maxInteger)
const wholeNumber = z.int().min(0).max(maxInteger)
const clientEvents = {
  'room:join': z.strictObject({ room: id, rev: wholeNumber }),
  'room:leave': z.strictObject({ room: id }),
  typing: z.strictObject({ room: id, on: z.boolean() }),
  delivered: z.strictObject({ room: id, seq: wholeNumber }),
}

/** Maximum number of chat rooms a socket may join; a page with more has to fetch them. */
const maxRooms = 500
/** Milliseconds between two `typing` events of a chat room, and for which one event is valid. */
const typingPause = 3_000
const typingValidity = 6_000

/**
 * Validates the payload of a socket event about a chat room.
 *
 * @throws 422
 */
function readPayload<T>(schema: z.ZodType<T>, payload: unknown): T {
  const { data, success } = schema.safeParse(payload)
  if (!success) throw fault('request.unprocessable')
  return data
}

const chatResponses = {
  answer: (body: unknown) => ({ ok: true, ...(typeof body === 'object' && body) }),
  refusal: (refusedFault: Fault) => ({ ok: false, code: refusedFault.code }),
}

/**
 * Handles the clients' events. Each event checks again whether its sender may read the chat room, and is
 * refused with 404 if not.
 */
export function onRoomEvents(sockets: Sockets, database: Database): void {
  const enterRoom = async ({ data: { caller } }: Socket, room: number) => {
    const membership = membershipOf(caller, (await readMembers(database, [room])).get(room))
    if (!membership) throw fault('record.not-found')
    return membership
  }

  const joinRoom = async (socket: Socket, payload: unknown) => {
    const { room } = readPayload(clientEvents['room:join'], payload)
    const { caller } = socket.data
    const mayWatch = rankOfRole(caller.role) >= rankOfRole('admin')
    // The socket joins the channel of the room before the revision is read, so that no change in between is
    // lost.
    if (mayWatch) await socket.join(watchersOf(room))
    try {
      const { members, side, rev } = await enterRoom(socket, room)
      const rooms = (socket.data.rooms ??= new Set())
      if (rooms.size >= maxRooms && !rooms.has(room)) throw fault('chat.too-many-rooms', { params: { max: maxRooms } })
      rooms.add(room)
      if (mayWatch && side === 'asker') await socket.leave(watchersOf(room))
      for (const receipt of await readReceipts(database, caller, members)) socket.emit('receipt', receipt)
      return { rev }
    } catch (error) {
      await leaveRoom(socket, room)
      throw error
    }
  }
  const handleLeave = async (socket: Socket, payload: unknown) => {
    await leaveRoom(socket, readPayload(clientEvents['room:leave'], payload).room)
    return {}
  }

  const typedStates = new WeakMap<Socket, Map<number, { at: number; on: boolean }>>()
  /**
   * Tells whether the previous `typing` event of a chat room is too recent; the end of typing may follow at
   * any time.
   */
  const isTooSoon = (socket: Socket, room: number, on: boolean) => {
    const rooms = typedStates.get(socket) ?? new Map<number, { at: number; on: boolean }>()
    const [lastTyping, now] = [rooms.get(room), performance.now()]
    if (on ? lastTyping !== undefined && now - lastTyping.at < typingPause : !lastTyping?.on) return true
    // Forgets chat rooms whose last event no longer throttles anything.
    for (const [otherRoom, { at }] of rooms) if (now - at >= typingPause) rooms.delete(otherRoom)
    typedStates.set(socket, rooms.set(room, { at: on ? now : (lastTyping?.at ?? now), on }))
    return false
  }
  const type = async (socket: Socket, payload: unknown) => {
    const { room, on } = readPayload(clientEvents.typing, payload)
    const { caller } = socket.data
    const { members, side } = await enterRoom(socket, room)
    if (isTooSoon(socket, room, on)) return {}
    // The customer sees the owner of the chat room typing, not colleagues who write notes.
    const typingChannels = [...deskChannelsOf(members), ...(side === 'owner' ? [channelOf(members.sender)] : [])]
    const excludedChannels = [channelOf(caller.id), ...(side === 'owner' ? [] : [channelOf(members.sender)])]
    const typingUntil = new Date(Date.now() + (on ? typingValidity : 0)).toISOString()
    sockets.to(typingChannels, excludedChannels).emit('typing', { room, user: caller.id, until: typingUntil })
    return {}
  }

  const confirmDelivery = async (socket: Socket, payload: unknown) => {
    const { room, seq } = readPayload(clientEvents.delivered, payload)
    const { caller } = socket.data
    const { members } = await enterRoom(socket, room)
    const marks = await markMessagesDelivered(database, caller, members, seq)
    if (marks) emitReceipt(sockets, caller, members, marks)
    return {}
  }

  sockets.onEvent('room:join', joinRoom, chatResponses)
  sockets.onEvent('room:leave', handleLeave, chatResponses)
  sockets.onEvent('typing', type, chatResponses)
  sockets.onEvent('delivered', confirmDelivery, chatResponses)
}

async function leaveRoom(socket: Socket, room: number): Promise<void> {
  socket.data.rooms?.delete(room)
  await socket.leave(watchersOf(room))
}

/**
 * Periodically sends every socket of this instance the revisions of its joined chat rooms, read in one
 * statement, so that clients notice lost changes. A room that the user may no longer read is left.
 *
 * @returns A function that stops it.
 */
export function emitRevisions(
  { io }: Sockets,
  database: Database,
  { seconds, log }: { seconds: number; log: FastifyBaseLogger },
): () => void {
  const emitRevisionsOnce = async () => {
    const sockets = [...io.of('/').sockets.values()].filter(({ data }) => data.rooms && data.rooms.size > 0)
    if (sockets.length === 0) return
    const members = await readMembers(database, [...new Set(sockets.flatMap(({ data }) => [...(data.rooms ?? [])]))])
    for (const socket of sockets) {
      const rooms: Record<number, number> = {}
      for (const room of socket.data.rooms ?? []) {
        const membership = membershipOf(socket.data.caller, members.get(room))
        if (membership) rooms[room] = membership.rev
        else await leaveRoom(socket, room)
      }
      // The event is sent without chat rooms too: the user may have missed the event that removed their last
      // room.
      socket.emit('tick', { rooms })
    }
  }
  const timer = setInterval(
    () => void emitRevisionsOnce().catch((error: unknown) => log.warn({ err: error }, 'revisions were not sent')),
    seconds * 1_000,
  ).unref()
  return () => clearInterval(timer)
}

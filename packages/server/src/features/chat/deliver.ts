/** Sends the changes of a room to the users who may see them (contract §11, chat §4). */
import type { RoomChange, RoomRow } from '@dala/model'
import type { FastifyBaseLogger } from 'fastify'
import { channelOf, consultants, type Sockets, watchersOf } from '../../domain/delivery/sockets.ts'
import type { RoomListener, RoomEvent } from './room-event.ts'

/**
 * Maximum size of a chat event in bytes; the notification that carries it to other instances may have 8,000
 * (chat §4).
 */
const maxBytes = 6_144
/** Bytes of a chat event besides its change. */
const envelope = 256
/** Maximum number of channels per chat event (limit of the notification). */
const maxChannels = 100

const bytesOf = (event: object) => Buffer.byteLength(JSON.stringify(event))

/**
 * Returns a change of a chat room as one side sees it; a message that is too long for its event is reduced to
 * its id.
 */
function changeForAudience({ rev, prev, presentTo }: RoomEvent, isOutsideAudience: boolean): RoomChange {
  const change: RoomChange = {
    ...presentTo(isOutsideAudience),
    rev,
    prev: isOutsideAudience ? prev.public : prev.staff,
  }
  return bytesOf(change) > maxBytes - envelope ? withoutMessageText(change) : change
}

function withoutMessageText(change: RoomChange): RoomChange {
  if (change.type !== 'created' && change.type !== 'updated') return change
  return { ...change, data: { id: change.data.id, rev: change.rev, partial: true } }
}

/**
 * Yields the different rows of a chat room's change, each with the channels of the users who see it that way.
 */
function* rowsOf({ listeners, rowOf }: RoomEvent, isOutsideAudience: boolean): Generator<[RoomRow, string[]]> {
  const listenersByRow = new Map<string, RoomListener[]>()
  for (const listener of listeners) {
    if (listener.isOutside !== isOutsideAudience || listener.isParted) continue
    const key = `${listener.unread}/${listener.language}`
    listenersByRow.set(key, [...(listenersByRow.get(key) ?? []), listener])
  }
  for (const group of listenersByRow.values()) {
    const row = rowOf(group[0])
    for (let startIndex = 0; startIndex < group.length; startIndex += maxChannels)
      yield [row, group.slice(startIndex, startIndex + maxChannels).map(({ user }) => channelOf(user))]
  }
}

/**
 * Creates the function that emits changes of chat rooms. An event that is too long even without its message
 * is not sent; clients notice the gap by the revisions.
 *
 * @returns A function that never throws and need not be awaited.
 */
export function createRoomEmitter(sockets: Sockets, log: FastifyBaseLogger): (roomEvent: RoomEvent) => void {
  const emitChange = (
    roomEvent: RoomEvent,
    change: RoomChange,
    row: RoomRow | null,
    targetChannels: string[],
    excludedChannels: string[],
  ) => {
    const wholeEvent = { room: roomEvent.room, change, row }
    const event = bytesOf(wholeEvent) > maxBytes ? { ...wholeEvent, change: withoutMessageText(change) } : wholeEvent
    if (bytesOf(event) > maxBytes) return log.info({ room: roomEvent.room }, 'a change is too long to be sent')
    sockets.to(targetChannels, excludedChannels).emit('room:changed', event)
  }

  const emitToSide = (roomEvent: RoomEvent, isOutsideAudience: boolean) => {
    const { room, asker, listeners, isFree, wasFree } = roomEvent
    const change = changeForAudience(roomEvent, isOutsideAudience)
    const sideChannels = listeners
      .filter((roomListener) => roomListener.isOutside === isOutsideAudience && !roomListener.isParted)
      .map(({ user }) => channelOf(user))
    const outsideChannels = listeners
      .filter((roomListener) => roomListener.isOutside)
      .map(({ user }) => channelOf(user))
    const watchers = watchersOf(room)
    if (change.type === 'created' || change.type === 'updated' || change.type === 'deleted') {
      const { type: status, data, rev, prev } = change
      const updateChannels = isOutsideAudience ? sideChannels : [...(isFree ? [consultants] : sideChannels), watchers]
      sockets
        .to(updateChannels, isOutsideAudience ? [] : outsideChannels)
        .emit('update', { status, room, rev, prev, data })
    }
    for (const [row, channels] of rowsOf(roomEvent, isOutsideAudience)) emitChange(roomEvent, change, row, channels, [])
    if (isOutsideAudience) return
    emitChange(roomEvent, change, roomEvent.rowOf(undefined), [watchers], [...sideChannels, ...outsideChannels])
    // Users who can no longer see the chat room do not receive the note of the hand-over.
    const silentChange: RoomChange =
      change.type === 'assigned' ? { ...change, data: { ...change.data, note: null } } : change
    const formerChannels = listeners.filter((roomListener) => roomListener.isParted).map(({ user }) => channelOf(user))
    if (wasFree && !isFree)
      emitChange(roomEvent, silentChange, null, [consultants], [...sideChannels, channelOf(asker), watchers])
    else if (formerChannels.length > 0) emitChange(roomEvent, silentChange, null, formerChannels, [])
    if (change.type !== 'assigned') return
    const { from, to, note } = change.data
    const owners = [from, to].filter((ownerId) => ownerId !== null).map(channelOf)
    // Customers and former members of the desk receive no event about hand-overs of a chat room.
    sockets
      .to(owners.filter((ownerChannel) => !outsideChannels.includes(ownerChannel)))
      .emit('assigned', { room, from, to, note })
  }

  return (roomEvent) => {
    try {
      emitToSide(roomEvent, false)
      if (roomEvent.audience === 'public') emitToSide(roomEvent, true)
    } catch (error) {
      log.error({ err: error }, 'delivery failed')
    }
  }
}

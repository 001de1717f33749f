/** The user's role in a room and their permissions there; the server applies the same rules (chat §4, §5). */
import { resources, type RoomState } from '@dala/model'
import { ApiError } from '../../api/api-error.ts'
import type { RoomPerson, OpenRoom } from './chat-data.ts'
import type { Reader } from './reader.ts'
import { isStaff } from './desk-search.ts'

export interface RoomPermissions {
  /** Role of the user in a room: the customer, the consultant who answers, or the rest of the desk. */
  userSide: 'asker' | 'owner' | 'desk'
  /** Consultant who answers in the room. */
  owner: RoomPerson | null
  mayWrite: boolean
  /** Whether the user may write notes for the desk. */
  mayNote: boolean
  /** Whether the user may assign the room to themselves. */
  mayTake: boolean
  /** Whether the user may assign the room to another consultant. */
  mayHandOver: boolean
  /** Whether the user may change the state and the description of the room. */
  mayManage: boolean
}

export function roomPermissions(
  room: Pick<OpenRoom, 'sender' | 'receiver' | 'assignee' | 'can_write'>,
  reader: Reader,
): RoomPermissions {
  const { sender, receiver, assignee, can_write } = room
  const owner = assignee ?? receiver
  const userSide = sender.id === reader.id ? 'asker' : owner?.id === reader.id ? 'owner' : 'desk'
  const staff = isStaff(reader)
  const isFree = owner === null && reader.isConsultant
  return {
    userSide,
    owner,
    // The server's own answer about writing has priority, because only the server knows whether the
    // customer's account still exists.
    mayWrite: can_write ?? userSide !== 'desk',
    mayNote: userSide !== 'asker',
    mayTake: userSide === 'desk' && (staff || isFree),
    mayHandOver: userSide === 'owner' || (staff && userSide !== 'asker'),
    mayManage: staff || (reader.isConsultant && [receiver?.id, assignee?.id].includes(reader.id)),
  }
}

/** Whether the open room is no longer visible to the user, by the error of its reload. */
export const isRoomLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 403 || error.status === 404)

/** Permissions in a room that the user may no longer see: none; only unsent text remains. */
export const removedRoomPermissions: RoomPermissions = {
  userSide: 'desk',
  owner: null,
  mayWrite: false,
  mayNote: false,
  mayTake: false,
  mayHandOver: false,
  mayManage: false,
}

/** States of a room that a consultant may set. */
export function nextRoomStates(state: RoomState): RoomState[] {
  const { transitions } = resources.chatrooms.fields.state
  return transitions.filter(({ from }) => from === state).map(({ to }) => to)
}

/** Milliseconds for which an author can edit a chat message (content-model §2). */
const editTime = 15 * 60_000

export function mayEdit(
  message: { sender: RoomPerson; kind: string; createdAt: string },
  reader: Reader,
  now: Date,
): boolean {
  const isOwn = message.sender.id === reader.id && message.kind !== 'system'
  return isOwn && now.getTime() - Date.parse(message.createdAt) < editTime
}

/** Returns whether the user may remove a message: authors remove their own messages, staff any. */
export function mayRemove(message: { sender: RoomPerson }, reader: Reader): boolean {
  return message.sender.id === reader.id || isStaff(reader)
}

/** What the reader is in a room and what he may do there; the server decides by the same rules (chat §4, §5). */
import { resources, type RoomState } from '@dala/model'
import { ApiError } from '../../api/api-error.ts'
import type { Person, OpenRoom } from './chat-data.ts'
import type { Reader } from './reader.ts'
import { isStaff } from './desk-search.ts'

export interface Standing {
  /** The asking side, the one who answers, or the rest of the desk. */
  side: 'asker' | 'owner' | 'desk'
  /** Who answers. */
  owner: Person | null
  mayWrite: boolean
  /** May write for the desk. */
  mayNote: boolean
  /** May take the room for himself. */
  mayTake: boolean
  /** May give it to somebody else. */
  mayHandOver: boolean
  /** May move its state and describe it. */
  mayManage: boolean
}

export function standingOf(
  room: Pick<OpenRoom, 'sender' | 'receiver' | 'assignee' | 'can_write'>,
  reader: Reader,
): Standing {
  const { sender, receiver, assignee, can_write } = room
  const owner = assignee ?? receiver
  const side = sender.id === reader.id ? 'asker' : owner?.id === reader.id ? 'owner' : 'desk'
  const staff = isStaff(reader)
  const isFree = owner === null && reader.isConsultant
  return {
    side,
    owner,
    // The server knows more: whether the customer is still there.
    mayWrite: can_write ?? side !== 'desk',
    mayNote: side !== 'asker',
    mayTake: side === 'desk' && (staff || isFree),
    mayHandOver: side === 'owner' || (staff && side !== 'asker'),
    mayManage: staff || (reader.isConsultant && [receiver?.id, assignee?.id].includes(reader.id)),
  }
}

/** Whether an open room has gone out of the reader's sight, as the answer to asking for it again says. */
export const isLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 403 || error.status === 404)

/** In a room that is lost nothing is the reader's but what he has typed. */
export const lostStanding: Standing = {
  side: 'desk',
  owner: null,
  mayWrite: false,
  mayNote: false,
  mayTake: false,
  mayHandOver: false,
  mayManage: false,
}

/** The states that somebody of the desk may move a room to. */
export function stepsFrom(state: RoomState): RoomState[] {
  const { steps } = resources.chatrooms.fields.state
  return steps.filter(({ from, by }) => from === state && !by.some((who) => who === 'server')).map(({ to }) => to)
}

/** A message can be changed by its author for this time (content-model §2). */
const editTime = 15 * 60_000

export function mayEdit(
  message: { sender: Person; kind: string; createdAt: string },
  reader: Reader,
  now: Date,
): boolean {
  const isOwn = message.sender.id === reader.id && message.kind !== 'system'
  return isOwn && now.getTime() - Date.parse(message.createdAt) < editTime
}

/** The author takes his message out of view, and staff any. */
export function mayRemove(message: { sender: Person }, reader: Reader): boolean {
  return message.sender.id === reader.id || isStaff(reader)
}

/**
 * Decides the side of a user in a room: the customer, the owner who answers, and the rest of the desk (chat
 * §4).
 */
import { type Caller, rankOfRole } from '@dala/model'
import { belongsToDesk } from '../../domain/delivery/sockets.ts'

/** Members of a chat room, by the ids of their accounts. */
interface RoomMembers {
  sender?: unknown
  receiver?: unknown
  assignee?: unknown
}

/**
 * Side of a user in a chat room. A `former` member owned it while on the desk; they read what the customer
 * reads, and write nothing.
 */
export type RoomSide = 'asker' | 'owner' | 'desk' | 'former'

/** Returns the side of a caller; `undefined` for a user who has no access to the chat room. */
export function sideInRoom(caller: Caller, { sender, receiver, assignee }: RoomMembers): RoomSide | undefined {
  if (sender === caller.id) return 'asker'
  if (!belongsToDesk(caller)) return assignee === caller.id || receiver === caller.id ? 'former' : undefined
  const owner = assignee ?? receiver
  if (owner === caller.id) return 'owner'
  const isDesk =
    rankOfRole(caller.role) >= rankOfRole('admin') || receiver === caller.id || (caller.isConsultant && owner === null)
  return isDesk ? 'desk' : undefined
}

/** Tells whether a side may write: messages are for the customer and the owner, notes for the whole desk. */
export function mayWrite(roomSide: RoomSide | undefined, kind: 'message' | 'note'): boolean {
  return kind === 'note' ? roomSide === 'owner' || roomSide === 'desk' : roomSide === 'asker' || roomSide === 'owner'
}

/**
 * Reads the members of a chat room, for events that are no change of it: receipts, typing, and periodic
 * revisions.
 */
import { type Caller, maxInteger } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { publicRevSql } from '../../domain/conversations/computed-rooms.ts'
import { channelOf, consultants, belongsToDesk, watchersOf } from '../../domain/delivery/sockets.ts'
import { type RoomSide, sideInRoom } from './sides.ts'

/** Ids of a chat room and of its members. */
export interface RoomSides {
  id: number
  sender: number
  receiver: number | null
  assignee: number | null
}

interface Members extends RoomSides {
  /** Last revision of the chat room, and the last one of its public changes. */
  rev: number
  publicRev: number
}

/** Reads the members of chat rooms by id, in one statement; rooms that do not exist are missing. */
export async function readMembers(queries: Queries, rooms: readonly number[]): Promise<ReadonlyMap<number, Members>> {
  const ids = rooms.filter((id) => id <= maxInteger)
  const foundRooms = await queries.query(sql<Members>`
    select r.id, r.sender_id as sender, r.receiver_id as receiver, r.assignee_id as assignee, r.revision as rev,
           ${publicRevSql(sql`r.id`)} as "publicRev"
      from chatrooms r where r.id = any(${ids}::int[])`)
  return new Map(foundRooms.map((room) => [room.id, room]))
}

/**
 * Returns the caller's side in a chat room, and the room's revision as that side counts.
 *
 * @returns `undefined` when the caller may not read the room.
 */
export function membershipOf(
  caller: Caller,
  members: Members | undefined,
): { members: Members; side: RoomSide; rev: number } | undefined {
  const callerSide = members && sideInRoom(caller, members)
  if (!members || !callerSide) return undefined
  const isOutside = callerSide === 'asker' || !belongsToDesk(caller)
  return { members, side: callerSide, rev: isOutside ? members.publicRev : members.rev }
}

/** Returns the channels of the desk's side of a chat room, including observers. */
export function deskChannelsOf({ id, receiver, assignee }: RoomSides): string[] {
  const owners = [receiver, assignee].filter((person) => person !== null)
  return [...(owners.length > 0 ? owners.map(channelOf) : [consultants]), watchersOf(id)]
}

/**
 * Tells whether the caller is the receiver or the assignee of a chat room: the customer may know what these
 * have seen.
 */
export const isAnswerer = ({ id }: Caller, { receiver, assignee }: RoomSides): boolean =>
  id === receiver || id === assignee

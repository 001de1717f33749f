/** Opens chat rooms: one for each pair, no matter who opens it and how often (contract §11). */
import { type Caller, Fault, fault, type NewRoom, rankOfRole, unprocessableFault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { EnteredCall } from '../../resources/feature-routes.ts'
import { createEntry } from '../../resources/write/write.ts'

// Key of the advisory lock under which chat rooms are created, together with the id of the customer.
const roomsLock = 4_711_007

/** Members of a chat room, and the other values of its record. */
export interface WantedRoom extends Omit<NewRoom, 'sender' | 'receiver'> {
  sender: number
  receiver: number | null
}

/**
 * Reads the customer and the receiver of a new chat room.
 *
 * @throws 403 for a caller who opens a room for somebody else and is neither staff nor its receiver.
 */
export function requestedPair({ sender, receiver, ...otherValues }: NewRoom, caller: Caller): WantedRoom {
  const room = { ...otherValues, sender: sender ?? caller.id, receiver: receiver ?? null }
  const isAsked = caller.isConsultant && room.receiver === caller.id
  if (room.sender !== caller.id && !isAsked && rankOfRole(caller.role) < rankOfRole('admin'))
    throw fault('chat.not-your-voice')
  return room
}

/**
 * Finds the chat room of a pair, or creates it.
 *
 * @returns Its id.
 * @throws 422 for users or values that do not exist.
 */
export async function findOrCreateRoom(
  trx: Transaction,
  database: Database,
  { author, view }: EnteredCall,
  { sender, receiver, ...otherValues }: WantedRoom,
): Promise<number> {
  // No unique index covers a chat room without a receiver, so the lock serialises concurrent requests.
  await trx.query(sql`select pg_advisory_xact_lock(${sql.lit(roomsLock)}, ${sender}::int)`)
  const [existingRoom] = await trx.query(sql<{ id: number }>`
    select id from chatrooms where sender_id = ${sender} and receiver_id is not distinct from ${receiver}::int`)
  if (existingRoom) return existingRoom.id
  try {
    const context = { database, author, view, trx, checkedLinks: ['sender', 'receiver'] }
    return await createEntry(context, resourceNamed('chatrooms'), { ...otherValues, sender, receiver }, undefined)
  } catch (error) {
    // Wrong values for a new chat room return 422 on the route that opens rooms (contract §11).
    if (error instanceof Fault && error.status === 400) throw unprocessableFault(error.issues)
    throw error
  }
}

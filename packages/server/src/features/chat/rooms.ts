/** Opening a room: one for each pair, whoever asks and however often (contract §11). */
import { type Caller, Fault, fault, type NewRoom, rankOf, unprocessable } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { Entered } from '../../resources/feature-routes.ts'
import { createEntry } from '../../resources/write/write.ts'

// Only the making of rooms takes this lock, together with the id of who asks.
const roomsLock = 4_711_007

/** The two people of a room, and what its record says besides. */
export interface WantedRoom extends Omit<NewRoom, 'sender' | 'receiver'> {
  sender: number
  receiver: number | null
}

/** Who asks whom. Throws 403 for a caller who speaks for somebody else without being asked by them. */
export function pairOf({ sender, receiver, ...rest }: NewRoom, caller: Caller): WantedRoom {
  const wanted = { ...rest, sender: sender ?? caller.id, receiver: receiver ?? null }
  const isAsked = caller.isConsultant && wanted.receiver === caller.id
  if (wanted.sender !== caller.id && !isAsked && rankOf(caller.role) < rankOf('admin'))
    throw fault('chat.not-your-voice')
  return wanted
}

/** The room of a pair, made when there is none. Out: its id. Throws 422 for people or values that are not there. */
export async function ensureRoom(
  trx: Transaction,
  database: Database,
  { author, view }: Entered,
  { sender, receiver, ...rest }: WantedRoom,
): Promise<number> {
  // A room without a receiver has no unique pair: those who ask side by side are answered in turn.
  await trx.query(sql`select pg_advisory_xact_lock(${sql.lit(roomsLock)}, ${sender}::int)`)
  const [known] = await trx.query(sql<{ id: number }>`
    select id from chatrooms where sender_id = ${sender} and receiver_id is not distinct from ${receiver}::int`)
  if (known) return known.id
  try {
    const context = { database, author, view, trx, checkedLinks: ['sender', 'receiver'] }
    return await createEntry(context, resourceNamed('chatrooms'), { ...rest, sender, receiver }, undefined)
  } catch (error) {
    // Wrong values of this route are 422 (contract §11).
    if (error instanceof Fault && error.status === 400) throw unprocessable(error.issues)
    throw error
  }
}

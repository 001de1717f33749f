/** Opening a room: one for each pair, whoever asks and however often (contract §11). */
import { type Caller, Fault, fault, rankOf, unprocessable } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import type { ActionBody } from '../../resources/action-body.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { Entered } from '../../resources/feature-routes.ts'
import { createEntry } from '../../resources/write/write.ts'

// Only the making of rooms takes this lock, together with the id of who asks.
const roomsLock = 4_711_007

export interface WantedRoom {
  sender: number
  receiver: number | null
  body: ActionBody
}

/** Who asks whom. Throws 422 for wrong values, 403 for who speaks for somebody else without being asked by him. */
export function readRoom(body: ActionBody, caller: Caller): WantedRoom {
  const [sender, receiver] = [body.id('sender') ?? caller.id, body.id('receiver') ?? null]
  body.check()
  const isAsked = caller.isConsultant && receiver === caller.id
  if (sender !== caller.id && !isAsked && rankOf(caller.role) < rankOf('admin')) throw fault('chat.not-your-voice')
  return { sender, receiver, body }
}

const others = ['assignee', 'region', 'category', 'language', 'tags']

/** The room of a pair, made when there is none. Out: its id. Throws 422 for people or values that are not there. */
export async function ensureRoom(
  trx: Transaction,
  database: Database,
  { author, view }: Entered,
  { sender, receiver, body }: WantedRoom,
): Promise<number> {
  // A room without a receiver has no unique pair: those who ask side by side are answered in turn.
  await trx.query(sql`select pg_advisory_xact_lock(${sql.lit(roomsLock)}, ${sender}::int)`)
  const [known] = await trx.query(sql<{ id: number }>`
    select id from chatrooms where sender_id = ${sender} and receiver_id is not distinct from ${receiver}::int`)
  if (known) return known.id
  const draft = Object.fromEntries(others.filter((name) => body.has(name)).map((name) => [name, body.raw(name)]))
  try {
    const context = { database, author, view, trx, checkedLinks: ['sender', 'receiver'] }
    return await createEntry(context, resourceNamed('chatrooms'), { ...draft, sender, receiver }, undefined)
  } catch (error) {
    // Wrong values of this route are 422 (contract §11).
    if (error instanceof Fault && error.status === 400) throw unprocessable(error.issues)
    throw error
  }
}

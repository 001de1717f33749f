/** The log of what changes in a room, in the order of its revisions (product/chat.md §4). */
import { sql } from 'kysely'
import type { Transaction } from '../db/database.ts'

/** Who may know of a change: everybody in the room, or the desk alone (notes, and who has the room). */
type Audience = 'public' | 'staff'

export interface RoomChange {
  room: number
  rev: number
  type: 'created' | 'updated' | 'deleted' | 'state' | 'assigned'
  audience: Audience
  message?: number
  data?: Readonly<Record<string, unknown>>
  user: number
}

/** Adds a change, within the transaction that makes it and holds the room locked. */
export async function noteChange(trx: Transaction, change: RoomChange): Promise<void> {
  const { room, rev, type, audience, message, data, user } = change
  await trx.query(sql`
    insert into room_changes (room_id, rev, type, audience, message_id, data, user_id)
    values (${room}, ${rev}, ${type}, ${audience}, ${message ?? null}, ${JSON.stringify(data ?? {})}::jsonb, ${user})`)
}

/**
 * The log of changes in a room, in the order of its revisions (chat §4). The transaction of a change stores
 * it. The update is loaded at the end of that transaction and sent after its commit.
 */
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { programCaller } from '../../resources/history/history.ts'

/** The audience of a change: everybody in the chat room, or only the desk (notes, and who has the room). */
type ChangeAudience = 'public' | 'staff'

export interface LoggedChange {
  room: number
  rev: number
  type: 'created' | 'updated' | 'deleted' | 'state' | 'no_reply' | 'assigned'
  audience: ChangeAudience
  message?: number
  data?: Readonly<Record<string, unknown>>
  user: number
}

/**
 * Loads the update of a change while its chat room is locked.
 *
 * @returns A function that sends it and never throws.
 */
type RoomChangeListener = (trx: Transaction, change: LoggedChange) => Promise<() => void>

declare module '../../db/database.ts' {
  interface SubjectTypes {
    room: RoomChangeListener
  }
}

/**
 * Subscribes to changes of chat rooms.
 *
 * @returns An unsubscribe function.
 */
export const onRoomChange = (database: Database, listener: RoomChangeListener): (() => void) =>
  database.on('room', listener)

/** Adds a change within the transaction that makes it and has the chat room locked. */
export async function addRoomChange(trx: Transaction, change: LoggedChange): Promise<void> {
  const { room, rev, type, audience, message, data, user } = change
  await trx.query(sql`
    insert into room_changes (room_id, rev, type, audience, message_id, data, user_id)
    values (${room}, ${rev}, ${type}, ${audience}, ${message ?? null}, ${JSON.stringify(data ?? {})}::jsonb, nullif(${user}::int, ${programCaller.id}))`)
  for (const listener of trx.database.listenersOf('room'))
    trx.beforeCommit(async () => trx.afterCommit(await listener(trx, change)))
}

/**
 * The log of what changes in a room, in the order of its revisions (chat §4). A change is stored by the
 * transaction that makes it; what is told of it is read at the end of that transaction and leaves after its commit.
 */
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { programCaller } from '../../resources/history/history.ts'

/** Who may know of a change: everybody in the room, or the desk alone (notes, and who has the room). */
type Audience = 'public' | 'staff'

export interface LoggedChange {
  room: number
  rev: number
  type: 'created' | 'updated' | 'deleted' | 'state' | 'assigned'
  audience: Audience
  message?: number
  data?: Readonly<Record<string, unknown>>
  user: number
}

/** Reads what is to be told of a change, while its room is locked. Out: the telling, which never throws. */
type Teller = (trx: Transaction, change: LoggedChange) => Promise<() => void>

declare module '../../db/database.ts' {
  interface Subjects {
    room: Teller
  }
}

/** Has every change of a room told from here on. Out: a function that ends it. */
export const tellRooms = (database: Database, teller: Teller): (() => void) => database.on('room', teller)

/** Adds a change, within the transaction that makes it and holds the room locked. */
export async function noteChange(trx: Transaction, change: LoggedChange): Promise<void> {
  const { room, rev, type, audience, message, data, user } = change
  await trx.query(sql`
    insert into room_changes (room_id, rev, type, audience, message_id, data, user_id)
    values (${room}, ${rev}, ${type}, ${audience}, ${message ?? null}, ${JSON.stringify(data ?? {})}::jsonb, nullif(${user}::int, ${programCaller.id}))`)
  for (const teller of trx.database.listenersOf('room'))
    trx.beforeCommit(async () => trx.afterCommit(await teller(trx, change)))
}

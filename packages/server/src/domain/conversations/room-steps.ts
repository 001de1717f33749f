/** Openings and closings of the conversations of a room, from which reports count (statistics §5). */
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import type { FieldValues } from '../../resources/write/behaviour.ts'

interface RoomStep {
  room: number
  /** Stored values of the locked chat room, with the episode of the step. */
  values: FieldValues
  action: 'open' | 'close' | 'reopen'
  /** The user who takes the step; 0 for the program. */
  user: unknown
}

/** Returns the id of the person who has a chat room: its assignee, else its receiver. */
export const ownerOfRoom = ({ assignee, receiver }: FieldValues): unknown => assignee ?? receiver ?? null

/** Stores a step of a chat room's conversation; a room without a question has no conversation yet. */
export async function noteRoomStep(trx: Transaction, { room, values, action, user }: RoomStep): Promise<void> {
  if (Number(values.episode) === 0) return
  await trx.query(sql`
    insert into room_steps (room_id, episode, action, owner_id, region_id, category_id, language, user_id)
    values (${room}, ${Number(values.episode)}, ${action}, ${ownerOfRoom(values)}::int, ${values.region ?? null}::int,
            ${values.category ?? null}::int, ${values.language ?? null}::text, nullif(${user ?? null}::int, 0))`)
}

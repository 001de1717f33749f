/** Updates the row of a chat room after a change: its revision, and its last message. */
import { momentSql } from '../../db/moment-sql.ts'
import { sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { publicRevSql } from '../../domain/conversations/computed-rooms.ts'
import type { StoredEntry } from '../../resources/write/examine.ts'
import { beginningSql } from './message-item.ts'
import type { RoomSide } from './sides.ts'

type Sql = Template<unknown>

/** SQL of the summary of one chat message that lists show, from rows under the alias `m`. */
const summarySql = sql`jsonb_build_object('id', m.id, 'text', ${beginningSql(sql`m.text`)}, 'kind', m.kind, 'sender', m.sender_id,
  'createdAt', ${momentSql(sql`m.created_at`)})`

/** SQL that makes a message the last one of its chat room. */
export const setLastMessageSql = (id: number): Sql =>
  sql`last_message = (select ${summarySql} from chatmessages m where m.id = ${id})`

/** SQL that makes the last visible message the last one of a chat room. */
export const lastInViewSql = (room: number): Sql => sql`last_message = (
  select ${summarySql} from chatmessages m where m.room_id = ${room} and m.deleted_at is null and m.kind <> 'note'
   order by m.seq desc nulls last limit 1)`

/**
 * Sets the revision of a locked chat room. Its version stays, so that messages do not conflict with edits of
 * the room. Only public changes update its dates.
 */
export async function setRevision(
  trx: Transaction,
  { document }: StoredEntry,
  { rev, audience, set }: { rev: number; audience: 'public' | 'staff'; set: readonly Sql[] },
): Promise<void> {
  const setClauses = [sql`revision = ${rev}`, ...(audience === 'public' ? [sql`updated_at = now()`, ...set] : [])]
  await trx.query(sql`update chatrooms set ${sql.join(setClauses)} where id = ${document}`)
  trx.changed('chatrooms')
}

/** Reads the revision of a locked chat room as one side counts. */
export async function readRevision(
  trx: Transaction,
  { document, values }: StoredEntry,
  readerSide: RoomSide | undefined,
) {
  if (readerSide !== 'asker') return Number(values.revision)
  const [row] = await trx.query(sql<{ rev: number }>`select ${publicRevSql(sql`${document}::int`)} as rev`)
  return row?.rev ?? 0
}

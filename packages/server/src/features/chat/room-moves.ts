/** What a message does to the row of its room: the revision, and what lists show of it. */
import { momentSql } from '../../db/moment-sql.ts'
import { sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { publicRevSql } from '../../domain/conversations/computed-rooms.ts'
import type { StoredEntry } from '../../resources/write/examine.ts'
import { beginningSql } from './message-item.ts'
import type { Side } from './sides.ts'

type Sql = Template<unknown>

/** SQL of what a list shows of one message, from rows under the alias `m`. */
const summarySql = sql`jsonb_build_object('id', m.id, 'text', ${beginningSql(sql`m.text`)}, 'kind', m.kind, 'sender', m.sender_id,
  'createdAt', ${momentSql(sql`m.created_at`)})`

/** The room's last message is the one of an id. */
export const lastIsSql = (id: number): Sql =>
  sql`last_message = (select ${summarySql} from chatmessages m where m.id = ${id})`

/** The room's last message is the last one in view. */
export const lastInViewSql = (room: number): Sql => sql`last_message = (
  select ${summarySql} from chatmessages m where m.room_id = ${room} and m.deleted_at is null and m.kind <> 'note'
   order by m.seq desc nulls last limit 1)`

/**
 * Moves a locked room on to a revision. Its version stays: people who edit the room are not in the way of those who
 * write. Only what both sides may know of is a change of the room that its dates tell of.
 */
export async function moveOn(
  trx: Transaction,
  { document }: StoredEntry,
  { rev, audience, set }: { rev: number; audience: 'public' | 'staff'; set: readonly Sql[] },
): Promise<void> {
  const all = [sql`revision = ${rev}`, ...(audience === 'public' ? [sql`updated_at = now()`, ...set] : [])]
  await trx.query(sql`update chatrooms set ${sql.join(all)} where id = ${document}`)
  trx.changed('chatrooms')
}

/** The revision of a locked room as a side of it counts. */
export async function revOf(trx: Transaction, { document, values }: StoredEntry, side: Side | undefined) {
  if (side !== 'asker') return Number(values.revision)
  const [row] = await trx.query(sql<{ rev: number }>`select ${publicRevSql(sql`${document}::int`)} as rev`)
  return row?.rev ?? 0
}

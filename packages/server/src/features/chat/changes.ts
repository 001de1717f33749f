/** Lists the changes of a room after a revision, with its messages as they are now (chat §4). */
import { fault, type RoomChanges, type StoredRoomChange } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { isOutsideSql, roomColumns } from '../../domain/conversations/computed-rooms.ts'
import type { EnteredCall, FeatureRoutes } from '../../resources/feature-routes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { type LogRow, presentChange } from './logged-change.ts'
import { itemSql } from './message-item.ts'

const maxLimit = 200
/** Number of changes above which a client loads the newest page instead, which is quicker. */
const maxMissedRevisions = 5_000

/** Row with a chat room and one change of it; a room without changes has one row whose `rev` is null. */
type ChangeRow = { last: number; outside: boolean } & LogRow & ({ rev: number; prev: number } | { rev: null })

/**
 * Lists the changes of a chat room after a revision that the caller may see: public ones for the customer,
 * all for the desk. Messages are as they are now. One statement.
 *
 * @returns The changes; `reset` for a client that is too far behind, or ahead of a room restored from a
 *   backup.
 * @throws 404 for a room the caller may not read.
 */
export async function listChanges(
  { database }: FeatureRoutes,
  { caller, view }: EnteredCall,
  id: number,
  range: { after?: number | undefined; limit?: number | undefined },
): Promise<RoomChanges> {
  const startRev = range.after ?? 0
  const limit = Math.min(Math.max(range.limit ?? maxLimit, 1), maxLimit)
  const resource = resourceNamed('chatrooms')
  const rows = await runScopedQuery(database, { resource, caller, view }, ({ from, where, document }) => {
    const columnRef = (column: string) => sql.ref(`${document}.${column}`)
    const isVisible = sql`(c.audience = 'public' or not room.outside)`
    return sql<ChangeRow>`
      with room as materialized (
        select ${columnRef('id')} as id, ${isOutsideSql(columnRef)} as outside, ${roomColumns.rev(columnRef)} as rev
          from ${from} where ${columnRef('id')} = ${id} and ${where}),
      log as materialized (
        select change.*, lag(change.rev, 1, (
            select coalesce(max(c.rev), 0) from room_changes c where c.room_id = room.id and c.rev <= ${startRev}::int and ${isVisible}
          )) over (order by change.rev) as prev
          from room cross join lateral (
            select c.rev, c.type, c.message_id, c.data from room_changes c
             where c.room_id = room.id and c.rev > ${startRev}::int and ${isVisible} order by c.rev limit ${limit}) change
         where room.rev - ${startRev}::int <= ${sql.lit(maxMissedRevisions)})
      select room.rev as last, room.outside, log.rev, log.prev, log.type, log.message_id as message,
             m.deleted_at is not null as "isGone", log.data, ${itemSql('m')} as item
        from room left join log on true left join chatmessages m on m.id = log.message_id order by log.rev`
  })
  const [firstRow] = rows
  if (!firstRow) throw fault('record.not-found')
  const { last: rev, outside } = firstRow
  const mustReset = startRev > rev || rev - startRev > maxMissedRevisions
  const results = rows.flatMap((row): StoredRoomChange[] =>
    row.rev === null ? [] : [{ ...presentChange(row, outside), rev: row.rev, prev: row.prev }],
  )
  return { results, rev, complete: !mustReset && (results.at(-1)?.rev ?? rev) >= rev, reset: mustReset }
}

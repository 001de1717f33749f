/**
 * Reads the history of a room: assignments, states, reads, and messages that were edited or deleted (chat
 * §4).
 */
import { type Caller, rankOfRole, type RoomHistoryLine } from '@dala/model'
import { momentSql } from '../../../db/moment-sql.ts'
import { sql, type Template } from '../../../db/sql.ts'
import { personSql } from '../../../domain/conversations/desk.ts'
import type { EnteredCall, FeatureRoutes } from '../../../resources/feature-routes.ts'
import { pageSql } from '../../../resources/read/pages.ts'
import { readPagination } from '../../../resources/read/parse-query.ts'
import { presentPagination } from '../../../resources/read/read.ts'
import { readForDesk } from './room.ts'

type Sql = Template<unknown>

const person = (key: string) => personSql(sql`(c.data ->> ${sql.lit(key)})::int`)

/**
 * SQL of the lines of a chat room's history from the log: assignments, states, and changed messages; earlier
 * texts are for staff.
 */
function changesSql({ role }: Caller): Sql {
  const isStaff = rankOfRole(role) >= rankOfRole('admin')
  // A revision of a record in the same transaction has the same timestamp.
  const textBeforeSql = sql`(
    select r.changes -> 'text' ->> 'before' from revisions r
     where r.resource = 'chatmessages' and r.document_id = m.id and r.created_at = c.created_at and r.changes ? 'text' limit 1)`
  const text = sql`case c.type when 'deleted' then m.text else ${textBeforeSql} end`
  const message = sql`jsonb_build_object('message', m.id, 'seq', m.seq, 'kind', m.kind, 'text', ${isStaff ? text : sql`null::text`})`
  return sql`
    select c.created_at, c.user_id,
           case c.type when 'assigned' then 'assigned' when 'updated' then 'edited' when 'deleted' then 'deleted'
             when 'no_reply' then 'no_reply' else 'state' end,
           case c.type when 'assigned' then jsonb_build_object('from', ${person('from')}, 'to', ${person('to')}, 'note', c.data -> 'note')
             when 'state' then c.data when 'no_reply' then c.data
             when 'created' then jsonb_build_object('from', null, 'to', c.data -> 'state')
             else ${message} end,
           c.rev
      from room_changes c left join chatmessages m on m.id = c.message_id
     where c.room_id = room.id and (c.type <> 'created' or c.data ? 'state')`
}

/**
 * Lists the history of a chat room, newest first, in pages: one statement.
 *
 * @throws 404 and 403.
 */
export async function readRoomHistory(routes: FeatureRoutes, enteredCall: EnteredCall, id: number) {
  const pagination = readPagination(enteredCall.query.pagination)
  const lines = await readForDesk(
    routes,
    enteredCall,
    id,
    sql<{ place: number; line: { total: number; shown: RoomHistoryLine } }>`
      with line (at, user_id, action, data, rev) as (
        select r.created_at, r.sender_id, 'opened', '{}'::jsonb, 0 from chatrooms r where r.id = room.id
        union all ${changesSql(enteredCall.caller)}
        union all select s.updated_at, s.user_id, 'read', jsonb_build_object('last_read_seq', s.last_read_seq), 0
          from chat_reads s where s.room_id = room.id
        union all select g.created_at, r.sender_id, 'rated',
            jsonb_build_object('episode', g.episode, 'score', g.score, 'comment', g.comment), 0
          from room_ratings g join chatrooms r on r.id = g.room_id where g.room_id = room.id
        union all select d.created_at, d.user_id, 'converted', jsonb_build_object('resource', d.resource), 0
          from room_drafts d where d.room_id = room.id)
      select row_number() over (order by l.at desc, l.rev desc, l.action, l.user_id) as place,
             json_build_object('total', (select count(*)::int from line), 'shown', json_build_object('at', ${momentSql(sql`l.at`)},
               'user', ${personSql(sql`l.user_id`)}, 'action', l.action, 'data', l.data)) as line
        from line l order by place ${pageSql(pagination)}`,
  )
  const total = lines[0]?.total ?? 0
  return {
    results: lines.map(({ shown }) => shown),
    pagination: presentPagination(pagination, pagination.withCount ? total : undefined),
  }
}

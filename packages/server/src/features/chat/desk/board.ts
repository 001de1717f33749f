/** Reads the present workload of the desk, for users who assign rooms (chat §5, supervisor). */
import type { ChatPerson, DeskBoard, DeskFigures } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import type { Database } from '../../../db/database.ts'
import { isOnlineSql, personSql } from '../../../domain/conversations/desk.ts'
import { zoneSql } from '../../../db/calendar.ts'

/**
 * Reads the board of the chat desk in one statement: consultants who may sign in and other users who own chat
 * rooms, oldest wait first, and the rooms without an owner.
 *
 * @returns One row per person.
 */
export async function readBoard(database: Database): Promise<DeskBoard> {
  const today = sql`(date_trunc('day', now() at time zone ${zoneSql}) at time zone ${zoneSql})`
  const rows = await database.query(sql<DeskFigures & { id: number | null; consultant: ChatPerson; online: boolean }>`
    with room as (
      select coalesce(assignee_id, receiver_id) as owner, waiting_since, due_at from chatrooms where state <> 'closed'),
    held as (
      select owner, count(*)::int as open, count(waiting_since)::int as waiting, min(waiting_since) as oldest_wait,
             count(*) filter (where waiting_since is not null and due_at <= now())::int as overdue
        from room group by owner),
    late as (
      select consultant_id, count(*)::int as replies from room_replies
       where breached and replied_at >= ${today} group by consultant_id),
    person as (
      select id, last_seen_at from users where is_consultant and active and not blocked and removed_at is null
      union select u.id, u.last_seen_at from users u join held on held.owner = u.id
      union all select null::int, null::timestamptz)
    select p.id, ${personSql(sql`p.id`)} as consultant, ${isOnlineSql(sql`p.last_seen_at`)} as online,
           coalesce(held.open, 0) as open, coalesce(held.waiting, 0) as waiting, held.oldest_wait,
           coalesce(held.overdue, 0) as overdue, coalesce(held.overdue, 0) + coalesce(late.replies, 0) as breaches_today
      from person p left join held on held.owner is not distinct from p.id left join late on late.consultant_id = p.id
     order by held.oldest_wait nulls last, open desc, p.id`)
  const board: DeskBoard = {
    data: [],
    unassigned: { open: 0, waiting: 0, oldest_wait: null, overdue: 0, breaches_today: 0 },
  }
  for (const { id, consultant, online, ...figures } of rows) {
    if (id === null) board.unassigned = figures
    else board.data.push({ consultant, online, ...figures })
  }
  return board
}

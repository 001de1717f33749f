/** What is told of a change of a room, read at the end of the transaction that makes it (contract §11, chat §4). */
import type { Locale, RoomRow } from '@dala/model'
import { compile, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { unreadSql } from '../../domain/conversations/computed-rooms.ts'
import { isStaffSql } from '../../domain/conversations/desk.ts'
import type { LoggedChange } from '../../domain/conversations/room-changes.ts'
import { presentChange, type ToldChange } from './logged-change.ts'
import { itemSql } from './message-item.ts'
import { presentRow, rowSql } from './room-row.ts'

/** Somebody who hears of the room by his own channel. */
export interface Listener {
  user: number
  language: Locale
  unread: number
  /** The side that asks, and whoever is not of the desk any more: he hears of public changes alone. */
  outside: boolean
  /** He had the room, and it is not to be seen by him any more. */
  parted: boolean
}

export interface RoomNews {
  room: number
  rev: number
  audience: LoggedChange['audience']
  /** The revision before it, by who listens. */
  prev: Readonly<Record<LoggedChange['audience'], number>>
  told: (outside: boolean) => ToldChange
  asker: number
  listeners: readonly Listener[]
  /** Whether all consultants see the room now, and whether they did before. */
  isFree: boolean
  wasFree: boolean
  /** The row of a member, or as those see it who look on. */
  rowOf: (listener: Listener | undefined) => RoomRow
}

/** Nobody counts further for those who look on: a long room is counted at each of its changes. */
const mostUnread = 100

const listenersSql = (former: number | null) => sql`(
  select coalesce(json_agg(json_build_object('user', u.id, 'language', u.language, 'unread', u.unread,
      'outside', u.id = r.sender_id or not u.desk,
      'parted', u.id not in (r.sender_id, coalesce(r.receiver_id, 0), coalesce(r.assignee_id, 0)) and not u.staff
        and not (u.is_consultant and r.receiver_id is null and r.assignee_id is null))), '[]'::json)
    from (select p.id, p.language, p.is_consultant, ${isStaffSql(sql`o.type`)} as staff,
                 p.is_consultant or ${isStaffSql(sql`o.type`)} as desk,
                 ${unreadSql(sql`count(*)::int`, sql`r.id`, sql`p.id`)} as unread
            from users p join roles o on o.id = p.role_id
           where p.id in (
             select unnest(array[r.sender_id, r.receiver_id, r.assignee_id, ${former}::int])
             union all select c.id from users c
              where r.receiver_id is null and r.assignee_id is null and c.is_consultant and not c.blocked and c.removed_at is null)) u)`

/**
 * Reads what is told of a change in one statement. The room is locked: members, revisions and counts are those that
 * the commit leaves. In: the transaction that makes the change, and its entry in the log.
 */
export async function readNews(trx: Transaction, change: LoggedChange): Promise<RoomNews> {
  const { room, rev, type, audience, message = null, data = {} } = change
  const former = type === 'assigned' && typeof data.from === 'number' ? data.from : null
  const before = sql`select max(c.rev) from room_changes c where c.room_id = ${room} and c.rev < ${rev}`
  const [row = []] = await trx.rows(
    compile(sql`
      select r.revision, coalesce((${before} and c.audience = 'public'), 0), coalesce((${before}), 0), r.sender_id,
             r.receiver_id is null and r.assignee_id is null, ${listenersSql(former)},
             (select count(*)::int from (
               select 1 from chatmessages n where n.room_id = r.id and n.kind = 'message' and n.deleted_at is null
                limit ${sql.lit(mostUnread)}) n),
             m.deleted_at is not null, ${rowSql('r')}, ${itemSql('m')}
        from chatrooms r left join chatmessages m on m.id = ${message}::int where r.id = ${room}`),
  )
  const [last, prevPublic, prevStaff, asker, isFree, listeners, all, isGone] = row
  const [rowAt, itemAt] = [8, 8 + 13]
  const prev = { public: Number(prevPublic), staff: Number(prevStaff) }
  const publicRev = audience === 'public' ? rev : prev.public
  const inLanguage = row[rowAt + 9]
  const onlooker = { language: (inLanguage ?? 'en') as Locale, unread: Number(all), rev: Number(last) }
  return {
    room,
    rev,
    audience,
    prev,
    told: (outside) => presentChange({ type, message, isGone: isGone === true, data }, row, itemAt, outside),
    asker: Number(asker),
    listeners: listeners as Listener[],
    isFree: isFree === true,
    wasFree: type === 'assigned' && former === null,
    rowOf: (listener) =>
      presentRow(row, rowAt, listener ? { ...listener, rev: listener.outside ? publicRev : Number(last) } : onlooker),
  }
}

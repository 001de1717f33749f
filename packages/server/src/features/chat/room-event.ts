/** Loads the event of a room's change at the end of the transaction that makes it (contract §11, chat §4). */
import type { ChatMessage, Locale, RoomRow } from '@dala/model'
import { plannedTemplate, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { unreadSql } from '../../domain/conversations/computed-rooms.ts'
import { isStaffSql } from '../../domain/conversations/desk.ts'
import type { LoggedChange } from '../../domain/conversations/room-changes.ts'
import { presentChange, type PresentedChange } from './logged-change.ts'
import { itemSql } from './message-item.ts'
import { presentRow, rowSql, type StoredRoom } from './room-row.ts'

/** User who receives events of the chat room on their own channel. */
export interface RoomListener {
  user: number
  language: Locale
  unread: number
  /**
   * Whether the listener is the customer or a former member of the desk, and receives public changes alone.
   */
  isOutside: boolean
  /** Whether the listener owned the chat room and may not see it any more. */
  isParted: boolean
}

export interface RoomEvent {
  room: number
  rev: number
  audience: LoggedChange['audience']
  /** Previous revision of the chat room, by audience. */
  prev: Readonly<Record<LoggedChange['audience'], number>>
  presentTo: (isOutsideAudience: boolean) => PresentedChange
  asker: number
  listeners: readonly RoomListener[]
  /** Whether all consultants see the chat room now, and whether they did before. */
  isFree: boolean
  wasFree: boolean
  /** Returns the chat room's row for a listener, or for observers when `undefined`. */
  rowOf: (listener: RoomListener | undefined) => RoomRow
}

/** Cap for the unread messages of observers: their number is recomputed on every change of the room. */
const maxUnreadCount = 100

const listenersSql = (formerUser: number | null) => sql`(
  select coalesce(json_agg(json_build_object('user', u.id, 'language', u.language, 'unread', u.unread,
      'isOutside', u.id = r.sender_id or not u.desk,
      'isParted', u.id not in (r.sender_id, coalesce(r.receiver_id, 0), coalesce(r.assignee_id, 0)) and not u.staff
        and not (u.is_consultant and r.receiver_id is null and r.assignee_id is null))), '[]'::json)
    from (select p.id, p.language, p.is_consultant, ${isStaffSql(sql`o.type`)} as staff,
                 p.is_consultant or ${isStaffSql(sql`o.type`)} as desk,
                 ${unreadSql(sql`count(*)::int`, sql`r.id`, sql`p.id`)} as unread
            from users p join roles o on o.id = p.role_id
           where p.id in (
             select unnest(array[r.sender_id, r.receiver_id, r.assignee_id, ${formerUser}::int])
             union all select c.id from users c
              where r.receiver_id is null and r.assignee_id is null and c.is_consultant and not c.blocked and c.removed_at is null)) u)`

/** Row that the statement reads: the chat room, and the message of the change, if any. */
interface EventRow {
  revision: number
  /** Revisions of the chat room before this one that each audience knows of. */
  prev_public: number
  prev_staff: number
  asker: number
  is_free: boolean
  listeners: readonly RoomListener[]
  /** Messages of the chat room, counted up to `maxUnreadCounted`. */
  messages: number
  is_gone: boolean
  shown: StoredRoom
  item: ChatMessage | null
}

/**
 * Loads the socket event for a change of a chat room in one statement. The chat room is locked, so members,
 * revisions and counts are those of the commit.
 *
 * @param trx - The transaction that makes the change.
 * @param change - Its record in the log.
 * @returns The event; `undefined` for a room that the transaction has removed.
 */
export async function loadRoomEvent(trx: Transaction, change: LoggedChange): Promise<RoomEvent | undefined> {
  const { room, rev, type, audience, message = null, data = {} } = change
  const formerAssignee = type === 'assigned' && typeof data.from === 'number' ? data.from : null
  const previousRevSql = sql`select max(c.rev) from room_changes c where c.room_id = ${room} and c.rev < ${rev}`
  const [row] = await trx.query(
    plannedTemplate(
      sql<EventRow>`
      select r.revision, coalesce((${previousRevSql} and c.audience = 'public'), 0) as prev_public,
             coalesce((${previousRevSql}), 0) as prev_staff, r.sender_id as asker,
             r.receiver_id is null and r.assignee_id is null as is_free, ${listenersSql(formerAssignee)} as listeners,
             (select count(*)::int from (
               select 1 from chatmessages n where n.room_id = r.id and n.kind = 'message' and n.deleted_at is null
                limit ${sql.lit(maxUnreadCount)}) n) as messages,
             m.deleted_at is not null as is_gone, ${rowSql('r')} as shown, ${itemSql('m')} as item
        from chatrooms r left join chatmessages m on m.id = ${message}::int where r.id = ${room}`,
      { isRecurring: true },
    ),
  )
  if (!row) return undefined
  const { revision, listeners, shown } = row
  const previousRevs = { public: row.prev_public, staff: row.prev_staff }
  const publicRev = audience === 'public' ? rev : previousRevs.public
  const observer = { language: shown.language ?? 'en', unread: row.messages, rev: revision }
  return {
    room,
    rev,
    audience,
    prev: previousRevs,
    presentTo: (isOutsideAudience) =>
      presentChange({ type, message, item: row.item, isGone: row.is_gone, data }, isOutsideAudience),
    asker: row.asker,
    listeners,
    isFree: row.is_free,
    wasFree: type === 'assigned' && formerAssignee === null,
    rowOf: (listener) =>
      presentRow(shown, listener ? { ...listener, rev: listener.isOutside ? publicRev : revision } : observer),
  }
}

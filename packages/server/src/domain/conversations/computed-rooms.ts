/**
 * The computed fields of a room for its reader: its state,
 * unread messages, and whether they may write (chat §4).
 */
import { sql, type Template } from '../../db/sql.ts'
import { isStaffSql } from './desk.ts'
import { callerSlot, slotSql } from '../../resources/read/slots.ts'

type Sql = Template<unknown>

/** Returns the SQL of a column of a chat room. */
type ColumnSql = (name: string) => Sql

const caller = slotSql(callerSlot, 'int')

/** SQL of the last revision of a chat room that a customer may know of: notes and hand-overs do not count. */
export const publicRevSql = (room: Sql): Sql => sql`
  coalesce((select max(shown.rev) from room_changes shown where shown.room_id = ${room} and shown.audience = 'public'), 0)`

/** SQL of the reading mark of a person in a chat room. */
const markSql = (room: Sql, person: Sql): Sql => sql`
  coalesce((select mark.last_read_seq from chat_reads mark where mark.room_id = ${room} and mark.user_id = ${person}), 0)`

/**
 * SQL of a chat room's unread messages: those of others above the mark, as the customer sees them (contract
 * §11).
 */
export const unreadSql = (columnsSql: Sql, room: Sql, person: Sql): Sql => sql`(
  select ${columnsSql} from chatmessages m
   where m.room_id = ${room} and m.sender_id <> ${person} and m.kind = 'message' and m.deleted_at is null
     and m.seq > ${markSql(room, person)})`

/** SQL of whether a person has lost their account and can read no messages. */
export const isAccountGoneSql = (person: Sql): Sql =>
  sql`exists (select 1 from users u where u.id = ${person} and (u.blocked or u.removed_at is not null))`

/** SQL of whether a person works at the desk, like `sideOf` for a caller: a consultant, or staff. */
const isDeskSql = (person: Sql): Sql => sql`(
  select u.is_consultant or ${isStaffSql(sql`r.type`)}
    from users u join roles r on r.id = u.role_id where u.id = ${person})`

/**
 * Whether notes and hand-overs are hidden from the reader:
 * they are the customer, or no longer work at the desk.
 */
export const isOutsideSql = (columnRef: ColumnSql): Sql =>
  sql`(${columnRef('sender_id')} = ${caller} or not ${isDeskSql(caller)})`

/**
 * SQL of the pictures and documents of a message in the format of chat clients, in order; null when it has
 * none.
 *
 * @param columnRef - SQL of a column of the message.
 * @returns A JSON list of `url`, `name`, `mime`, `size`, `width` and `height`.
 */
export const attachmentsSql = (columnRef: ColumnSql): Sql => sql`(
  select jsonb_agg(jsonb_build_object('url', u.url, 'name', coalesce(${columnRef('file_names')} ->> u.id::text, u.name),
      'mime', u.mime, 'size', u.size, 'width', u.width, 'height', u.height) order by held.position, u.id)
    from chatmessages_files held join uploads u on u.id = held.target_id where held.holder_id = ${columnRef('id')})`

const owner = (columnRef: ColumnSql) => sql`coalesce(${columnRef('assignee_id')}, ${columnRef('receiver_id')})`

/**
 * SQL of the reason why the reader cannot write in a chat room, one of `closedReasons` of the model, or null.
 */
const closedReasonSql = (columnRef: ColumnSql): Sql => sql`(case
  when ${isAccountGoneSql(columnRef('sender_id'))} then 'customer-removed'
  when ${caller} = ${columnRef('sender_id')} or (${caller} = ${owner(columnRef)} and ${isDeskSql(caller)}) then null
  when ${owner(columnRef)} is null then 'unassigned'
  else 'not-owner' end)`

/** Computed columns of a chat room by name, made from the room's stored columns. */
export const roomColumns = {
  room: (columnRef) => sql`('room-' || ${columnRef('id')})`,
  rev: (columnRef) =>
    sql`(case when ${isOutsideSql(columnRef)} then ${publicRevSql(columnRef('id'))} else ${columnRef('revision')} end)`,
  unread_message: (columnRef) => unreadSql(sql`count(*)::int`, columnRef('id'), caller),
  first_unread_seq: (columnRef) => unreadSql(sql`min(m.seq)`, columnRef('id'), caller),
  last_seq: (columnRef) => sql`coalesce((
    select max(m.seq) from chatmessages m where m.room_id = ${columnRef('id')} and m.deleted_at is null
       and (m.kind <> 'note' or not ${isOutsideSql(columnRef)})), 0)`,
  can_write: (columnRef) => sql`(${closedReasonSql(columnRef)} is null)`,
  cannot_write_reason: closedReasonSql,
} as const satisfies Readonly<Record<string, (columnRef: ColumnSql) => Sql>>

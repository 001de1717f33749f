/** Presents a room as a row of the lists, for one user (chat §4). */
import { type Locale, locales, type RoomRow } from '@dala/model'
import { momentSql } from '../../db/moment-sql.ts'
import { sql, type Template } from '../../db/sql.ts'
import { personSql } from '../../domain/conversations/desk.ts'

type Sql = Template<unknown>

/** SQL of a chat room's tags in all their languages; a tag has a record, and so an id, for each language. */
const tagsSql = (room: Sql) => sql`(
  select coalesce(json_agg(json_build_object('color', t.color, 'names', (
      select json_object_agg(x.locale, json_build_object('id', x.id, 'name', x.name)) from tags_texts x where x.document_id = t.id
    )) order by l.position, t.id), '[]'::json)
    from chatrooms_tags l join tags t on t.id = l.target_id where l.holder_id = ${room})`

interface NamedTag {
  color: string | null
  names: Readonly<Partial<Record<Locale, { id: number; name: string }>>>
}

/** Part of a chat room that is the same for all users; its tags have their names in all languages. */
export interface StoredRoom extends Omit<RoomRow, 'room' | 'unread_message' | 'rev' | 'tags'> {
  tags: readonly NamedTag[]
}

/**
 * SQL of the part of a chat room that is the same for all users, as one JSON value.
 *
 * @param alias - Rows of the table of rooms.
 * @returns SQL of a `StoredRoom`; null where there is no room.
 */
export const rowSql = (alias: string): Sql => {
  const columnRef = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`case when ${columnRef('id')} is not null then json_build_object('id', ${columnRef('id')},
    'sender', ${personSql(columnRef('sender_id'))}, 'receiver', ${personSql(columnRef('receiver_id'))},
    'assignee', ${personSql(columnRef('assignee_id'))}, 'last_message', ${columnRef('last_message')}, 'state', ${columnRef('state')},
    'waiting_since', ${momentSql(columnRef('waiting_since'))}, 'warn_at', ${momentSql(columnRef('warn_at'))},
    'due_at', ${momentSql(columnRef('due_at'))}, 'language', ${columnRef('language')}, 'tags', ${tagsSql(columnRef('id'))},
    'createdAt', ${momentSql(columnRef('created_at'))}, 'updatedAt', ${momentSql(columnRef('updated_at'))}) end`
}

/** Part of a chat room that differs between users. */
export interface RoomReader {
  language: Locale
  unread: number
  /** Last revision of the chat room that the user may know of. */
  rev: number
}

/**
 * Presents a chat room as a row to one user.
 *
 * @param storedRoom - The part that is the same for all users.
 * @param reader - The user's language, unread messages and revision.
 * @returns A row of the lists.
 */
export function presentRow(storedRoom: StoredRoom, { language, unread, rev }: RoomReader): RoomRow {
  const order = [language, ...locales]
  const nameInLanguage = ({ color, names }: NamedTag) => {
    const foundName = order.map((locale) => names[locale]).find((name) => name !== undefined)
    return foundName ? [{ ...foundName, color }] : []
  }
  const { id, sender, receiver, assignee, last_message, state, ...otherColumns } = storedRoom
  return {
    id,
    room: `room-${id}`,
    sender,
    receiver,
    assignee,
    unread_message: unread,
    last_message,
    state,
    rev,
    ...otherColumns,
    tags: storedRoom.tags.flatMap(nameInLanguage),
  }
}

/** A room as a row of the lists, for one reader (chat §4). */
import { type ChatPerson, type Locale, locales, type RoomRow } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import { personSql } from '../../domain/conversations/desk.ts'

type Sql = Template<unknown>

/** A tag in each of its languages: it has a record, and so an id, for each. */
const tagsSql = (room: Sql) => sql`(
  select coalesce(json_agg(json_build_object('color', t.color, 'names', (
      select json_object_agg(x.locale, json_build_object('id', x.id, 'name', x.name)) from tags_texts x where x.document_id = t.id
    )) order by l.position, t.id), '[]'::json)
    from chatrooms_tags l join tags t on t.id = l.target_id where l.holder_id = ${room})`

/** The columns that all readers see alike, from rows of the table under an alias. */
export const rowSql = (alias: string): Sql => {
  const own = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`${own('id')}, ${personSql(own('sender_id'))}, ${personSql(own('receiver_id'))}, ${personSql(own('assignee_id'))},
    ${own('last_message')}, ${own('state')}, ${own('waiting_since')}, ${own('warn_at')}, ${own('due_at')}, ${own('language')},
    ${tagsSql(own('id'))}, ${own('created_at')}, ${own('updated_at')}`
}
const width = 13

interface NamedTag {
  color: string | null
  names: Readonly<Partial<Record<Locale, { id: number; name: string }>>>
}

/** What differs by reader. */
export interface Reader {
  language: Locale
  unread: number
  /** The last revision that he may know of. */
  rev: number
}

/** These columns of a row, from a place in it, as a reader has them. */
export function presentRow(row: readonly unknown[], at: number, { language, unread, rev }: Reader): RoomRow {
  const [id, sender, receiver, assignee, last_message, state, waiting_since, warn_at, due_at, spoken, ...rest] =
    row.slice(at, at + width)
  const [tags, createdAt, updatedAt] = rest
  const order = [language, ...locales]
  const inLanguage = ({ color, names }: NamedTag) => {
    const named = order.map((locale) => names[locale]).find((name) => name !== undefined)
    return named ? [{ ...named, color }] : []
  }
  return {
    id: Number(id),
    room: `room-${Number(id)}`,
    sender: sender as ChatPerson,
    receiver: receiver as ChatPerson | null,
    assignee: assignee as ChatPerson | null,
    unread_message: unread,
    last_message: last_message as RoomRow['last_message'],
    state: state as RoomRow['state'],
    rev,
    waiting_since: waiting_since as string | null,
    warn_at: warn_at as string | null,
    due_at: due_at as string | null,
    language: spoken as Locale | null,
    tags: (tags as NamedTag[]).flatMap(inLanguage),
    createdAt: createdAt as string,
    updatedAt: updatedAt as string,
  }
}

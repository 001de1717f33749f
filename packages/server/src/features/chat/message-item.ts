/** SQL of a message as lists and events show it (contract §11, chat §4). */
import { momentSql } from '../../db/moment-sql.ts'
import { sql, type Template } from '../../db/sql.ts'
import { attachmentsSql } from '../../domain/conversations/computed-rooms.ts'
import { personSql } from '../../domain/conversations/desk.ts'

type Sql = Template<unknown>

/** Maximum letters of a chat text that lists and quotations show, which keeps rows and events small. */
const shownLetters = 200
export const beginningSql = (text: Sql): Sql => sql`left(${text}, ${sql.lit(shownLetters)})`

/**
 * SQL of the message that a chat message quotes. A deleted one has only its id; a note is quoted in notes
 * alone.
 */
const quotedSql = (columnRef: (column: string) => Sql): Sql => sql`(
  select case when q.deleted_at is not null then json_build_object('id', q.id, 'deleted', true)
              else json_build_object('id', q.id, 'seq', q.seq, 'sender', ${personSql(sql`q.sender_id`)},
                'text', ${beginningSql(sql`q.text`)}, 'kind', q.kind) end
    from chatmessages q where q.id = ${columnRef('reply_to_id')} and (q.kind <> 'note' or ${columnRef('kind')} = 'note'))`

/**
 * SQL of a chat message as one JSON value, in the form that lists and events show.
 *
 * @param alias - Rows of the table of messages.
 * @returns SQL of a `ChatMessage`; null where there is no message.
 */
export const itemSql = (alias: string): Sql => {
  const columnRef = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`case when ${columnRef('id')} is not null then json_build_object('id', ${columnRef('id')}, 'room', ${columnRef('room_id')},
    'sender', ${personSql(columnRef('sender_id'))}, 'text', ${columnRef('text')}, 'kind', ${columnRef('kind')}, 'client_id', ${columnRef('client_id')},
    'seq', ${columnRef('seq')}, 'seen', ${columnRef('seen')}, 'attachments', coalesce(${attachmentsSql(columnRef)}, '[]'::jsonb),
    'createdAt', ${momentSql(columnRef('created_at'))}, 'updatedAt', ${momentSql(columnRef('updated_at'))},
    'reply_to', ${columnRef('reply_to_id')}, 'quoted', ${quotedSql(columnRef)}, 'edited_at', ${momentSql(columnRef('edited_at'))}) end`
}

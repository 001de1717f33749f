/** A message as lists and events show it (contract §11, chat §4). */
import type { ChatAttachment, ChatMessage, ChatPerson, MessageKind, QuotedMessage } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import { attachmentsSql } from '../../domain/conversations/computed-rooms.ts'
import { personSql } from '../../domain/conversations/desk.ts'

type Sql = Template<unknown>

/** As much of a text as lists and quotations show: rows and events stay small. */
const shownLetters = 200
export const beginningSql = (text: Sql): Sql => sql`left(${text}, ${sql.lit(shownLetters)})`

/** The message that another one answers; of one that is gone its id alone, and nothing of a note outside of notes. */
const quotedSql = (own: (column: string) => Sql): Sql => sql`(
  select case when q.deleted_at is not null then json_build_object('id', q.id, 'deleted', true)
              else json_build_object('id', q.id, 'seq', q.seq, 'sender', ${personSql(sql`q.sender_id`)},
                'text', ${beginningSql(sql`q.text`)}, 'kind', q.kind) end
    from chatmessages q where q.id = ${own('reply_to_id')} and (q.kind <> 'note' or ${own('kind')} = 'note'))`

/** The columns of an item, from rows of the table under an alias. */
export const itemSql = (alias: string): Sql => {
  const own = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`${own('id')}, ${own('room_id')}, ${personSql(own('sender_id'))}, ${own('text')}, ${own('kind')}, ${own('client_id')},
    ${own('seq')}, ${own('seen')}, ${attachmentsSql(own)}, ${own('created_at')}, ${own('updated_at')}, ${own('reply_to_id')},
    ${quotedSql(own)}, ${own('edited_at')}`
}

/** A row of these columns, from a place in it, as an item of a list. */
export function presentItem(row: readonly unknown[], at: number): ChatMessage {
  const [id, room, sender, text, kind, client_id, seq, seen, attachments, createdAt, updatedAt, ...rest] = row.slice(at)
  const [reply_to, quoted, edited_at] = rest
  return {
    id: Number(id),
    room: Number(room),
    sender: sender as ChatPerson,
    text: text as string | null,
    kind: kind as MessageKind,
    client_id: client_id as string | null,
    seq: seq as number,
    seen: seen === true,
    attachments: (attachments ?? []) as ChatAttachment[],
    createdAt: createdAt as string,
    updatedAt: updatedAt as string,
    reply_to: reply_to as number | null,
    quoted: quoted as QuotedMessage | null,
    edited_at: edited_at as string | null,
  }
}

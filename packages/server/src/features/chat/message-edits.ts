/** Edits and deletes messages, each as one revision of the room (chat §4, contract §11). */
import { fault, type MessageEdit } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import { type EnteredCall, presentEntry } from '../../resources/feature-routes.ts'
import { addRoomChange } from '../../domain/conversations/room-changes.ts'
import { updateEntry } from '../../resources/write/write.ts'
import { assertMessageFilled, type SentMessage } from './messages.ts'
import { lastInViewSql, setLastMessageSql, setRevision, readRevision } from './room-revision.ts'
import { sideInRoom } from './sides.ts'

const chatrooms = resourceNamed('chatrooms')
const chatmessages = resourceNamed('chatmessages')

/** Minutes for which authors may edit their chat messages (content-model §2). */
const editMinutes = 15

/** Response to a change of a message: the message, and the revision of the chat room as its author counts. */
type ChangedMessage = Pick<SentMessage, 'data' | 'rev'> & { meta: Record<string, never> }

interface WrittenMessage {
  room: StoredEntry
  message: StoredEntry
}

/**
 * Locks a message and its chat room, the room first.
 *
 * @throws 404 outside the caller's rows.
 */
async function lockMessage(trx: Transaction, id: number, { author, view }: EnteredCall): Promise<WrittenMessage> {
  const [foundMessage] = await trx.query(
    sql<{ room: number }>`select room_id as room from chatmessages where id = ${id}`,
  )
  if (!foundMessage) throw fault('record.not-found')
  const room = await lockEntry(trx, chatrooms, foundMessage.room, { author, view: {} })
  const message = room && (await lockEntry(trx, chatmessages, id, { author, view }))
  if (!room || !message) throw fault('record.not-found')
  return { room, message }
}

const audienceOf = ({ values }: StoredEntry) => (values.kind === 'note' ? 'staff' : 'public')

/** Whether lists show a message as the last one of its chat room. */
function isLastMessage({ room, message }: WrittenMessage): boolean {
  const { last_message: lastMessage } = room.values
  return (
    typeof lastMessage === 'object' && lastMessage !== null && 'id' in lastMessage && lastMessage.id === message.entry
  )
}

/**
 * Refuses an edit of a chat message that changed after the revision that its author has seen.
 *
 * @throws 409
 */
async function assertUnchangedMessage(
  trx: Transaction,
  { room, message }: WrittenMessage,
  seenRevision: number | undefined,
): Promise<void> {
  if (seenRevision === undefined) return
  const [laterMessage] = await trx.query(sql`
    select 1 from room_changes where room_id = ${room.document} and message_id = ${message.document} and rev > ${seenRevision} limit 1`)
  if (laterMessage)
    throw fault('record.stale', { details: { current: { id: message.entry, text: message.values.text } } })
}

/**
 * Changes the text of a chat message. Only its author may, for 15 minutes.
 *
 * @throws 403, 404, 409 and 422.
 */
export async function edit(
  trx: Transaction,
  database: Database,
  enteredCall: EnteredCall,
  id: number,
  { text, expected_rev, version: seenVersion }: MessageEdit,
): Promise<ChangedMessage> {
  const { caller, author } = enteredCall
  const version = typeof seenVersion === 'number' ? { version: seenVersion } : {}
  const writtenMessage = await lockMessage(trx, id, enteredCall)
  const { room, message } = writtenMessage
  const { sender, kind } = message.values
  if (sender !== caller.id || kind === 'system') throw fault('chat.not-your-voice')
  const rev = Number(room.values.revision) + 1
  const context = { database, author, view: {}, isTrusted: true, trx } as const
  // A body without a text changes no message, as everywhere (contract §4).
  if (text === undefined || text === message.values.text) {
    await updateEntry(context, chatmessages, id, version)
    const seenRev = await readRevision(trx, room, sideInRoom(caller, room.values))
    return { ...(await presentEntry(trx, chatmessages, id, enteredCall)), rev: seenRev }
  }
  if (Date.now() - Date.parse(message.createdAt) > editMinutes * 60_000) throw fault('chat.edit-late')
  const pictures = await trx.query(sql`select 1 from chatmessages_files where holder_id = ${message.document}`)
  assertMessageFilled(text, pictures.length)
  await assertUnchangedMessage(trx, writtenMessage, expected_rev ?? undefined)
  await updateEntry(context, chatmessages, id, { text, edited_at: new Date().toISOString(), ...version })
  const audience = audienceOf(message)
  await setRevision(trx, room, { rev, audience, set: isLastMessage(writtenMessage) ? [setLastMessageSql(id)] : [] })
  await addRoomChange(trx, { room: room.document, rev, type: 'updated', audience, message: id, user: caller.id })
  return { ...(await presentEntry(trx, chatmessages, id, enteredCall)), rev }
}

/** SQL that sets the last message and the wait of a chat room whose message was deleted. */
const resetLastMessageSql = (room: StoredEntry) => [
  lastInViewSql(room.document),
  // The wait of the chat room ends when the question itself was deleted.
  ...['waiting_since', 'warn_at', 'due_at'].map(
    (column) => sql`${sql.ref(column)} = case when exists (
      select 1 from chatmessages m where m.room_id = ${room.document} and m.deleted_at is null and m.kind = 'message'
         and m.sender_id = ${room.values.sender} and m.seq > coalesce((
           select max(r.seq) from chatmessages r where r.room_id = ${room.document} and r.deleted_at is null
              and r.kind = 'message' and r.sender_id <> ${room.values.sender}), 0)) then ${sql.ref(column)} end`,
  ),
]

/**
 * Hides a chat message; its row stays for the audit. Only its author or an admin may.
 *
 * @throws 403 and 404.
 */
export async function removeMessage(
  trx: Transaction,
  database: Database,
  enteredCall: EnteredCall,
  id: number,
): Promise<ChangedMessage> {
  const { caller, author } = enteredCall
  const { room, message } = await lockMessage(trx, id, enteredCall)
  const isAdmin = caller.role !== 'authenticated'
  if (message.values.sender !== caller.id && !isAdmin) throw fault('chat.not-your-voice')
  const rev = Number(room.values.revision) + 1
  const context = { database, author, view: {}, isTrusted: true, trx } as const
  await updateEntry(context, chatmessages, id, { deleted_at: new Date().toISOString() })
  const audience = audienceOf(message)
  await setRevision(trx, room, { rev, audience, set: resetLastMessageSql(room) })
  await addRoomChange(trx, { room: room.document, rev, type: 'deleted', audience, message: id, user: caller.id })
  return { ...(await presentEntry(trx, chatmessages, id, enteredCall)), rev }
}

/** Writes chat messages; each is one revision of its room (chat §4, contract §11). */
import {
  attachableExtensions,
  type Caller,
  fault,
  type Issue,
  type NewMessage,
  unprocessableFault,
  type WantedAttachment,
  type WireEntry,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { isAccountGoneSql } from '../../domain/conversations/computed-rooms.ts'
import { releaseFromRemovedMembers } from '../../domain/conversations/desk-moves.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import { type EnteredCall, presentEntry } from '../../resources/feature-routes.ts'
import { addRoomChange } from '../../domain/conversations/room-changes.ts'
import { routeRoom } from '../../domain/conversations/routing.ts'
import { createEntry } from '../../resources/write/write.ts'
import { isEpisodeStart, computeWait } from './desk/waiting.ts'
import { setLastMessageSql, setRevision, readRevision } from './room-revision.ts'
import { mayWrite, sideInRoom } from './sides.ts'

const chatrooms = resourceNamed('chatrooms')
const chatmessages = resourceNamed('chatmessages')
const uploads = resourceNamed('uploads')

/** Response to a write of a message: the message, and the revision of the chat room as its author counts. */
export interface SentMessage {
  data: WireEntry
  meta: { duplicate?: true }
  rev: number
}

/** Chat message with defaults for values that were left out. */
type Message = ReturnType<typeof fillDefaults>

const fillDefaults = ({ kind, reply_to, attachments, ...otherValues }: NewMessage) => ({
  ...otherValues,
  kind: kind ?? ('message' as const),
  reply_to: reply_to ?? null,
  attachments: attachments ?? [],
})

/**
 * Refuses a message without text and attachments.
 *
 * @throws 422
 */
export function assertMessageFilled(text: string | null, attachments: number): void {
  if (text !== null || attachments > 0) return
  const issue: Issue = { path: ['text'], code: 'chat.text-missing', params: { field: 'text' } }
  throw fault('chat.text-missing', { params: { field: 'text' }, issues: [issue] })
}

async function lockRoom(trx: Transaction, id: number, { author }: EnteredCall): Promise<StoredEntry> {
  const room = await lockEntry(trx, chatrooms, id, { author, view: {} })
  if (!room) throw fault('record.not-found')
  return room
}

interface MessageContext {
  existing: {
    id: number
    text: string | null
    kind: string
    reply_to: number | null
    files: number[]
    seq: number
  } | null
  replied: { kind: string } | null
  /**
   * Record of each attached file, in order; null for one that does not exist, or is no picture or document.
   */
  files: ({ id: number; name: string } | null)[]
  isCustomerGone: boolean
}

/** SQL of the id of an attached file: named by id, by its present address, or by a former one. */
const attachedIdSql = sql`coalesce((attached.file ->> 'id')::int,
  (select named.id from uploads named where named.url = '/uploads/' || (attached.file ->> 'name')),
  (select former.file_id from upload_addresses former
    where former.hash = split_part(attached.file ->> 'name', '.', 1) and former.hash || former.ext = attached.file ->> 'name'))`

const attachableKinds = attachableExtensions.map((extension) => `.${extension}`)

/** Reads everything a new message depends on, in one statement; the room is already locked. */
async function loadMessageContext(
  trx: Transaction,
  room: StoredEntry,
  caller: number,
  message: Message,
): Promise<MessageContext> {
  const { client_id, reply_to, attachments } = message
  const attachedFiles = JSON.stringify(attachments.map(({ file }) => file))
  const id = room.document
  const [foundContext] = await trx.query(sql<MessageContext>`
    select (select json_build_object('id', m.id, 'text', m.text, 'kind', m.kind, 'reply_to', m.reply_to_id, 'seq', m.seq,
                'files', coalesce((select json_agg(f.target_id order by f.position, f.target_id)
                   from chatmessages_files f where f.holder_id = m.id), '[]'::json))
              from chatmessages m where m.room_id = ${id} and m.sender_id = ${caller} and m.client_id = ${client_id}::text) as existing,
           (select json_build_object('kind', m.kind) from chatmessages m
             where m.id = ${reply_to}::int and m.room_id = ${id} and m.deleted_at is null) as replied,
           (select coalesce(json_agg(case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end order by attached.place), '[]'::json)
              from jsonb_array_elements(${attachedFiles}::jsonb) with ordinality as attached(file, place)
              left join uploads u on u.id = ${attachedIdSql} and u.ext = any(${attachableKinds}::text[])) as files,
           ${isAccountGoneSql(sql`${room.values.sender}::int`)} as "isCustomerGone"`)
  return foundContext ?? { existing: null, replied: null, files: [], isCustomerGone: false }
}

const relationFault = (field: string) =>
  unprocessableFault([{ path: [field], code: 'validation.relation', params: { field } }])

/**
 * Tells whether the sender of a message may see all of its files: a file that somebody attaches is shown to
 * the whole room.
 *
 * @param trx - The transaction of the message.
 * @param caller - The sender.
 * @param files - Ids of files that exist.
 */
async function maySeeAll(trx: Transaction, caller: Caller, files: readonly number[]): Promise<boolean> {
  const ids = [...new Set(files)]
  if (ids.length === 0) return true
  const scope = { resource: uploads, caller, view: authoriseCaller(uploads, 'get', caller) }
  const rows = await runScopedQuery(trx, scope, ({ from, where, document }) => {
    const id = sql.ref(`${document}.id`)
    return sql<{ id: number }>`select ${id} as id from ${from} where ${id} = any(${ids}::int[]) and ${where}`
  })
  return rows.length === ids.length
}

/** Whether a repeated message has the content of the first one. */
function isSameMessage({ existing, files }: MessageContext, { text, kind, reply_to }: Message): boolean {
  if (existing?.text !== text || existing.kind !== kind || existing.reply_to !== reply_to) return false
  // A repeated message matches the stored one even if one of its files was deleted in between.
  const seenIds = new Set(files.flatMap((file) => file?.id ?? []))
  return existing.files.join() === [...seenIds].join()
}

/**
 * Returns the sender's names for the files of a message, by id, where they differ from the names of the
 * files.
 */
function namesOf(
  attachments: readonly WantedAttachment[],
  files: MessageContext['files'],
): Record<string, string> | null {
  const names = attachments.flatMap(({ name }, index): [string, string][] => {
    const file = files[index]
    return file && name !== undefined && name !== file.name ? [[String(file.id), name]] : []
  })
  return names.length > 0 ? Object.fromEntries(names) : null
}

/**
 * Sends a chat message. A repeated `client_id` returns the first message, also when the chat room has a new
 * owner: after an error the author would write it again.
 *
 * @throws 403 for writing in another person's name, in a room where the caller may not write, or to a
 *   customer whose account is closed; 404 for a room that does not exist; 422.
 */
export async function sendMessage(
  trx: Transaction,
  database: Database,
  enteredCall: EnteredCall,
  newMessage: NewMessage,
): Promise<SentMessage> {
  const { caller, author } = enteredCall
  const message = fillDefaults(newMessage)
  if ((message.sender ?? caller.id) !== caller.id) throw fault('chat.not-your-voice')
  assertMessageFilled(message.text, message.attachments.length)
  let room = await lockRoom(trx, message.room, enteredCall)
  const callerSide = sideInRoom(caller, room.values)
  const mayWriteKind = mayWrite(callerSide, message.kind)

  const messageContext = await loadMessageContext(trx, room, caller.id, message)
  if (messageContext.existing) {
    if (!isSameMessage(messageContext, message)) throw fault('chat.duplicate')
    const { data } = await presentEntry(trx, chatmessages, messageContext.existing.id, enteredCall)
    // A caller who lost the chat room meanwhile receives the revision of their message, and no later one.
    return {
      data,
      meta: { duplicate: true },
      rev: mayWriteKind ? await readRevision(trx, room, callerSide) : messageContext.existing.seq,
    }
  }
  if (!mayWriteKind) throw fault('chat.not-your-voice')
  if (messageContext.isCustomerGone && message.kind === 'message') throw fault('chat.customer-gone')
  // A quotation in a chat must not reveal a note to a customer, so only notes may quote notes.
  if (
    message.reply_to !== null &&
    (!messageContext.replied || (messageContext.replied.kind === 'note' && message.kind !== 'note'))
  )
    throw relationFault('reply_to')
  const files = messageContext.files.flatMap((file) => file?.id ?? [])
  if (files.length < message.attachments.length || !(await maySeeAll(trx, caller, files)))
    throw relationFault('attachments')

  const { state } = room.values
  if (
    callerSide === 'asker' &&
    state === 'closed' &&
    (await releaseFromRemovedMembers(trx, { database, author }, room))
  )
    room = await lockRoom(trx, message.room, enteredCall)

  const rev = Number(room.values.revision) + 1
  const { text, kind, client_id, reply_to } = message
  const id = await createEntry(
    { database, author, view: {}, isTrusted: true, trx },
    chatmessages,
    {
      room: room.document,
      sender: caller.id,
      text,
      kind,
      client_id,
      seq: rev,
      reply_to,
      files: [...new Set(files)],
      file_names: namesOf(message.attachments, messageContext.files),
    },
    undefined,
  )
  const audience = kind === 'note' ? 'staff' : 'public'
  const wait =
    kind === 'message' ? await computeWait(trx, room, { isAsker: callerSide === 'asker', user: caller.id }) : []
  await setRevision(trx, room, { rev, audience, set: [setLastMessageSql(id), ...wait] })
  const reopenedState = callerSide === 'asker' && state !== 'open' ? { state: 'open' } : {}
  await addRoomChange(trx, {
    room: room.document,
    rev,
    type: 'created',
    audience,
    message: id,
    data: reopenedState,
    user: caller.id,
  })
  if (kind === 'message' && callerSide === 'asker' && isEpisodeStart(room)) await routeRoom(trx, room.document)
  const { data } = await presentEntry(trx, chatmessages, id, enteredCall)
  return { data, meta: {}, rev }
}

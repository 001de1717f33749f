/** Writing into a room: sending, editing and deleting, each one revision of the room (product/chat.md §4, contract §11). */
import { fault, unprocessable } from '@dala/model'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../../db/database.ts'
import type { ActionBody } from '../../resources/action-body.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { takeFromGone } from '../../resources/desk-moves.ts'
import { lockEntry, type StoredEntry } from '../../resources/examine.ts'
import { type Entered, presentEntry } from '../../resources/feature-routes.ts'
import { createEntry, updateEntry } from '../../resources/write.ts'
import { type Deliver, noteMessage } from './deliveries.ts'
import { assertSaysSomething, maxText, type MessageBody } from './message-body.ts'
import { mayWrite, sideOf } from './sides.ts'

const chatrooms = resourceNamed('chatrooms')
const chatmessages = resourceNamed('chatmessages')

/** How long an author may change what he wrote (content-model §2). */
const editMinutes = 15
/** Minutes for a reply, where the category says nothing: the first of an episode, and the next ones (product/chat.md §6). */
const replyMinutes = { first: 30, next: 120 }

/** Where messages are kept, and who is told of them. */
interface Desk {
  database: Database
  deliver: Deliver
}

interface Sent {
  data: unknown
  meta: { duplicate?: true }
  rev: number
}

async function lockRoom(trx: Transaction, id: number, { author }: Entered): Promise<StoredEntry> {
  const room = await lockEntry(trx, chatrooms, id, { author, view: {} })
  if (!room) throw fault('record.not-found')
  return room
}

/** SQL of what a list shows of a message that has just been written. */
const summarySql = (
  id: number,
  text: string | null,
  kind: string,
) => sql`jsonb_build_object('id', ${id}::int, 'text', ${text}::text,
  'kind', ${kind}::text, 'createdAt', to_char(now()::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/** Changes the room's own columns. Its version stays: people who edit the room are not in the way of those who write. */
async function moveRoom(
  trx: Transaction,
  room: number,
  rev: number,
  set: readonly RawBuilder<unknown>[],
): Promise<void> {
  const all = [sql`rev = ${rev}`, sql`updated_at = now()`, ...set]
  await trx.query(sql`update chatrooms set ${sql.join(all)} where id = ${room}`)
  trx.changed('chatrooms')
}

interface Answers {
  known: { id: number; text: string | null; kind: string; reply_to: number | null; urls: string[]; seq: number } | null
  replied: { kind: string } | null
  files: { url: string; name: string; size: number; width: number; height: number }[] | null
  minutes: number | null
  wasAnswered: boolean
}

/** Everything a new message asks of the database, in one statement; the room is locked already. */
async function ask(trx: Transaction, room: StoredEntry, caller: number, message: MessageBody): Promise<Answers> {
  const { clientId, replyTo, attachments } = message
  const urls = attachments.map(({ url }) => url)
  const id = room.document
  const [found] = await trx.query(sql<Answers>`
    select (select json_build_object('id', m.id, 'text', m.text, 'kind', m.kind, 'reply_to', m.reply_to_id, 'seq', m.seq,
                'urls', coalesce((select json_agg(a ->> 'url') from jsonb_array_elements(m.attachments) a), '[]'::json))
              from chatmessages m where m.room_id = ${id} and m.sender_id = ${caller} and m.client_id = ${clientId}::text) as known,
           (select json_build_object('kind', m.kind) from chatmessages m
             where m.id = ${replyTo}::int and m.room_id = ${id} and m.deleted_at is null) as replied,
           (select json_agg(json_build_object('url', u.url, 'name', u.name, 'size', u.size, 'width', u.width, 'height', u.height))
              from uploads u where u.url = any(${urls}::text[])) as files,
           (select c.first_reply_minutes from consultationcategories c where c.id = ${room.values.category ?? null}::int) as minutes,
           exists (select 1 from chatmessages m where m.room_id = ${id} and m.sender_id <> ${room.values.sender} and m.kind = 'message'
              and m.deleted_at is null and m.seq > coalesce((select max(c.rev) from room_changes c
                where c.room_id = ${id} and c.type = 'state' and c.data ->> 'to' = 'closed'), 0)) as "wasAnswered"`)
  return found ?? { known: null, replied: null, files: null, minutes: null, wasAnswered: false }
}

const refuse = (field: string) => unprocessable([{ path: [field], code: 'validation.relation', params: { field } }])

/** Whether a repeated message says the same as the first one. */
function isSame(known: NonNullable<Answers['known']>, { text, kind, replyTo, attachments }: MessageBody): boolean {
  const urls = attachments.map(({ url }) => url)
  return known.text === text && known.kind === kind && known.reply_to === replyTo && known.urls.join() === urls.join()
}

/** What a message does to the wait of the customer and to the state of the room (product/chat.md §6). */
function waitSql(room: StoredEntry, isAsker: boolean, { minutes, wasAnswered }: Answers): RawBuilder<unknown>[] {
  if (!isAsker) return [sql`waiting_since = null`, sql`due_at = null`]
  const target = wasAnswered ? replyMinutes.next : (minutes ?? replyMinutes.first)
  const isWaiting = room.values.waiting_since !== null
  return [
    sql`state = 'open'`,
    ...(isWaiting ? [] : [sql`waiting_since = now()`, sql`due_at = now() + make_interval(mins => ${target}::int)`]),
  ]
}

/**
 * Sends a message. A repeated `client_id` answers the first one.
 *
 * Throws 403 for who writes in another's name or into a room that is not his, 404 for a room that does not exist, 422.
 */
export async function send(
  trx: Transaction,
  { database, deliver }: Desk,
  entered: Entered,
  message: MessageBody,
): Promise<Sent> {
  const { caller, author } = entered
  if (message.sender !== undefined && message.sender !== caller.id) throw fault('chat.not-your-voice')
  assertSaysSomething(message.text, message.attachments.length)
  let room = await lockRoom(trx, message.room, entered)
  const side = sideOf(caller, room.values)
  if (!mayWrite(side, message.kind)) throw fault('chat.not-your-voice')

  const found = await ask(trx, room, caller.id, message)
  if (found.known) {
    if (!isSame(found.known, message)) throw fault('chat.duplicate')
    const { data } = await presentEntry(trx, chatmessages, found.known.id, entered)
    return { data, meta: { duplicate: true }, rev: Number(room.values.rev) }
  }
  // A customer must not learn of a note by quoting it, nor a public message quote one.
  if (message.replyTo !== null && (!found.replied || (found.replied.kind === 'note' && message.kind !== 'note')))
    throw refuse('reply_to')
  const attachments = message.attachments.map(({ url, name }) => {
    const file = found.files?.find((known) => known.url === url)
    if (!file) throw refuse('attachments')
    return { ...file, name: name ?? file.name }
  })

  const { state } = room.values
  if (side === 'asker' && state === 'closed' && (await takeFromGone(trx, { database, author }, room)))
    room = await lockRoom(trx, message.room, entered)

  const rev = Number(room.values.rev) + 1
  const { text, kind, clientId, replyTo } = message
  const id = await createEntry(
    { database, author, view: {}, trusted: true, trx },
    chatmessages,
    {
      room: room.document,
      sender: caller.id,
      text,
      kind,
      client_id: clientId,
      seq: rev,
      reply_to: replyTo,
      attachments: attachments.length > 0 ? attachments : null,
    },
    undefined,
  )
  const isPublic = kind === 'message'
  const shown = isPublic
    ? [sql`last_message = ${summarySql(id, text, kind)}`, ...waitSql(room, side === 'asker', found)]
    : []
  await moveRoom(trx, room.document, rev, shown)
  const reopened = side === 'asker' && state !== 'open' ? { state: 'open' } : {}
  const audience = isPublic ? 'public' : 'staff'
  await noteMessage(trx, deliver, {
    room: room.document,
    rev,
    type: 'created',
    audience,
    message: id,
    data: reopened,
    user: caller.id,
  })
  const { data } = await presentEntry(trx, chatmessages, id, entered)
  return { data, meta: {}, rev }
}

interface Written {
  room: StoredEntry
  message: StoredEntry
}

/** The message of an id and its room, both locked, the room first. Throws 404 outside the caller's rows. */
async function lockMessage(trx: Transaction, id: number, { author, view }: Entered): Promise<Written> {
  const [found] = await trx.query(sql<{ room: number }>`select room_id as room from chatmessages where id = ${id}`)
  if (!found) throw fault('record.not-found')
  const room = await lockEntry(trx, chatrooms, found.room, { author, view: {} })
  const message = room && (await lockEntry(trx, chatmessages, id, { author, view }))
  if (!room || !message) throw fault('record.not-found')
  return { room, message }
}

const audienceOf = ({ values }: StoredEntry) => (values.kind === 'note' ? 'staff' : 'public')

/** Whether a list shows this message as the last one of its room. */
function isLast({ room, message }: Written): boolean {
  const { last_message: last } = room.values
  return typeof last === 'object' && last !== null && 'id' in last && last.id === message.entry
}

/** Throws 409 when the message was changed after the revision that its author has seen. */
async function assertUnchanged(trx: Transaction, { room, message }: Written, seen: number | undefined): Promise<void> {
  if (seen === undefined) return
  const [later] = await trx.query(sql`
    select 1 from room_changes where room_id = ${room.document} and message_id = ${message.document} and rev > ${seen} limit 1`)
  if (later) throw fault('record.stale', { details: { current: { id: message.entry, text: message.values.text } } })
}

/** Changes the text: its author, for 15 minutes. Throws 403, 404, 409 and 422. */
export async function edit(
  trx: Transaction,
  { database, deliver }: Desk,
  entered: Entered,
  id: number,
  body: ActionBody,
): Promise<Sent> {
  const { caller, author } = entered
  const [text, seen, version] = [body.text('text', maxText), body.count('expected_rev'), body.version()]
  body.check()
  const written = await lockMessage(trx, id, entered)
  const { room, message } = written
  const { sender, attachments, kind } = message.values
  if (sender !== caller.id || kind === 'system') throw fault('chat.not-your-voice')
  const rev = Number(room.values.rev) + 1
  const context = { database, author, view: {}, trusted: true, trx } as const
  // A body without the text changes nothing, as everywhere (contract §4).
  if (!body.has('text') || text === message.values.text) {
    await updateEntry(context, chatmessages, id, version)
    return { ...(await presentEntry(trx, chatmessages, id, entered)), rev: rev - 1 }
  }
  if (Date.now() - Date.parse(message.createdAt) > editMinutes * 60_000) throw fault('chat.edit-late')
  assertSaysSomething(text, Array.isArray(attachments) ? attachments.length : 0)
  await assertUnchanged(trx, written, seen)
  await updateEntry(context, chatmessages, id, { text, edited_at: new Date().toISOString(), ...version })
  const shown = isLast(written) ? [sql`last_message = last_message || jsonb_build_object('text', ${text}::text)`] : []
  await moveRoom(trx, room.document, rev, shown)
  const change = { room: room.document, rev, message: id, user: caller.id, audience: audienceOf(message) } as const
  await noteMessage(trx, deliver, { ...change, type: 'updated' })
  return { ...(await presentEntry(trx, chatmessages, id, entered)), rev }
}

/** What a room shows and waits for without a message that is gone. */
const withoutSql = (room: StoredEntry) => [
  sql`last_message = (
    select jsonb_build_object('id', m.id, 'text', m.text, 'kind', m.kind,
        'createdAt', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from chatmessages m where m.room_id = ${room.document} and m.deleted_at is null and m.kind <> 'note'
     order by m.seq desc nulls last limit 1)`,
  // Nobody waits when the question itself is gone.
  ...['waiting_since', 'due_at'].map(
    (column) => sql`${sql.ref(column)} = case when exists (
      select 1 from chatmessages m where m.room_id = ${room.document} and m.deleted_at is null and m.kind = 'message'
         and m.sender_id = ${room.values.sender} and m.seq > coalesce((
           select max(r.seq) from chatmessages r where r.room_id = ${room.document} and r.deleted_at is null
              and r.kind = 'message' and r.sender_id <> ${room.values.sender}), 0)) then ${sql.ref(column)} end`,
  ),
]

/** Takes a message out of view; its row stays for the audit. The author, or an admin. Throws 403 and 404. */
export async function remove(
  trx: Transaction,
  { database, deliver }: Desk,
  entered: Entered,
  id: number,
): Promise<Sent> {
  const { caller, author } = entered
  const { room, message } = await lockMessage(trx, id, entered)
  const isAdmin = caller.role !== 'authenticated'
  if (message.values.sender !== caller.id && !isAdmin) throw fault('chat.not-your-voice')
  const rev = Number(room.values.rev) + 1
  const context = { database, author, view: {}, trusted: true, trx } as const
  await updateEntry(context, chatmessages, id, { deleted_at: new Date().toISOString() })
  await moveRoom(trx, room.document, rev, message.values.kind === 'note' ? [] : withoutSql(room))
  const change = { room: room.document, rev, message: id, user: caller.id, audience: audienceOf(message) } as const
  await noteMessage(trx, deliver, { ...change, type: 'deleted' })
  return { ...(await presentEntry(trx, chatmessages, id, entered)), rev }
}

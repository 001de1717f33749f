/**
 * Reads rooms from the database and derives, independently of the server, what each person should see of
 * them.
 */
import type { MessageKind, RoomState } from '@dala/model'
import type { Database } from '../../packages/server/src/db/database.ts'

interface StoredRoom {
  id: number
  sender: number
  receiver: number | null
  assignee: number | null
  state: RoomState
  revision: number
  waiting: string | null
  last: { id: number; text: string | null } | null
}

/** Part of a stored message that a client shows. */
export interface ShownMessage {
  id: number
  room: number
  sender: number
  text: string | null
  kind: MessageKind
  seq: number
  deleted: boolean
}

export interface StoredMessage extends ShownMessage {
  client_id: string | null
  created: string
}

interface StoredChange {
  room: number
  rev: number
  type: string
  audience: 'public' | 'staff'
  message: number | null
  to: string | null
}

export interface StoredRooms {
  rooms: readonly StoredRoom[]
  messages: readonly StoredMessage[]
  changes: readonly StoredChange[]
  /** Sequence number up to which a person has read a room, by `room/person`. */
  reads: ReadonlyMap<string, number>
}

/** Converts moments to whole milliseconds in a text: they are only compared for equality. */
const moment = (column: string) => `(round(extract(epoch from ${column}) * 1000))::bigint::text`

async function readRows<T>(database: Database, select: string): Promise<T[]> {
  const [row] = await database.script(`select coalesce(json_agg(t), '[]')::text as rows from (${select}) t`)
  return JSON.parse((row as { rows: string }).rows) as T[]
}

export async function readLedger(database: Database): Promise<StoredRooms> {
  const reads = await readRows<{ key: string; seq: number }>(
    database,
    `select room_id || '/' || user_id as key, last_read_seq as seq from chat_reads`,
  )
  return {
    rooms: await readRows(
      database,
      `select id, sender_id as sender, receiver_id as receiver, assignee_id as assignee, state, revision,
              ${moment('waiting_since')} as waiting, last_message as last from chatrooms`,
    ),
    messages: await readRows(
      database,
      `select id, room_id as room, sender_id as sender, text, kind, client_id, seq, deleted_at is not null as deleted,
              ${moment('created_at')} as created from chatmessages order by room_id, seq`,
    ),
    changes: await readRows(
      database,
      `select room_id as room, rev, type, audience, message_id as message, data ->> 'to' as "to"
         from room_changes order by room_id, rev`,
    ),
    reads: new Map(reads.map(({ key, seq }) => [key, seq])),
  }
}

/** Groups stored items by the room that they belong to. */
export const groupByRoom = <T extends { room: number }>(items: readonly T[]): ReadonlyMap<number, T[]> =>
  Map.groupBy(items, ({ room }) => room)

/** Returns the messages of a room that a person may see: customers see no notes. */
export const listVisibleMessages = (
  person: number,
  { sender }: { sender: number },
  messages: readonly ShownMessage[],
) => messages.filter(({ deleted, kind }) => !deleted && (kind !== 'note' || sender !== person))

export interface ExpectedRow {
  unread: number
  last: number | null
  lastText: string | null
  rev: number
  waiting: string | null
}

/** Returns the row that the list of rooms should show to a person. */
export function expectedRow(
  ledger: StoredRooms,
  room: StoredRoom,
  person: number,
  roomHistory: { messages: readonly StoredMessage[]; changes: readonly StoredChange[] },
): ExpectedRow {
  const readSeq = ledger.reads.get(`${room.id}/${person}`) ?? 0
  const spokenMessages = roomHistory.messages.filter(({ kind, deleted }) => kind === 'message' && !deleted)
  const lastMessage = spokenMessages.at(-1)
  const visibleChanges = roomHistory.changes.filter(({ audience }) => audience === 'public' || room.sender !== person)
  return {
    unread: spokenMessages.filter(({ sender, seq }) => sender !== person && seq > readSeq).length,
    last: lastMessage?.id ?? null,
    // Lists of rooms show only the beginning of the last message.
    lastText:
      lastMessage?.text === undefined || lastMessage.text === null
        ? null
        : [...lastMessage.text].slice(0, 200).join(''),
    rev: visibleChanges.at(-1)?.rev ?? 0,
    waiting: waitOf(room, roomHistory),
  }
}

/** The moment since when a customer waits in a room, derived from all its events (chat §6). */
function waitOf(
  { sender }: StoredRoom,
  { messages, changes }: { messages: readonly StoredMessage[]; changes: readonly StoredChange[] },
): string | null {
  const messagesById = new Map(messages.map((message) => [message.id, message]))
  const storedById = new Map<number, StoredMessage>()
  let waitingSince: string | null = null
  for (const { type, message, to } of changes) {
    const changedMessage = message === null ? undefined : messagesById.get(message)
    if (type === 'state' && to === 'closed') waitingSince = null
    if (changedMessage?.kind !== 'message') continue
    if (type === 'created') {
      storedById.set(changedMessage.id, changedMessage)
      waitingSince = changedMessage.sender === sender ? (waitingSince ?? changedMessage.created) : null
    }
    if (type === 'deleted') {
      storedById.delete(changedMessage.id)
      const lastSeqOf = (isAsker: boolean) =>
        Math.max(
          0,
          ...[...storedById.values()]
            .filter((storedMessage) => (storedMessage.sender === sender) === isAsker)
            .map(({ seq }) => seq),
        )
      // The wait of a customer ends when the question itself is deleted.
      if (lastSeqOf(true) < lastSeqOf(false) || lastSeqOf(true) === 0) waitingSince = null
    }
  }
  return waitingSince
}

/** Emits receipts, which show each side of a room how far the other one has read (chat §4). */
import { type Caller, fault } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Queries } from '../../db/database.ts'
import { channelOf, type Sockets } from '../../domain/delivery/sockets.ts'
import { isAnswerer, deskChannelsOf, type RoomSides } from './members.ts'

/**
 * Read and delivered marks of a user. Marks are places of public messages, so that no receipt reveals a note.
 */
export interface ReadMarks {
  last_read_seq: number
  delivered_seq: number
}

/**
 * Emits a user's read marks to their own other pages, and to the other side when the user is the customer,
 * the receiver or the assignee. Marks of observers are not emitted.
 */
export function emitReceipt(sockets: Sockets, caller: Caller, members: RoomSides, marks: ReadMarks): void {
  const { id: room, sender } = members
  const isAsker = caller.id === sender
  const otherChannels = isAsker ? deskChannelsOf(members) : isAnswerer(caller, members) ? [channelOf(sender)] : []
  const ownChannel = channelOf(caller.id)
  sockets.to([ownChannel, ...otherChannels]).emit('receipt', { room, user: caller.id, ...marks })
}

/**
 * Reads the marks of the other side for a user who joins a chat room: no revision covers receipts that were
 * emitted before they connected. The customer gets the marks of the receiver and the assignee; the desk gets
 * the customer's.
 */
export async function readReceipts(
  queries: Queries,
  caller: Caller,
  { id: room, sender, receiver, assignee }: RoomSides,
): Promise<(ReadMarks & { room: number; user: number })[]> {
  const otherPeople = caller.id === sender ? [receiver, assignee].filter((person) => person !== null) : [sender]
  const marks = await queries.query(sql<ReadMarks & { user: number }>`
    select user_id as "user", last_read_seq, delivered_seq from chat_reads
     where room_id = ${room}::int and user_id = any(${otherPeople}::int[]) and greatest(last_read_seq, delivered_seq) > 0`)
  return marks.map((receiptMark) => ({ room, ...receiptMark }))
}

/**
 * Records that a chat member's screen has the messages up to a place; the mark only rises. Observers have no
 * mark.
 *
 * @returns The member's marks when they rose.
 * @throws 404 when the room does not exist.
 */
export async function markMessagesDelivered(
  database: Database,
  caller: Caller,
  members: RoomSides,
  seq: number,
): Promise<ReadMarks | undefined> {
  if (caller.id !== members.sender && !isAnswerer(caller, members)) return undefined
  const rows = await database.query(sql<ReadMarks & { before: number }>`
    with reached as (
      select r.id, coalesce(max(m.seq), 0) as seq, coalesce((
          select c.delivered_seq from chat_reads c where c.room_id = r.id and c.user_id = ${caller.id}::int), 0) as before
        from chatrooms r left join chatmessages m on m.room_id = r.id and m.kind <> 'note' and m.seq <= ${seq}::int
       where r.id = ${members.id}::int group by r.id)
    insert into chat_reads as c (room_id, user_id, delivered_seq)
    select id, ${caller.id}::int, seq from reached
    on conflict (room_id, user_id) do update set delivered_seq = greatest(c.delivered_seq, excluded.delivered_seq)
    returning last_read_seq, delivered_seq, (select before from reached) as before`)
  const [marks] = rows
  if (!marks) throw fault('record.not-found')
  const { before, ...now } = marks
  return now.delivered_seq > before ? now : undefined
}

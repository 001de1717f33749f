/**
 * Moves read marks of rooms: a mark is a number that only rises, unless its user marks messages as unread
 * (chat §4).
 */
import { fault, maxInteger } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { EnteredCall, FeatureRoutes } from '../../resources/feature-routes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { channelOf, type Sockets } from '../../domain/delivery/sockets.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import type { RoomSides } from './members.ts'
import { type ReadMarks, emitReceipt } from './receipts.ts'

export interface ReadRoutes extends FeatureRoutes {
  sockets: Sockets
}

interface ReadMark {
  data: { room: number; unread_message: number; last_read_seq: number }
}

type Sql = Template<unknown>

/**
 * SQL of the last place, up to a limit, of a message that both sides know: receipts must not reveal notes.
 */
const readPlaceSql = (upTo: number | undefined) => sql`coalesce((
  select max(m.seq) from chatmessages m
   where m.room_id = room.id and m.kind <> 'note' and m.seq <= ${upTo ?? maxInteger}::int), 0)`

/** SQL that raises a read mark, and marks messages of the other side as seen. */
const raisedMarkSql = (caller: number, upTo: number | undefined): Sql => sql`
  mark as (
    insert into chat_reads as r (room_id, user_id, last_read_seq, delivered_seq)
    select room.id, ${caller}::int, ${readPlaceSql(upTo)}, ${readPlaceSql(upTo)} from room
    on conflict (room_id, user_id) do update
      set last_read_seq = greatest(r.last_read_seq, excluded.last_read_seq),
          delivered_seq = greatest(r.delivered_seq, excluded.delivered_seq), updated_at = now()
    returning last_read_seq, delivered_seq),
  seen as (
    update chatmessages m set seen = true from room, mark
     where m.room_id = room.id and not m.seen and m.seq <= mark.last_read_seq
       and case when room.sender_id = ${caller}::int then m.sender_id <> room.sender_id
                else ${caller}::int in (room.receiver_id, room.assignee_id) and m.sender_id = room.sender_id end)`

/** SQL that lowers a read mark; messages that were shown as seen to the other side stay seen. */
const loweredMarkSql = (caller: number, firstUnreadSeq: number): Sql => sql`
  mark as (
    insert into chat_reads as r (room_id, user_id, last_read_seq)
    select room.id, ${caller}::int, 0 from room
    on conflict (room_id, user_id) do update
      set last_read_seq = least(r.last_read_seq, (select ${readPlaceSql(firstUnreadSeq - 1)} from room)), updated_at = now()
    returning last_read_seq, delivered_seq)`

/** Read mark of a user now and before (null for the first one), and the members of the chat room. */
interface MarkRow extends Omit<RoomSides, 'id'> {
  read: number
  delivered: number
  read_before: number | null
  delivered_before: number | null
  unread: number
}

/**
 * Moves the caller's read mark in a readable chat room, and emits the receipt after the commit.
 *
 * @throws 404
 */
async function moveMark(
  trx: Transaction,
  { caller, view }: EnteredCall,
  { room, mark, tell: emitMarks }: { room: number; mark: Sql; tell: (members: RoomSides, marks: ReadMarks) => void },
): Promise<ReadMark> {
  const resource = resourceNamed('chatrooms')
  const [row] = await runScopedQuery(trx, { resource, caller, view }, ({ from, where, document }) => {
    const columnRef = (column: string) => sql.ref(`${document}.${column}`)
    return sql<MarkRow>`
      with room as materialized (
        select ${columnRef('id')} as id, ${columnRef('sender_id')} as sender_id, ${columnRef('receiver_id')} as receiver_id,
               ${columnRef('assignee_id')} as assignee_id
          from ${from} where ${columnRef('id')} = ${room} and ${where}),
      ${mark}
      select mark.last_read_seq as read, mark.delivered_seq as delivered, r.last_read_seq as read_before,
             r.delivered_seq as delivered_before, room.sender_id as sender, room.receiver_id as receiver,
             room.assignee_id as assignee, (
               select count(*)::int from chatmessages m
                where m.room_id = room.id and m.sender_id <> ${caller.id}::int and m.kind = 'message' and m.deleted_at is null
                  and m.seq > mark.last_read_seq) as unread
        from mark cross join room left join chat_reads r on r.room_id = room.id and r.user_id = ${caller.id}::int`
  })
  if (!row) throw fault('record.not-found')
  const { read, delivered, sender, receiver, assignee, unread } = row
  if (read !== row.read_before || delivered !== row.delivered_before) {
    const members = { id: room, sender, receiver, assignee }
    trx.afterCommit(() => emitMarks(members, { last_read_seq: read, delivered_seq: delivered }))
    trx.changed('chatrooms')
    trx.changed('chatmessages')
  }
  return { data: { room, unread_message: unread, last_read_seq: read } }
}

/**
 * Raises the caller's read mark to a message, the last one by default, and marks messages of the other side
 * as seen. Staff who read a chat room of others mark nothing as seen.
 *
 * @throws 404 for a room the caller may not read.
 */
export function markRoomRead(
  { database, sockets }: ReadRoutes,
  enteredCall: EnteredCall,
  { room, upTo }: { room: number; upTo?: number | undefined },
): Promise<ReadMark> {
  const { caller } = enteredCall
  const emitMarks = (members: RoomSides, marks: ReadMarks) => emitReceipt(sockets, caller, members, marks)
  return withDeadlockRetry(database, (trx) =>
    moveMark(trx, enteredCall, { room, mark: raisedMarkSql(caller.id, upTo), tell: emitMarks }),
  )
}

/**
 * Lowers the caller's read mark to just before the message whose `seq` is `from`; a lower mark stays. The
 * receipt is sent to the caller's own pages alone.
 *
 * @throws 404 for a room the caller may not read.
 */
export function markUnread(
  { database, sockets }: ReadRoutes,
  enteredCall: EnteredCall,
  room: number,
  firstUnreadSeq: number,
): Promise<ReadMark> {
  const { caller } = enteredCall
  const emitMarks = (_members: RoomSides, marks: ReadMarks) =>
    void sockets.to([channelOf(caller.id)]).emit('receipt', { room, user: caller.id, ...marks })
  return withDeadlockRetry(database, (trx) =>
    moveMark(trx, enteredCall, { room, mark: loweredMarkSql(caller.id, firstUnreadSeq), tell: emitMarks }),
  )
}

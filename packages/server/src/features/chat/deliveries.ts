/** What members of a room are told of a change to a message, made inside the transaction and sent after its commit (contract §11). */
import { sql } from 'kysely'
import { compile } from '../../db/compiler.ts'
import type { Transaction } from '../../db/database.ts'
import { noteChange, type RoomChange } from '../../resources/room-changes.ts'
import { itemSql, presentItem } from './message-list.ts'

export interface MessageChange extends RoomChange {
  type: 'created' | 'updated' | 'deleted'
  message: number
}

interface UpdateEvent {
  status: MessageChange['type']
  room: number
  rev: number
  /** The revision before this one that the reader may know of. */
  prev: number
  data: Readonly<Record<string, unknown>> & { id: number }
}

/** An event before it is known to whom it goes: the sides of a room count its revisions differently. */
interface Delivery {
  event: Omit<UpdateEvent, 'prev'>
  audience: MessageChange['audience']
  /** The asking side. */
  asker: number
  /** Who answers; empty while nobody has the room. */
  desk: readonly number[]
  prev: Readonly<Record<MessageChange['audience'], number>>
}

/** Sends an event. It never throws and is not waited for: whoever misses one sees it by the revisions. */
export type Deliver = (delivery: Delivery) => void

/** Bytes of an event; the notification that carries it to other instances may have 8,000 (product/chat.md §4). */
const maxBytes = 6_144

function withinSize(event: Delivery['event']): Delivery['event'] {
  if (Buffer.byteLength(JSON.stringify(event)) <= maxBytes) return event
  return { ...event, data: { id: event.data.id, rev: event.rev, partial: true } }
}

/** The room is locked: members and revisions are those of this very change. */
async function read(trx: Transaction, { room, rev, message, type, audience }: MessageChange): Promise<Delivery> {
  const before = sql`select max(c.rev) from room_changes c where c.room_id = ${room} and c.rev < ${rev}`
  const [row = []] = await trx.rows(
    compile(sql`
      select r.sender_id, r.receiver_id, r.assignee_id, coalesce((${before} and c.audience = 'public'), 0),
             coalesce((${before}), 0), ${itemSql('m')}
        from chatmessages m join chatrooms r on r.id = m.room_id where m.id = ${message}`),
  )
  const [asker, receiver, assignee, forPublic, forStaff] = row
  const data = type === 'deleted' ? { id: message } : presentItem(row, 5)
  return {
    event: withinSize({ status: type, room, rev, data }),
    audience,
    asker: Number(asker),
    desk: [receiver, assignee].filter((id) => typeof id === 'number'),
    prev: { public: Number(forPublic), staff: Number(forStaff) },
  }
}

/** Notes a change of a message in the log of its room, and tells the members once it is stored. */
export async function noteMessage(trx: Transaction, deliver: Deliver, change: MessageChange): Promise<void> {
  await noteChange(trx, change)
  const delivery = await read(trx, change)
  trx.afterCommit(() => deliver(delivery))
}

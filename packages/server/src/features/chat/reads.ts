/** How far somebody has read a room: one number that only rises (product/chat.md §4). */
import { fault, type Issue, maxInteger, unprocessable } from '@dala/model'
import { sql } from 'kysely'
import { resourceNamed } from '../../resources/attributes.ts'
import type { Entered, FeatureRoutes } from '../../resources/feature-routes.ts'
import { runScoped } from '../../resources/scoped.ts'

/** A whole number of the query; undefined when it is absent. */
function readNumber(value: unknown, field: string, issues: Issue[]): number | undefined {
  if (value === undefined || value === '') return undefined
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : -1
  if (number >= 0 && number <= maxInteger) return number
  issues.push({ path: [field], code: 'validation.integer', params: { field } })
  return undefined
}

/**
 * Moves the caller's mark up to a message, the last one when none is named, and shows the messages of the other side as
 * seen. Reading a room of others as staff marks nothing as seen there. Throws 404 for a room he may not read, 422.
 */
export async function markRead({ database }: FeatureRoutes, { caller, view, query }: Entered) {
  const issues: Issue[] = []
  const [room, upTo] = [readNumber(query.room, 'room', issues), readNumber(query.upTo, 'upTo', issues)]
  if (query.room === undefined || query.room === '')
    issues.push({ path: ['room'], code: 'validation.required', params: { field: 'room' } })
  if (issues.length > 0) throw unprocessable(issues)

  return database.transaction(async (trx) => {
    const resource = resourceNamed('chatrooms')
    const [row] = await runScoped(trx, { resource, caller, view }, ({ from, where, document }) => {
      const own = (column: string) => sql.ref(`${document}.${column}`)
      return sql`
        with room as materialized (
          select ${own('id')} as id, ${own('sender_id')} as asker,
                 ${caller.id}::int in (${own('receiver_id')}, ${own('assignee_id')}) as answers,
                 coalesce((select max(m.seq) from chatmessages m where m.room_id = ${own('id')}), 0) as last
            from ${from} where ${own('id')} = ${room} and ${where}),
        mark as (
          insert into chat_reads as r (room_id, user_id, last_read_seq)
          select room.id, ${caller.id}, least(coalesce(${upTo ?? null}::int, room.last), room.last) from room
          on conflict (room_id, user_id) do update
            set last_read_seq = greatest(r.last_read_seq, excluded.last_read_seq), updated_at = now()
          returning last_read_seq),
        seen as (
          update chatmessages m set seen = true from room, mark
           where m.room_id = room.id and not m.seen and m.seq <= mark.last_read_seq
             and case when room.asker = ${caller.id} then m.sender_id <> room.asker
                      else room.answers and m.sender_id = room.asker end)
        select mark.last_read_seq, (
            select count(*)::int from chatmessages m, room
             where m.room_id = room.id and m.sender_id <> ${caller.id} and m.kind = 'message' and m.deleted_at is null
               and m.seq > mark.last_read_seq)
          from mark`
    })
    if (!row) throw fault('record.not-found')
    trx.changed('chatrooms')
    trx.changed('chatmessages')
    return { data: { room, unread_message: Number(row[1]), last_read_seq: Number(row[0]) } }
  })
}

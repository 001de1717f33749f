/**
 * Measures the wait of a customer (chat §6): it begins with the first unanswered question, and ends with a
 * public reply of a person or when the room is closed. Notes, automatic texts, hand-overs and other states do
 * not affect it.
 */
import { sql, type Template } from '../../../db/sql.ts'
import type { Calendar } from '../../../db/calendar.ts'
import type { Transaction } from '../../../db/database.ts'
import { noteRoomStep } from '../../../domain/conversations/room-steps.ts'
import { replyTimes, waitTimesFrom } from '../../../domain/conversations/waits.ts'
import type { StoredEntry } from '../../../resources/write/examine.ts'

/** Author of a public chat message. */
interface MessageAuthor {
  isAsker: boolean
  user: number
}

/**
 * Updates the wait and the state of a chat room for a public message. A reply that ends a wait is stored with
 * its duration.
 *
 * @param room - The room, locked, as it was before.
 * @returns The columns of the room to set.
 */
export async function computeWait(
  trx: Transaction,
  room: StoredEntry,
  author: MessageAuthor,
): Promise<Template<unknown>[]> {
  const isWaiting = room.values.waiting_since !== null
  if (author.isAsker) return [sql`state = 'open'`, ...(isWaiting ? [] : await beginWait(trx, room))]
  if (isWaiting) await storeReply(trx, room, author.user)
  return [sql`waiting_since = null`, sql`warn_at = null`, sql`due_at = null`]
}

/** Tells whether a question in a room begins an episode: the first question, or the first after closing. */
export const isEpisodeStart = ({ values }: StoredEntry): boolean =>
  values.waiting_since === null && (Number(values.episode) === 0 || values.state === 'closed')

/**
 * Begins the wait of a customer. The first question of a chat room, or the first after it was closed, begins
 * an episode too.
 */
async function beginWait(trx: Transaction, room: StoredEntry): Promise<Template<unknown>[]> {
  const { document, values } = room
  const isNew = isEpisodeStart(room)
  const episode = Number(values.episode) + (isNew ? 1 : 0)
  const [currentWait] = await trx.query(sql<{
    now: string
    first: number | null
    next: number | null
    isReplied: boolean
  }>`
    select now()::timestamptz(3) as now,
           c.first_reply_minutes as first, c.next_reply_minutes as next,
           exists (select 1 from room_replies r where r.room_id = ${document} and r.episode = ${episode}) as "isReplied"
      from (select) one left join consultationcategories c on c.id = ${values.category ?? null}::int`)
  const { now = '', first, next, isReplied = false } = currentWait ?? {}
  if (isNew)
    await noteRoomStep(trx, { room: document, values: { ...values, episode }, action: 'open', user: values.sender })
  const { replyMinutes } = trx.calendar
  const target = isReplied ? (next ?? replyMinutes.next) : (first ?? replyMinutes.first)
  const wait = waitTimesFrom(trx.calendar, Date.parse(now), target)
  return [
    sql`episode = ${episode}`,
    ...Object.entries(wait).map(([column, timestamp]) => sql`${sql.ref(column)} = ${timestamp}::timestamptz`),
  ]
}

/**
 * Computes the wait of a chat room.
 *
 * @param calendar - The calendar with the working time.
 * @param waitingSince - The moment it began, as the room stores it.
 * @param dueAt - The moment from which it is overdue, as the room stores it.
 * @returns Both moments in milliseconds, and the working minutes between them.
 */
export function presentWait({ workingTime }: Calendar, waitingSince: unknown, dueAt: unknown) {
  const [waitingFrom, dueTime] = [Date.parse(String(waitingSince)), Date.parse(String(dueAt))]
  return { waitingFrom, due: dueTime, minutes: Math.round(workingTime.between(waitingFrom, dueTime) / 60_000) }
}

/** Stores the reply that ends a customer's wait: a late first reply stays a breach. */
async function storeReply(trx: Transaction, { document, values }: StoredEntry, user: number): Promise<void> {
  const [clock] = await trx.query(sql<{ now: string }>`select now()::timestamptz(3) as now`)
  const { waiting_since, due_at, episode, region, category, language } = values
  const reply = replyTimes(trx.calendar, { waiting_since, due_at }, Date.parse(clock?.now ?? ''))
  await trx.query(sql`
    insert into room_replies (room_id, episode, consultant_id, asked_at, due_at, replied_at, wall_seconds, working_seconds,
        target_minutes, first, breached, region_id, category_id, language)
    select ${document}, ${episode}, ${user}, ${reply.asked_at}::timestamptz, ${reply.due_at}::timestamptz,
           ${reply.replied_at}::timestamptz, ${reply.wall_seconds}, ${reply.working_seconds}, ${reply.target_minutes},
           not exists (select 1 from room_replies r where r.room_id = ${document} and r.episode = ${episode}),
           ${reply.breached}, ${region ?? null}::int, ${category ?? null}::int, ${language ?? null}::text`)
}

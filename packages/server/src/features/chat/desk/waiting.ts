/**
 * Measures the wait of a customer (chat §6): it begins with the first unanswered question, and ends with a
 * public reply of a person or when the room is closed. Notes, automatic texts, hand-overs and other states do
 * not affect it.
 */
import { sql, type Template } from '../../../db/sql.ts'
import type { Calendar } from '../../../db/calendar.ts'
import type { Transaction } from '../../../db/database.ts'
import type { StoredEntry } from '../../../resources/write/examine.ts'

/** Target minutes for a reply: the first one of an episode, unless its category sets it, and later ones. */
const replyMinutes = { first: 30, next: 120 }
/** Part of the target of a wait after which the wait is shown as nearly overdue. */
const warnPart = 0.7

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
export async function waitAfter(
  trx: Transaction,
  room: StoredEntry,
  author: MessageAuthor,
): Promise<Template<unknown>[]> {
  const isWaiting = room.values.waiting_since !== null
  if (author.isAsker) return [sql`state = 'open'`, ...(isWaiting ? [] : await begin(trx, room))]
  if (isWaiting) await storeReply(trx, room, author.user)
  return [sql`waiting_since = null`, sql`warn_at = null`, sql`due_at = null`]
}

/** Tells whether a question in a room begins an episode: the first question, or the first after closing. */
export const beginsEpisode = ({ values }: StoredEntry): boolean =>
  values.waiting_since === null && (Number(values.episode) === 0 || values.state === 'closed')

/**
 * Begins the wait of a customer. The first question of a chat room, or the first after it was closed, begins
 * an episode too.
 */
async function begin(trx: Transaction, room: StoredEntry): Promise<Template<unknown>[]> {
  const { document, values } = room
  const episode = Number(values.episode) + (beginsEpisode(room) ? 1 : 0)
  const [current] = await trx.query(sql<{ now: string; minutes: number | null; isReplied: boolean }>`
    select now()::timestamptz(3) as now,
           (select c.first_reply_minutes from consultationcategories c where c.id = ${values.category ?? null}::int) as minutes,
           exists (select 1 from room_replies r where r.room_id = ${document} and r.episode = ${episode}) as "isReplied"`)
  const { now = '', minutes = null, isReplied = false } = current ?? {}
  const target = isReplied ? replyMinutes.next : (minutes ?? replyMinutes.first)
  const after = (count: number) => new Date(trx.calendar.workingTime.add(Date.parse(now), count)).toISOString()
  return [
    sql`episode = ${episode}`,
    sql`waiting_since = ${now}::timestamptz`,
    sql`warn_at = ${after(target * warnPart)}::timestamptz`,
    sql`due_at = ${after(target)}::timestamptz`,
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
export function waitOf({ workingTime }: Calendar, waitingSince: unknown, dueAt: unknown) {
  const [waitingFrom, due] = [Date.parse(String(waitingSince)), Date.parse(String(dueAt))]
  return { waitingFrom, due, minutes: Math.round(workingTime.between(waitingFrom, due) / 60_000) }
}

/** Stores the reply that ends a customer's wait: a late first reply stays a breach. */
async function storeReply(trx: Transaction, { document, values }: StoredEntry, user: number): Promise<void> {
  const [clock] = await trx.query(sql<{ now: string }>`select now()::timestamptz(3) as now`)
  const { waitingFrom, due, minutes } = waitOf(trx.calendar, values.waiting_since, values.due_at)
  // now() is the start of the transaction: a reply that waited for the room's lock can start before its question.
  const now = Math.max(Date.parse(clock?.now ?? ''), waitingFrom)
  const working = Math.round(trx.calendar.workingTime.between(waitingFrom, now) / 1_000)
  const moment = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`
  await trx.query(sql`
    insert into room_replies (room_id, episode, consultant_id, asked_at, replied_at, wall_seconds, working_seconds,
        target_minutes, first, breached)
    select ${document}, ${values.episode}, ${user}, ${moment(waitingFrom)}, ${moment(now)}, ${Math.round((now - waitingFrom) / 1_000)},
           ${working}, ${minutes},
           not exists (select 1 from room_replies r where r.room_id = ${document} and r.episode = ${values.episode}),
           ${now > due}`)
}

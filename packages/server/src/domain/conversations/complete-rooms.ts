/** Completes the facts of rooms from their log: openings, closings, and replies where none are stored. */
import { sql } from '../../db/sql.ts'
import type { Calendar } from '../../db/calendar.ts'
import type { Transaction } from '../../db/database.ts'
import { type ReplyTimes, replyTimes, type WaitTimes, waitTimesFrom } from './waits.ts'

/** Number of rooms that one statement completes. */
const portion = 200

/** A past event of a room: a public message, a change of its state, or a hand-over. */
interface PastChange {
  at: string
  by: number | null
  type: 'created' | 'state' | 'assigned'
  /** New state of the room, or its new owner. */
  to: string | null
  from: string | null
}

/** A room with all that is known of its past. */
interface PastRoom {
  id: number
  sender: number
  owner: number | null
  minutes: number | null
  region: number | null
  category: number | null
  language: string | null
  /** Whether replies are stored; an earlier version stored them without openings. */
  replied: boolean
  changes: PastChange[]
}

/** The subject of a conversation of a room. */
type Subject = { room: number; episode: number; owner: number | null } & Pick<
  PastRoom,
  'region' | 'category' | 'language'
>
interface CompletedRoom {
  steps: (Subject & { action: 'open' | 'close' | 'reopen'; at: string; by: number | null })[]
  replies: (Subject & ReplyTimes & { author: number | null; first: boolean })[]
  ended: (Subject & { asked_at: string; due_at: string; ended_at: string })[]
}

/** Follows the past of one room and collects its facts. */
class RoomPast {
  readonly completedFacts: CompletedRoom = { steps: [], replies: [], ended: [] }
  readonly #calendar: Calendar
  readonly #room: PastRoom
  #owner: number | null
  #episode = 0
  #isClosed = false
  #isReplied = false
  #wait: WaitTimes | null = null

  constructor(calendar: Calendar, room: PastRoom) {
    this.#calendar = calendar
    this.#room = room
    const firstChange = room.changes.find(({ type }) => type === 'assigned')
    this.#owner = firstChange ? toId(firstChange.from) : room.owner
    for (const change of room.changes) this.#follow(change)
  }

  #subject(): Subject {
    const { id, region, category, language } = this.#room
    return { room: id, episode: this.#episode, owner: this.#owner, region, category, language }
  }

  #step(action: 'open' | 'close' | 'reopen', { at, by }: PastChange): void {
    if (this.#episode > 0) this.completedFacts.steps.push({ ...this.#subject(), action, at, by })
  }

  #follow(change: PastChange): void {
    const { type, to, by } = change
    if (type === 'assigned') this.#owner = toId(to)
    else if (type === 'state') this.#setState(change)
    else if (by === this.#room.sender) this.#ask(change)
    else if (this.#wait) this.#reply(change, this.#wait)
  }

  #setState(change: PastChange): void {
    const isClosed = change.to === 'closed'
    if (isClosed === this.#isClosed) return
    this.#isClosed = isClosed
    this.#step(isClosed ? 'close' : 'reopen', change)
    if (!isClosed || !this.#wait) return
    const { waiting_since, due_at } = this.#wait
    this.completedFacts.ended.push({ ...this.#subject(), asked_at: waiting_since, due_at, ended_at: change.at })
    this.#wait = null
  }

  #ask(change: PastChange): void {
    if (this.#episode === 0 || this.#isClosed) {
      this.#episode += 1
      this.#isReplied = false
      this.#step('open', change)
    }
    this.#isClosed = false
    const { replyMinutes } = this.#calendar
    const target = this.#isReplied ? replyMinutes.next : (this.#room.minutes ?? replyMinutes.first)
    this.#wait ??= waitTimesFrom(this.#calendar, Date.parse(change.at), target)
  }

  #reply({ at, by }: PastChange, wait: WaitTimes): void {
    const waitTimes = replyTimes(this.#calendar, wait, Date.parse(at))
    this.completedFacts.replies.push({ ...this.#subject(), ...waitTimes, author: by, first: !this.#isReplied })
    this.#isReplied = true
    this.#wait = null
  }
}

const toId = (text: string | null): number | null => (text === null ? null : Number(text))

/** Reads the next rooms with a conversation and without its openings, locked. */
const readPastRooms = (trx: Transaction) =>
  trx.query(sql<PastRoom>`
    with r as (
      select * from chatrooms c where c.episode > 0 and not exists (select 1 from room_steps s where s.room_id = c.id)
       order by c.id limit ${portion} for update)
    select r.id, r.sender_id as sender, coalesce(r.assignee_id, r.receiver_id) as owner, k.first_reply_minutes as minutes,
           r.region_id as region, r.category_id as category, r.language,
           exists (select 1 from room_replies p where p.room_id = r.id) as replied,
           coalesce((select json_agg(json_build_object('at', c.created_at, 'by', coalesce(m.sender_id, c.user_id), 'type', c.type,
                'to', c.data ->> 'to', 'from', c.data ->> 'from') order by c.rev)
              from room_changes c left join chatmessages m on m.id = c.message_id
             where c.room_id = r.id and (c.type in ('state', 'assigned') or (c.type = 'created' and m.kind = 'message'))), '[]'::json) as changes
      from r left join consultationcategories k on k.id = r.category_id order by r.id`)

/**
 * Completes the next rooms without openings.
 *
 * @returns Their number; rooms without anything in their log are left out.
 */
export async function completeRooms(trx: Transaction): Promise<number> {
  const rooms = await readPastRooms(trx)
  const roomFacts = rooms.map((room) => ({ room, ...new RoomPast(trx.calendar, room).completedFacts }))
  const steps = roomFacts.flatMap((completedRoom) => completedRoom.steps)
  if (steps.length === 0) return 0
  await trx.query(sql`
    insert into room_steps (room_id, episode, action, owner_id, region_id, category_id, language, user_id, created_at)
    select x.room, x.episode, x.action, x.owner, x.region, x.category, x.language, x.by, x.at
      from jsonb_to_recordset(${JSON.stringify(steps.map((step, stepIndex) => ({ ...step, place: stepIndex })))}::jsonb)
        as x(room int, episode int, action text, owner int, region int, category int, language text, by int, at timestamptz, place int)
     order by x.place`)
  const replies = roomFacts.flatMap((completedRoom) => (completedRoom.room.replied ? [] : completedRoom.replies))
  await trx.query(sql`
    insert into room_replies (room_id, episode, consultant_id, asked_at, due_at, replied_at, wall_seconds, working_seconds,
        target_minutes, first, breached, region_id, category_id, language)
    select x.room, x.episode, x.author, x.asked_at, x.due_at, x.replied_at, x.wall_seconds, x.working_seconds, x.target_minutes,
           x.first, x.breached, x.region, x.category, x.language
      from jsonb_to_recordset(${JSON.stringify(replies)}::jsonb)
        as x(room int, episode int, author int, asked_at timestamptz, due_at timestamptz, replied_at timestamptz, wall_seconds int,
             working_seconds int, target_minutes int, first boolean, breached boolean, region int, category int, language text)`)
  const endedWaits = roomFacts.flatMap((completedRoom) => completedRoom.ended)
  await trx.query(sql`
    insert into desk_waits_ended (room_id, turn, asked_at, due_at, ended_at, owner_id, region_id, category_id, language)
    select x.room, x.episode, x.asked_at, x.due_at, x.ended_at, x.owner, x.region, x.category, x.language
      from jsonb_to_recordset(${JSON.stringify(endedWaits)}::jsonb)
        as x(room int, episode int, asked_at timestamptz, due_at timestamptz, ended_at timestamptz, owner int, region int,
             category int, language text)`)
  return steps.length
}

/**
 * The times of a wait for a reply, in rooms and consultations alike: targets are in working time (chat §6).
 */
import { sql } from '../../db/sql.ts'
import type { Calendar } from '../../db/calendar.ts'
import type { Transaction } from '../../db/database.ts'

/** Part of the target of a wait after which the wait is shown as nearly overdue. */
const warningShare = 0.7

/** The times of a wait as records store them. */
export type WaitTimes = Record<'waiting_since' | 'warn_at' | 'due_at', string>

/** The stored times of a case for which nobody waits. */
export const clearedWait = { waiting_since: null, warn_at: null, due_at: null } as const

const toText = (time: number) => new Date(time).toISOString()

/**
 * Computes the times of a wait that begins.
 *
 * @param calendar - The calendar with the working time.
 * @param waitStart - The start of the wait, in milliseconds.
 * @param minutes - The target, in working minutes.
 */
export function waitTimesFrom({ workingTime }: Calendar, waitStart: number, minutes: number): WaitTimes {
  const momentAfter = (count: number) => toText(workingTime.add(waitStart, count))
  return {
    waiting_since: toText(waitStart),
    warn_at: momentAfter(minutes * warningShare),
    due_at: momentAfter(minutes),
  }
}

/** A reply that ended a wait, as the tables of replies store it. */
export interface ReplyTimes {
  asked_at: string
  due_at: string
  replied_at: string
  wall_seconds: number
  working_seconds: number
  target_minutes: number
  breached: boolean
}

/**
 * Computes the times of a reply that ends a wait. A reply is never earlier than its question: its transaction
 * can have started before that of the question.
 *
 * @param calendar - The calendar with the working time.
 * @param wait - The start of the wait and its deadline, as they are stored.
 * @param replyMoment - The time of the reply, in milliseconds.
 */
export function replyTimes(
  { workingTime }: Calendar,
  wait: { waiting_since: unknown; due_at: unknown },
  replyMoment: number,
): ReplyTimes {
  const [askedAt, dueAt] = [Date.parse(String(wait.waiting_since)), Date.parse(String(wait.due_at))]
  const repliedAt = Math.max(replyMoment, askedAt)
  return {
    asked_at: toText(askedAt),
    due_at: toText(dueAt),
    replied_at: toText(repliedAt),
    wall_seconds: Math.round((repliedAt - askedAt) / 1_000),
    working_seconds: Math.round(workingTime.between(askedAt, repliedAt) / 1_000),
    target_minutes: Math.round(workingTime.between(askedAt, dueAt) / 60_000),
    breached: repliedAt > dueAt,
  }
}

/** A wait that ends without a reply. */
export interface EndedWait {
  case: { room: number } | { consultation: number }
  /** Episode of the room, or turn of the consultation. */
  turn: unknown
  /** The values of the case before its wait ended. */
  before: Readonly<Record<string, unknown>>
  owner: unknown
}

/**
 * Stores the end of a wait without a reply, unless nobody waits. A wait that was overdue then counts as not
 * answered in time.
 */
export async function noteEndOfWait(
  trx: Transaction,
  { case: endedCase, turn, before, owner }: EndedWait,
): Promise<void> {
  if (typeof before.waiting_since !== 'string' || typeof before.due_at !== 'string') return
  const [room, consultation] = 'room' in endedCase ? [endedCase.room, null] : [null, endedCase.consultation]
  await trx.query(sql`
    insert into desk_waits_ended (room_id, consultation_id, turn, asked_at, due_at, ended_at, owner_id, region_id, category_id, language)
    values (${room}::int, ${consultation}::int, ${Number(turn)}, ${before.waiting_since}::timestamptz, ${before.due_at}::timestamptz,
            greatest(now(), ${before.waiting_since}::timestamptz), ${owner ?? null}::int, ${before.region ?? null}::int,
            ${before.category ?? null}::int, ${before.language ?? null}::text)`)
}

/** Removes the stored end of a wait that goes on, because the step that ended it was undone. */
export async function forgetEndOfWait(
  trx: Transaction,
  endedCase: EndedWait['case'],
  waitingSince: unknown,
): Promise<void> {
  if (typeof waitingSince !== 'string') return
  const [column, id] = 'room' in endedCase ? ['room_id', endedCase.room] : ['consultation_id', endedCase.consultation]
  await trx.query(sql`
    delete from desk_waits_ended where ${sql.ref(column)} = ${id} and asked_at = ${waitingSince}::timestamptz`)
}

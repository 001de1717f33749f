/**
 * Completes the facts of the desk that an earlier version or the samples did not store: working hours are a
 * setting, so no migration can compute them.
 */
import { sql } from '../../db/sql.ts'
import type { Calendar } from '../../db/calendar.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { type ConsultationReply, storeReplies } from './consultation-replies.ts'
import { completeRooms } from './complete-rooms.ts'
import { clearedWait, replyTimes, type WaitTimes, waitTimesFrom } from './waits.ts'

/** Number of records that one statement completes. */
const portion = 500

/** A past event of a consultation. */
interface PastEvent {
  action: 'answer' | 'assign' | 'finish' | 'reopen'
  at: string
  /** Id of the stored step of a consultation. */
  step?: number
  /** Author of an answer, when the history names one. */
  by?: number | null
  from?: number | null
}

/** A consultation with all that is known of its past. */
interface PastConsultation {
  id: number
  asked: string
  answered: string | null
  finished: string | null
  reopened: string | null
  consultant: number | null
  minutes: number | null
  region: number | null
  category: number | null
  language: string | null
  rating: number | null
  steps: (PastEvent & { step: number })[]
  answers: { at: string; by: number | null }[]
}

/** A step of a consultation to be stored, or whose turn and owners are to be stored. */
interface CompletedStep {
  step: number | null
  consultation: number
  action: string
  at: string
  turn: number
  owner: number | null
}

interface CompletedFacts {
  wait: WaitTimes | typeof clearedWait
  turn: number
  recorded: boolean
  replies: ConsultationReply[]
  steps: CompletedStep[]
  /** Waits that ended without a reply. */
  ended: { consultation: number; turn: number; asked: string; due: string; at: string; owner: number | null }[]
}

const timeOf = (timestamp: string) => Date.parse(timestamp)
/** Longest time between the creation of a record and the answer that was entered with it. */
const sameTime = 1_000
/** Maximum milliseconds between the time in a column of a consultation and the stored step that set this column. */
const sameStep = 5_000

/** Returns the events of a past consultation in their order; columns stand for steps that were not stored. */
function eventsOf({ answered, finished, reopened, steps, answers }: PastConsultation): PastEvent[] {
  const events: PastEvent[] = [...steps]
  const isStored = (action: string, timestamp: string) =>
    steps.some((step) => step.action === action && Math.abs(timeOf(step.at) - timeOf(timestamp)) < sameStep)
  for (const { at, by } of answers) events.push({ action: 'answer', at, by })
  if (answered !== null && !answers.some(({ at }) => Math.abs(timeOf(at) - timeOf(answered)) < sameTime))
    events.push({ action: 'answer', at: answered })
  if (reopened !== null && !isStored('reopen', reopened)) {
    const isFinished = steps.some(({ action, at }) => action === 'finish' && timeOf(at) <= timeOf(reopened))
    if (!isFinished) events.push({ action: 'finish', at: reopened })
    events.push({ action: 'reopen', at: reopened })
  }
  if (finished !== null && !isStored('finish', finished)) events.push({ action: 'finish', at: finished })
  const order = ['finish', 'reopen', 'assign', 'answer']
  return events.toSorted(
    (leftFact, rightFact) =>
      timeOf(leftFact.at) - timeOf(rightFact.at) ||
      (leftFact.step ?? 0) - (rightFact.step ?? 0) ||
      order.indexOf(leftFact.action) - order.indexOf(rightFact.action),
  )
}

/** Works out the facts of a past consultation from its events. */
function completeFacts(calendar: Calendar, pastConsultation: PastConsultation): CompletedFacts {
  const { id, asked, answered, consultant, minutes, region, category, language } = pastConsultation
  const events = eventsOf(pastConsultation)
  const isRecorded =
    answered !== null && events.some(({ action, at }) => action === 'answer' && timeOf(at) - timeOf(asked) < sameTime)
  const firstMinutes = minutes ?? calendar.replyMinutes.first
  const assignments = events.filter(({ action }) => action === 'assign')
  let owner = assignments.length > 0 ? (assignments[0]?.from ?? null) : consultant
  let turnNumber = isRecorded ? 0 : 1
  let wait: WaitTimes | typeof clearedWait = isRecorded
    ? clearedWait
    : waitTimesFrom(calendar, timeOf(asked), firstMinutes)
  const replies: ConsultationReply[] = []
  const [steps, endedCases]: [CompletedStep[], CompletedFacts['ended']] = [[], []]
  for (const [index, event] of events.entries()) {
    const eventTime = timeOf(event.at)
    if (event.action === 'answer') {
      if (wait.waiting_since !== null && eventTime >= timeOf(wait.waiting_since)) {
        replies.push({
          ...replyTimes(calendar, wait, eventTime),
          consultation: id,
          turn: turnNumber,
          consultant: event.by ?? owner,
          first: replies.length === 0,
          region,
          category,
          language,
        })
        wait = clearedWait
      }
      continue
    }
    if (event.action === 'assign') {
      const nextMove = events.slice(index + 1).find(({ action }) => action === 'assign')
      owner = nextMove ? (nextMove.from ?? null) : consultant
    } else if (event.action === 'reopen') {
      turnNumber += 1
      wait = waitTimesFrom(calendar, eventTime, replies.length === 0 ? firstMinutes : calendar.replyMinutes.next)
    } else {
      if (wait.waiting_since !== null)
        endedCases.push({
          consultation: id,
          turn: turnNumber,
          asked: wait.waiting_since,
          due: wait.due_at,
          at: event.at,
          owner,
        })
      wait = clearedWait
    }
    steps.push({
      step: event.step ?? null,
      consultation: id,
      action: event.action,
      at: event.at,
      turn: turnNumber,
      owner,
    })
  }
  return { wait, turn: turnNumber, recorded: isRecorded, replies, steps, ended: endedCases }
}

/** Reads the next consultations without facts, locked. */
const readPastConsultations = (trx: Transaction) =>
  trx.query(sql<PastConsultation>`
    with c as (select * from consultations where turn is null order by id limit ${portion} for update)
    select c.id, c.created_at as asked, c.answered_at as answered, c.finished_at as finished, c.reopened_at as reopened,
           c.consultant_id as consultant, k.first_reply_minutes as minutes, c.region_id as region, c.category_id as category,
           c.language, c.rating,
           coalesce((select json_agg(json_build_object('step', s.id, 'action', s.action, 'at', s.created_at, 'from', s.from_user_id) order by s.id)
              from consultation_steps s where s.consultation_id = c.id), '[]'::json) as steps,
           coalesce((select json_agg(json_build_object('at', v.changes -> 'answered_at' ->> 'after', 'by', v.user_id) order by v.id)
              from revisions v where v.resource = 'consultations' and v.document_id = c.id
               and v.changes -> 'answered_at' ->> 'after' is not null), '[]'::json) as answers
      from c left join consultationcategories k on k.id = c.category_id order by c.id`)

async function storeCompletedFacts(
  trx: Transaction,
  pastConsultations: readonly PastConsultation[],
  completedFacts: readonly CompletedFacts[],
): Promise<void> {
  await storeReplies(
    trx,
    completedFacts.flatMap(({ replies }) => replies),
  )
  const steps = JSON.stringify(completedFacts.flatMap((consultationFacts) => consultationFacts.steps))
  const columns = sql`x(step int, consultation int, action text, at timestamptz, turn int, owner int)`
  await trx.query(sql`
    update consultation_steps s set turn = x.turn, to_user_id = case s.action when 'assign' then s.to_user_id else x.owner end,
           from_user_id = case s.action when 'assign' then s.from_user_id else coalesce(s.from_user_id, x.owner) end
      from jsonb_to_recordset(${steps}::jsonb) as ${columns} where x.step = s.id`)
  await trx.query(sql`
    insert into consultation_steps (consultation_id, action, from_user_id, to_user_id, turn, created_at)
    select x.consultation, x.action, x.owner, x.owner, x.turn, x.at from jsonb_to_recordset(${steps}::jsonb) as ${columns}
     where x.step is null order by x.consultation, x.at, x.turn`)
  await trx.query(sql`
    insert into desk_waits_ended (consultation_id, turn, asked_at, due_at, ended_at, owner_id, region_id, category_id, language)
    select c.id, x.turn, x.asked, x.due, x.at, x.owner, c.region_id, c.category_id, c.language
      from jsonb_to_recordset(${JSON.stringify(completedFacts.flatMap(({ ended }) => ended))}::jsonb)
        as x(consultation int, turn int, asked timestamptz, due timestamptz, at timestamptz, owner int)
      join consultations c on c.id = x.consultation`)
  const ids = pastConsultations.map(({ id }) => id)
  await trx.query(sql`
    insert into consultation_ratings (consultation_id, score, consultant_id, created_at)
    select c.id, c.rating, case when p.id is null then c.consultant_id else p.consultant_id end, coalesce(c.finished_at, c.answered_at, c.created_at)
      from consultations c left join lateral (
        select r.id, r.consultant_id from consultation_replies r where r.consultation_id = c.id order by r.id desc limit 1) p on true
     where c.id = any(${ids}::int[]) and c.rating is not null on conflict do nothing`)
  const records = completedFacts.map(({ wait, turn, recorded }, index) => ({ id: ids[index], turn, recorded, ...wait }))
  await trx.query(sql`
    update consultations c set turn = x.turn, recorded = x.recorded, waiting_since = x.waiting_since, warn_at = x.warn_at, due_at = x.due_at
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
        as x(id int, turn int, recorded boolean, waiting_since timestamptz, warn_at timestamptz, due_at timestamptz)
     where c.id = x.id`)
}

/** Completes the next consultations without facts and returns their number. */
async function completeConsultations(trx: Transaction): Promise<number> {
  const pastConsultations = await readPastConsultations(trx)
  if (pastConsultations.length === 0) return 0
  await storeCompletedFacts(
    trx,
    pastConsultations,
    pastConsultations.map((one) => completeFacts(trx.calendar, one)),
  )
  trx.changed('consultations', 'values')
  return pastConsultations.length
}

/** Completes the deadlines of the next replies in rooms and returns their number. */
async function completeRoomReplies(trx: Transaction): Promise<number> {
  const replies = await trx.query(sql<{ id: number; asked: string; minutes: number }>`
    select id, asked_at as asked, target_minutes as minutes from room_replies where due_at is null order by id limit ${portion} for update`)
  const rows = replies.map(({ id, asked, minutes }) => ({
    id,
    due: waitTimesFrom(trx.calendar, timeOf(asked), minutes).due_at,
  }))
  if (rows.length > 0)
    await trx.query(sql`
      update room_replies p set due_at = x.due from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id int, due timestamptz)
       where p.id = x.id`)
  return rows.length
}

/**
 * Completes the facts of the desk, in portions. A second program that starts at the same time waits for the
 * rows of the first one and finds them completed.
 *
 * @param database - The migrated database.
 */
export async function completeDeskFacts(database: Database): Promise<void> {
  for (const completeNextBatch of [completeConsultations, completeRooms, completeRoomReplies]) {
    let count = portion
    while (count > 0) count = await database.transaction(completeNextBatch)
  }
}

const completingTransactions = new WeakSet<Transaction>()

/** Completes the facts of the consultations that a transaction creates with a past, before its commit. */
export function completeOnCommit(trx: Transaction): void {
  if (completingTransactions.has(trx)) return
  completingTransactions.add(trx)
  trx.beforeCommit(async () => {
    let count = portion
    while (count > 0) count = await completeConsultations(trx)
  })
}

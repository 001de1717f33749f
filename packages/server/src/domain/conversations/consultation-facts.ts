/**
 * The facts of consultations from which reports count: waits, replies, steps and ratings (statistics §5). The
 * transaction of a change stores them, and no later change alters them.
 */
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import type { CheckedWrite, FieldValues } from '../../resources/write/behaviour.ts'
import { notifyConsultationStep } from './desk-notices.ts'
import { completeOnCommit } from './complete-facts.ts'
import { storeReplies } from './consultation-replies.ts'
import { forgetEndOfWait, noteEndOfWait, clearedWait, replyTimes, waitTimesFrom } from './waits.ts'

/** Values of a consultation after a write. */
const valuesAfter = ({ values, valuesBefore = {} }: CheckedWrite): FieldValues => ({ ...valuesBefore, ...values })

/** Whether nobody has replied to a consultation yet. */
async function isUnreplied(trx: Transaction, document: number): Promise<boolean> {
  const replies = await trx.query(sql`select 1 from consultation_replies where consultation_id = ${document} limit 1`)
  return replies.length === 0
}

/** Target minutes for the first reply to a consultation. */
const firstMinutes = ({ target, trx }: CheckedWrite): number => {
  const minutes = target('category')?.first_reply_minutes
  return typeof minutes === 'number' ? minutes : trx.calendar.replyMinutes.first
}

/** Target minutes for later replies to a consultation. */
const nextMinutes = ({ target, trx }: CheckedWrite): number => {
  const minutes = target('category')?.next_reply_minutes
  return typeof minutes === 'number' ? minutes : trx.calendar.replyMinutes.next
}

/** Stores a step, and notifies the consultant of an assignment or a reopening, whatever write makes it. */
async function noteStep(
  write: CheckedWrite,
  document: number,
  step: { action: 'assign' | 'finish' | 'reopen'; owner: unknown; turn: number },
): Promise<void> {
  const { trx, caller, valuesBefore = {}, isUndo } = write
  const { action, owner } = step
  const [storedConsultation] = await trx.query(sql<{ id: number }>`
    insert into consultation_steps (consultation_id, action, from_user_id, to_user_id, user_id, turn)
    values (${document}, ${step.action}, ${valuesBefore.consultant ?? null}::int, ${step.owner ?? null}::int, nullif(${caller.id}::int, 0), ${step.turn}) returning id`)
  if (!storedConsultation || isUndo || action === 'finish') return
  const customer = valuesAfter(write).user
  await notifyConsultationStep(trx, {
    consultation: document,
    step: storedConsultation.id,
    action,
    owner,
    customer,
    by: caller.id,
  })
}

/** Stores the rating of a consultation for the person who had answered when it was first given. */
async function noteRating(trx: Transaction, document: number, score: unknown): Promise<void> {
  if (typeof score !== 'number') {
    await trx.query(sql`delete from consultation_ratings where consultation_id = ${document}`)
    return
  }
  await trx.query(sql`
    insert into consultation_ratings (consultation_id, score, consultant_id)
    select c.id, ${score}, case when p.id is null then c.consultant_id else p.consultant_id end
      from consultations c left join lateral (
        select r.id, r.consultant_id from consultation_replies r where r.consultation_id = c.id order by r.id desc limit 1) p on true
     where c.id = ${document}
        on conflict (consultation_id) do update set score = excluded.score`)
}

/**
 * Stores the facts that a write of a consultation makes.
 *
 * @param write - The write, settled.
 * @param answeredAt - The new time of the answer; null when the write withdraws it, undefined without a change.
 * @returns The wait to store in the record.
 */
export async function noteConsultation(
  write: CheckedWrite,
  answeredAt: string | null | undefined,
): Promise<FieldValues> {
  const { operation, valuesBefore, document, isTrusted, draft, trx, now } = write
  if (operation === 'restore') return {}
  if (valuesBefore === undefined || document === undefined) {
    // Records of an earlier time are completed when the transaction has stored them.
    if (
      isTrusted &&
      ['createdAt', 'answered_at', 'finished_at', 'reopened_at', 'rating'].some((name) => name in draft)
    ) {
      completeOnCommit(trx)
      return {}
    }
    if (typeof answeredAt === 'string') return { turn: 0, recorded: true }
    return { turn: 1, ...waitTimesFrom(trx.calendar, Date.parse(now), firstMinutes(write)) }
  }
  const nextValues = valuesAfter(write)
  if ('rating' in write.values && nextValues.rating !== valuesBefore.rating)
    await noteRating(trx, document, nextValues.rating)

  const turnNumber = Number(valuesBefore.turn)
  const isReopened = valuesBefore.finished_at !== null && nextValues.finished_at === null
  const isFinished = valuesBefore.finished_at === null && nextValues.finished_at !== null
  const owner = nextValues.consultant ?? null
  if (isReopened) await noteStep(write, document, { action: 'reopen', owner, turn: turnNumber + 1 })
  else if (isFinished) await noteStep(write, document, { action: 'finish', owner, turn: turnNumber })
  else if (owner !== (valuesBefore.consultant ?? null))
    await noteStep(write, document, { action: 'assign', owner, turn: turnNumber })

  if (isReopened && write.isUndo) {
    await forgetEndOfWait(trx, { consultation: document }, nextValues.waiting_since)
    return { turn: turnNumber + 1 }
  }
  if (isReopened) {
    const minutes = (await isUnreplied(trx, document)) ? firstMinutes(write) : nextMinutes(write)
    return { turn: turnNumber + 1, ...waitTimesFrom(trx.calendar, Date.parse(now), minutes) }
  }
  if (typeof answeredAt === 'string') return noteAnswer(write, document, answeredAt)
  if (answeredAt === null) return withdrawAnswer(write, document)
  if (isFinished) {
    await noteEndOfWait(trx, {
      case: { consultation: document },
      turn: turnNumber,
      before: valuesBefore,
      owner: valuesBefore.consultant,
    })
    return clearedWait
  }
  return {}
}

/** Stores the reply to a consultation whose customer waits; whoever writes it has the credit. */
async function noteAnswer(write: CheckedWrite, consultation: number, answeredAt: string): Promise<FieldValues> {
  const { valuesBefore = {}, caller, trx } = write
  const { waiting_since, due_at } = valuesBefore
  if (typeof waiting_since === 'string') {
    const { region = null, category = null, language = null, consultant = null } = valuesAfter(write)
    const author = caller.id === 0 ? consultant : caller.id
    await storeReplies(trx, [
      {
        ...replyTimes(trx.calendar, { waiting_since, due_at }, Date.parse(answeredAt)),
        consultation,
        turn: Number(valuesBefore.turn),
        consultant: typeof author === 'number' ? author : null,
        first: await isUnreplied(trx, consultation),
        region,
        category,
        language,
      },
    ])
  }
  return clearedWait
}

/** Removes the reply of an answer that is withdrawn, as undoing it does; its customer waits again. */
async function withdrawAnswer({ valuesBefore = {}, trx }: CheckedWrite, document: number): Promise<FieldValues> {
  const [reply] = await trx.query(sql<{ asked: string; minutes: number }>`
    delete from consultation_replies where consultation_id = ${document} and turn = ${Number(valuesBefore.turn)}
    returning asked_at as asked, target_minutes as minutes`)
  return reply ? waitTimesFrom(trx.calendar, Date.parse(reply.asked), reply.minutes) : {}
}

/** Finishes, reopens and assigns a consultation (content-model §2, chat §4). */
import {
  type Caller,
  type ConsultationAssignment,
  type ConsultationAction,
  type ConsultationFinish,
  type ConsultationNoReply,
  type ConsultationReopen,
  fault,
  rankOfRole,
} from '@dala/model'
import type { Database, Transaction } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { noteEndOfWait, clearedWait } from '../../domain/conversations/waits.ts'
import { refuseWithoutReason } from '../../resources/missing-reason.ts'
import { isBlankRich, refuseStep, statusOf } from '../../behaviours/consultations.ts'
import { assertPersonAnswers, removedPeopleIn, staleOwnerFault } from '../../domain/conversations/desk.ts'
import { storeConsultationStep } from '../../domain/conversations/desk-moves.ts'
import type { StoredEntry } from '../../resources/write/examine.ts'
import type { EnteredCall } from '../../resources/feature-routes.ts'

/** Consultation in a transition: locked, with the caller. */
export interface LockedConsultation extends StoredEntry {
  caller: Caller
  enteredCall: EnteredCall
}

/** Days in which customers may reopen a finished consultation. */
const reopenDays = 14

const isStaff = ({ caller }: LockedConsultation) => rankOfRole(caller.role) >= rankOfRole('admin')
const isCallerAsker = ({ caller, values }: LockedConsultation) => values.user === caller.id
const isCallerAnswerer = ({ caller, values }: LockedConsultation) =>
  caller.isConsultant && values.consultant === caller.id

interface TransitionChange {
  changes: Readonly<Record<string, unknown>>
  /** Version of the consultation that the caller has seen in the panel. */
  version: number | null | undefined
  action: ConsultationAction
  note: string | null
}

/** Stores the changes of a consultation's transition, with a trace and the reason. */
async function storeTransition(
  trx: Transaction,
  database: Database,
  lockedCase: LockedConsultation,
  { changes, version, action, note }: TransitionChange,
): Promise<void> {
  const draft = { ...changes, ...(typeof version === 'number' && { version }) }
  await storeConsultationStep(trx, { database, author: lockedCase.enteredCall.author }, lockedCase, draft, {
    action,
    note,
  })
}

/**
 * Finishes a consultation, by its consultant, an admin or its customer; without an answer a reason is
 * required.
 *
 * @throws 403 and 422.
 */
export async function finishConsultation(
  trx: Transaction,
  database: Database,
  lockedConsultation: LockedConsultation,
  { reason, version }: ConsultationFinish,
): Promise<void> {
  if (!isStaff(lockedConsultation) && !isCallerAsker(lockedConsultation) && !isCallerAnswerer(lockedConsultation))
    throw fault('access.denied')
  const status = statusOf(lockedConsultation.values)
  if (status === 'finished') refuseStep(status, 'finished', mayReopen(lockedConsultation) ? ['reopened'] : [])
  if (isBlankRich(lockedConsultation.values.answer) && reason === null) refuseWithoutReason()
  const changes = { finished_at: new Date().toISOString(), finish_reason: reason }
  await storeTransition(trx, database, lockedConsultation, { changes, version, action: 'finish', note: reason })
}

/** Whether the caller may reopen the consultation: an admin always, the customer for some days. */
function mayReopen(lockedQuestion: LockedConsultation): boolean {
  if (isStaff(lockedQuestion)) return true
  const { finished_at } = lockedQuestion.values
  const age = typeof finished_at === 'string' ? Date.now() - Date.parse(finished_at) : 0
  return isCallerAsker(lockedQuestion) && age <= reopenDays * 86_400_000
}

/**
 * Reopens a finished consultation, with a reason.
 *
 * @throws 403 for others than an admin and the customer, 422 after 14 days.
 */
export async function reopenConsultation(
  trx: Transaction,
  database: Database,
  lockedConsultation: LockedConsultation,
  { reason, version }: ConsultationReopen,
): Promise<void> {
  if (!isStaff(lockedConsultation) && !isCallerAsker(lockedConsultation)) throw fault('access.denied')
  const status = statusOf(lockedConsultation.values)
  if (status !== 'finished') refuseStep(status, 'reopened', ['finished'])
  if (!mayReopen(lockedConsultation)) refuseStep(status, 'reopened', [])
  if (reason === null) refuseWithoutReason()
  // A reopened consultation whose consultant is blocked or removed waits for a new one.
  const isGone = (await removedPeopleIn(trx, [lockedConsultation.values.consultant])).size > 0
  const openedFields = { finished_at: null, finish_reason: null, reopened_at: new Date().toISOString() }
  const changes = { ...openedFields, ...(isGone && { consultant: null }) }
  await storeTransition(trx, database, lockedConsultation, { changes, version, action: 'reopen', note: reason })
}

/**
 * Ends the wait for a reply to a consultation that needs none, by its consultant or an admin. No reply is
 * stored; where nobody waits it changes nothing.
 *
 * @throws 403
 */
export async function endWait(
  trx: Transaction,
  database: Database,
  lockedConsultation: LockedConsultation,
  { reason, version }: ConsultationNoReply,
): Promise<void> {
  if (!isStaff(lockedConsultation) && !isCallerAnswerer(lockedConsultation)) throw fault('access.denied')
  const { document, values, caller } = lockedConsultation
  if (values.waiting_since === null) return
  const [turn, owner] = [values.turn, values.consultant]
  await noteEndOfWait(trx, { case: { consultation: document }, turn, before: values, owner })
  await trx.query(sql`
    insert into consultation_steps (consultation_id, action, user_id, turn) values (${document}, 'no_reply', ${caller.id}, ${Number(turn)})`)
  await storeTransition(trx, database, lockedConsultation, {
    changes: clearedWait,
    version,
    action: 'no_reply',
    note: reason,
  })
}

/**
 * Assigns a consultation to a consultant, or to nobody. Admins assign and unassign; a consultant may take a
 * free one. A hand-over requires a note; taking a consultation does not. `from`, when sent, must still be the
 * owner.
 *
 * @throws 409 with the present owner, 403, 422 for a user who does not answer customers and without a note.
 */
export async function assignConsultation(
  trx: Transaction,
  database: Database,
  lockedConsultation: LockedConsultation,
  { to, from, note, version }: ConsultationAssignment,
): Promise<void> {
  const { caller, values } = lockedConsultation
  const owner = typeof values.consultant === 'number' ? values.consultant : null
  const isTaking = to === caller.id && caller.isConsultant
  if (!isStaff(lockedConsultation) && !isTaking) throw fault('access.denied')
  const isGone = from !== undefined && from !== owner
  if (isGone || (!isStaff(lockedConsultation) && owner !== null && owner !== caller.id))
    throw await staleOwnerFault(trx, owner)
  const status = statusOf(values)
  if (status === 'finished') refuseStep(status, 'assigned', mayReopen(lockedConsultation) ? ['reopened'] : [])
  if (to === owner) return
  if (note === null && to !== caller.id) refuseWithoutReason('note')
  // The taking of a consultation is checked as well: a user who is being blocked at this moment cannot take
  // one.
  if (to !== null) await assertPersonAnswers(trx, to, 'to')
  await storeTransition(trx, database, lockedConsultation, {
    changes: { consultant: to },
    version,
    action: 'assign',
    note,
  })
}

/** Rules of consultations: who may answer and when, and who may be assigned (content-model §2). */
import { fault, rankOfRole, validationFault } from '@dala/model'
import { notifyConsultation } from '../domain/conversations/consultation-changes.ts'
import { noteConsultation } from '../domain/conversations/consultation-facts.ts'
import { notePublication } from '../domain/conversations/consultation-publications.ts'
import { assertAnswers, answeringFields } from '../domain/conversations/desk.ts'
import type { Behaviour, FieldValues, CheckedWrite } from '../resources/write/behaviour.ts'

type Status = 'new' | 'assigned' | 'answered' | 'finished' | 'reopened'

/** Returns the status of a stored consultation; `computed.ts` has the same rule in SQL. */
export function statusOf({ finished_at, answered_at, reopened_at, consultant }: FieldValues): Status {
  if (finished_at !== null) return 'finished'
  const isNewer = typeof answered_at === 'string' && typeof reopened_at === 'string' && answered_at > reopened_at
  if (answered_at !== null && (reopened_at === null || isNewer)) return 'answered'
  if (reopened_at !== null) return 'reopened'
  return consultant === null ? 'new' : 'assigned'
}

/** Tells whether a rich text shows nothing. */
export function isBlankRich(html: unknown): boolean {
  if (typeof html !== 'string') return true
  return !/<img\b/i.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === ''
}

/** Throws 422 for a transition that the table does not have, with the message of the table. */
export function refuseStep(fromStatus: Status, toStatus: Status, allowedStatuses: readonly Status[]): never {
  throw fault('state.step', {
    params: { field: 'status', from: fromStatus, to: toStatus },
    details: { from: fromStatus, to: toStatus, allowed: allowedStatuses },
  })
}

/** Returns the new time of a consultation's answer; nothing when the write does not change the answer. */
function answerMoment({
  values,
  valuesBefore,
  now,
  isTrusted,
}: CheckedWrite): { answered_at: string | null } | undefined {
  if (!('answer' in values) || (valuesBefore && values.answer === valuesBefore.answer)) return undefined
  const isBlank = isBlankRich(values.answer)
  if (!valuesBefore) return isBlank ? undefined : { answered_at: now }
  const [status, wasBlank] = [statusOf(valuesBefore), isBlankRich(valuesBefore.answer)]
  if (isTrusted) return isBlank === wasBlank ? undefined : { answered_at: isBlank ? null : now }
  if (status === 'finished') refuseStep('finished', 'answered', ['reopened'])
  if (isBlank && wasBlank) return undefined
  // The answer of a consultation can be edited, but not withdrawn.
  if (isBlank) refuseStep(status, valuesBefore.consultant === null ? 'new' : 'assigned', ['answered', 'finished'])
  return status === 'answered' ? undefined : { answered_at: now }
}

/** Throws as for a missing chat room when a customer links a room that is not theirs. */
function assertOwnRoom({ values, caller, target }: CheckedWrite): void {
  if (typeof values.chatroom !== 'number' || rankOfRole(caller.role) >= rankOfRole('admin')) return
  const room = target('chatroom')
  if (room && [room.sender, room.receiver, room.assignee].includes(caller.id)) return
  const params = { field: 'chatroom', count: 1, type: 'chatrooms' }
  throw validationFault([{ path: ['chatroom'], code: 'validation.relationMissing', params }])
}

export const consultationBehaviour: Behaviour = {
  targetColumns: {
    category: ['first_reply_minutes', 'next_reply_minutes'],
    consultant: answeringFields,
    chatroom: ['sender', 'receiver', 'assignee'],
  },
  async settleValues(write) {
    const { operation, values, valuesBefore, document, isTrusted, target, trx } = write
    if (operation === 'remove') return undefined
    if (document !== undefined) notifyConsultation(trx, document, valuesBefore?.consultant)
    if (!isTrusted) assertOwnRoom(write)
    if (!isTrusted && 'consultant' in values && values.consultant !== (valuesBefore?.consultant ?? null)) {
      if (valuesBefore && statusOf(valuesBefore) === 'finished') refuseStep('finished', 'assigned', ['reopened'])
      if (typeof values.consultant === 'number') await assertAnswers(trx, target('consultant'), 'consultant')
    }
    const answer = {
      ...answerMoment(write),
      // Answers from before this consultation's record was created bring their own times.
      ...(isTrusted && typeof values.answered_at === 'string' && { answered_at: values.answered_at }),
    }
    await notePublication(write)
    return { ...answer, ...(await noteConsultation(write, answer.answered_at)) }
  },
}

/**
 * Rules of rooms: who may be the receiver, and a revision for
 * every change that members must be notified of (chat §4).
 */
import { assertAnswers, answeringFields } from '../domain/conversations/desk.ts'
import { addStateChange } from '../domain/conversations/room-states.ts'
import type { Behaviour } from '../resources/write/behaviour.ts'

export const roomBehaviour: Behaviour = {
  increasingFields: ['revision'],
  targetColumns: {
    sender: ['region', 'language'],
    receiver: answeringFields,
    assignee: answeringFields,
  },
  async settleValues({ operation, values, valuesBefore, document, isTrusted, target, caller, trx }) {
    if (operation === 'remove') return undefined
    if (!isTrusted) {
      for (const field of ['receiver', 'assignee']) {
        const hasNewValue = typeof values[field] === 'number' && values[field] !== valuesBefore?.[field]
        // Users cannot become the consultant of their own chat room.
        if (hasNewValue && field === 'receiver' && values.receiver === values.sender)
          await assertAnswers(trx, undefined, field)
        if (hasNewValue) await assertAnswers(trx, target(field), field)
      }
    }
    if (valuesBefore === undefined) {
      // A chat room has the language and the region of its customer, unless the body sets others.
      const asker = target('sender')
      return { region: values.region ?? asker?.region ?? null, language: values.language ?? asker?.language ?? null }
    }
    if (isTrusted || document === undefined || values.state === undefined || values.state === valuesBefore.state)
      return undefined
    return addStateChange(trx, {
      room: document,
      before: valuesBefore,
      to: values.state,
      reason: null,
      user: caller.id,
      waitingSince: values.waiting_since,
    })
  },
}

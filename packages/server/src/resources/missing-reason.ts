/** The refusal of an action that needs a reason. */
import { fault } from '@dala/model'

/** Throws 422 on the field of an action's body that lacks the reason, or the note for a colleague. */
export function refuseWithoutReason(field: 'reason' | 'note' = 'reason'): never {
  const params = { field }
  throw fault('state.reason', { params, issues: [{ path: [field], code: 'state.reason', params }] })
}

/** The refusal of an action that needs a reason. */
import { fault } from '@dala/model'

/** Throws 422 on the field `reason` of an action's body. */
export function refuseWithoutReason(): never {
  const params = { field: 'reason' }
  throw fault('state.reason', { params, issues: [{ path: ['reason'], code: 'state.reason', params }] })
}

/** The refusal of an action that needs a reason. */
import { fault } from '@dala/model'

/** Throws 422 on the field `reason`. */
export function refuseWithoutReason(): never {
  const params = { field: 'reason' }
  throw fault('state.reason', { params, issues: [{ path: ['reason'], code: 'state.reason', params }] })
}

/** Rules of saved views: a user shares them only with roles up to their own. */
import { fault, isRoleType, rankOfRole } from '@dala/model'
import type { Behaviour } from '../resources/write/behaviour.ts'

export const viewBehaviour: Behaviour = {
  targetColumns: { role: ['type'] },
  settleValues({ caller, isTrusted, values, valuesBefore, target }) {
    if (isTrusted || !('role' in values) || values.role === null || values.role === valuesBefore?.role) return
    const type = target('role')?.type
    if (isRoleType(type) && rankOfRole(type) <= rankOfRole(caller.role)) return
    throw fault('view.rank')
  },
}

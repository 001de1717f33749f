/** Rules of roles: who may require a second step for a role. */
import { fault, isRoleType } from '@dala/model'
import { outranksRole } from '../domain/accounts/accounts.ts'
import type { Behaviour } from '../resources/write/behaviour.ts'

export const roleBehaviour: Behaviour = {
  settleValues({ operation, caller, isTrusted, values, valuesBefore }) {
    if (isTrusted || operation !== 'update' || valuesBefore === undefined) return
    const changesTwoStep = 'two_step' in values && values.two_step !== valuesBefore.two_step
    // A second step that a user requires of a higher role could lock out its users (checklist §2).
    if (changesTwoStep && !(isRoleType(valuesBefore.type) && outranksRole(caller, valuesBefore.type)))
      throw fault('user.rank')
  },
}

/** Rules of roles: who may say that a role signs in with a second step. */
import { fault, isRoleType } from '@dala/model'
import { outranks } from '../domain/accounts/accounts.ts'
import type { Behaviour } from '../resources/write/behaviour.ts'

export const roleBehaviour: Behaviour = {
  settle({ operation, caller, trusted, values, before }) {
    if (trusted || operation !== 'update' || before === undefined) return
    const moves = 'two_step' in values && values.two_step !== before.two_step
    // Whoever asks his betters for more could shut them out (checklist §2).
    if (moves && !(isRoleType(before.type) && outranks(caller, before.type))) throw fault('user.rank')
  },
}

/**
 * The roles that a user may grant to an account (contract §14): those below their own; an owner may grant all
 * that sign in.
 */
import { type RoleType, rankOfRole, roleTypes } from '@dala/model'

/** `leastRole` is the lowest role of the accounts on the screen: for staff it is admin. */
export function grantableRoles(reader: RoleType, leastRole: 'admin' | 'authenticated'): RoleType[] {
  return roleTypes.filter(
    (role) =>
      rankOfRole(role) >= rankOfRole(leastRole) && (reader === 'owner' || rankOfRole(role) < rankOfRole(reader)),
  )
}

/**
 * The roles that a user may grant to an account (contract §14): those below their own; an owner may grant all
 * that sign in.
 */
import { type RoleType, rankOf, roleTypes } from '@dala/model'

/** `least` is the lowest role of the accounts on the screen: for staff it is admin. */
export function grantableRoles(reader: RoleType, least: 'admin' | 'authenticated'): RoleType[] {
  return roleTypes.filter(
    (role) => rankOf(role) >= rankOf(least) && (reader === 'owner' || rankOf(role) < rankOf(reader)),
  )
}

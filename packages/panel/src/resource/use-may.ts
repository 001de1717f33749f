/** The actions that the user's role allows on records of a resource; the server decides in any case. */
import { decideAccess, type AccessDecision, type Entry, type OperationName, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { callerRoleOf, type CurrentUser, meQuery } from '../api/session.ts'
import { isWithin } from './row-filter.ts'

/** Decision of the access table about an operation; a record outside of the user's scope is denied. */
export function grantForUser(
  resource: Resource,
  operation: OperationName,
  me: CurrentUser,
  record?: Entry | null,
): AccessDecision {
  if (resource.fixedRows && (operation === 'create' || operation === 'remove')) return false
  // Users cannot delete their own account (contract §14).
  if (operation === 'remove' && resource.accounts && record?.id === me.id) return false
  const grant = decideAccess(resource.access, operation, callerRoleOf(me))
  if (typeof grant !== 'object' || !grant.rows || !record) return grant
  return isWithin(grant.rows, record, { id: me.id, role: callerRoleOf(me).role }) && grant
}

/**
 * Returns a function that checks whether the user may do an operation; with a record, whether on that record.
 * Before the user is loaded nothing is allowed.
 */
export function useMay(resource: Resource): (operation: OperationName, record?: Entry) => boolean {
  const { data: me } = useQuery(meQuery)
  return (operation, record) => me !== undefined && grantForUser(resource, operation, me, record) !== false
}

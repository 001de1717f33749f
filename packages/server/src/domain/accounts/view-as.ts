/** Viewing the product as a lower role: the header `X-View-As`, and what it refuses (checklist §2). */
import { type Caller, fault, rankOfRole, type RoleType } from '@dala/model'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks a GET route that changes something, which is refused while viewing as a role. */
    isWriting?: true
  }
}

/**
 * The allowed values of the header and the rights they stand for; nobody views as an owner or as a stranger.
 */
const viewableRoles: Readonly<Record<string, { role: RoleType; isConsultant: boolean }>> = {
  authenticated: { role: 'authenticated', isConsultant: false },
  consultant: { role: 'authenticated', isConsultant: true },
  admin: { role: 'admin', isConsultant: false },
  'super-admin': { role: 'super-admin', isConsultant: false },
}

const readingMethods = new Set(['GET', 'HEAD'])

/**
 * Returns the caller as the header of a request requires: with its role, and their own id.
 *
 * @param request - The request.
 * @param caller - Its real caller.
 * @returns The caller; unchanged without the header.
 * @throws 403 unless the caller is staff and outranks the role (contract §14), and 403 for every change.
 */
export function callerInViewedRole({ method, headers, routeOptions }: FastifyRequest, caller: Caller): Caller {
  const requestedRole = headers['x-view-as']
  if (requestedRole === undefined) return caller
  const seenRoles =
    typeof requestedRole === 'string' && Object.hasOwn(viewableRoles, requestedRole)
      ? viewableRoles[requestedRole]
      : undefined
  const callerRank = rankOfRole(caller.role)
  if (!seenRoles || callerRank < rankOfRole('admin') || rankOfRole(seenRoles.role) >= callerRank)
    throw fault('access.view-as')
  if (!readingMethods.has(method) || routeOptions.config.isWriting) throw fault('access.viewing')
  return { ...caller, ...seenRoles }
}

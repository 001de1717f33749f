/** Looking at the product as a weaker role does: the header `X-View-As`, and what is refused with it (checklist §2). */
import { type Caller, fault, rankOf, type RoleType } from '@dala/model'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A GET that changes something all the same: it is no part of looking around. */
    writes?: true
  }
}

/** What may be asked for, and whom that stands for; nobody looks as an owner or as a stranger. */
const viewed: Readonly<Record<string, { role: RoleType; isConsultant: boolean }>> = {
  authenticated: { role: 'authenticated', isConsultant: false },
  consultant: { role: 'authenticated', isConsultant: true },
  admin: { role: 'admin', isConsultant: false },
  'super-admin': { role: 'super-admin', isConsultant: false },
}

const readingMethods = new Set(['GET', 'HEAD'])

/**
 * The caller as a request wants him seen: with the role of its header, and his own id. In: the request and its true
 * caller. Out: the caller himself without the header. Throws 403 unless he is one of the staff and outranks the role
 * (contract §14), and 403 for whatever changes something.
 */
export function asViewed({ method, headers, routeOptions }: FastifyRequest, caller: Caller): Caller {
  const wanted = headers['x-view-as']
  if (wanted === undefined) return caller
  const seen = typeof wanted === 'string' && Object.hasOwn(viewed, wanted) ? viewed[wanted] : undefined
  const rank = rankOf(caller.role)
  if (!seen || rank < rankOf('admin') || rankOf(seen.role) >= rank) throw fault('access.view-as')
  if (!readingMethods.has(method) || routeOptions.config.writes) throw fault('access.viewing')
  return { ...caller, ...seen }
}

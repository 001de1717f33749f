/** The rule of routes that are for owners only. */
import { type Caller, fault } from '@dala/model'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the caller of a request, an owner.
 *
 * @param request - The request.
 * @param callerOf - Reads the caller of a request.
 * @throws 401 without a session, 403 for another role.
 */
export async function ownerOf(
  request: FastifyRequest,
  callerOf: (request: FastifyRequest) => Promise<Caller>,
): Promise<Caller> {
  const caller = await callerOf(request)
  if (caller.role !== 'owner') throw fault('access.denied')
  return caller
}

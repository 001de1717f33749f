/** Records refused requests in the audit, with their users (checklist §10). */
import { type Caller, Fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { writeAuditOnceAMinute } from '../../resources/history/audit.ts'

export interface DenialLimits {
  database: Database
  /** Returns the signed-in user, even when their request is refused; throws 401. */
  signedIn: (request: FastifyRequest) => Promise<Caller>
}

/**
 * Adds an audit line for every 403. A line that cannot be written is logged; the answer is sent all the same.
 */
export function registerDenials(app: FastifyInstance, { database, signedIn }: DenialLimits): void {
  app.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof Fault) || error.status !== 403) return
    try {
      const caller = await signedIn(request).catch(() => undefined)
      await writeAuditOnceAMinute(database, {
        action: 'access.denied',
        user: caller?.id ?? null,
        address: request.ip,
        requestId: request.id,
        details: { method: request.method, route: request.routeOptions.url ?? '', code: error.code },
      })
    } catch (failure) {
      request.log.error({ err: failure }, 'audit failed')
    }
  })
}

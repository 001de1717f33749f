/** What can be done to an account beside writing it (contract §3). */
import { type Caller, fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { writeAudit } from '../../resources/audit.ts'
import { authorise } from '../../resources/authorise.ts'
import { lockEntry } from '../../resources/examine.ts'
import { idOf } from '../../resources/routes.ts'
import { endSessionsOf } from '../../resources/sessions.ts'
import { isObject } from '../../resources/parse-filters.ts'
import { loadOf } from './load.ts'

export interface PeopleRoutes {
  database: Database
  /** The caller of a request; throws 401. */
  callerOf: (request: FastifyRequest) => Promise<Caller>
}

/** Registers the routes. */
export function registerPeople(app: FastifyInstance, { database, callerOf }: PeopleRoutes): void {
  const users = resourceNamed('users')

  // Of somebody below the caller all sessions end; of himself all but this one.
  app.post('/api/users/:id/sign-out', async (request) => {
    const caller = await callerOf(request)
    const view = authorise(users, 'update', caller)
    const id = idOf(request)
    const author = { caller, address: request.ip, requestId: request.id }
    await database.transaction(async (trx) => {
      if (!(await lockEntry(trx, users, id, { author, view }))) throw fault('user.not-found')
      await endSessionsOf(trx, id, id === caller.id ? caller.sessionId : undefined)
      const { address, requestId } = author
      await writeAudit(trx, {
        action: 'sessions.end',
        user: caller.id,
        resource: 'users',
        entry: id,
        address,
        requestId,
      })
    })
    return { ok: true }
  })

  app.get('/api/consultants/load', async (request) => {
    const caller = await callerOf(request)
    return { data: await loadOf(database, caller, isObject(request.query) ? request.query.ids : undefined) }
  })
}

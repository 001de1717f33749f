/** What can be done to an account beside writing it (contract §3). */
import { type Caller, fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database, Transaction } from '../../db/database.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { authorise } from '../../resources/authorise.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { answerOnce } from '../../resources/write/idempotency.ts'
import { isObject } from '../../resources/read/parse-filters.ts'
import { parseOne } from '../../resources/read/parse-query.ts'
import { readOne } from '../../resources/read/read.ts'
import { endSessionsOf } from '../../domain/accounts/sessions.ts'
import type { Limit } from '../../domain/accounts/throttle.ts'
import { writing } from '../../resources/write/write.ts'
import type { EntryWriters } from '../../resources/write/writers.ts'
import { block, countOpenWork, unblock } from './blocking.ts'
import { endSessionFor, sendPasswordLetter, sessionsOf, turnTwoStepOff } from './helping.ts'
import { invite, inviteAgain } from './invitations.ts'
import { loadOf } from './load.ts'
import { type Acting, actingOn, users } from './reach.ts'

export interface PeopleRoutes {
  database: Database
  /** The caller of a request; throws 401 and 403. */
  callerOf: (request: FastifyRequest) => Promise<Caller>
  /** The writes of accounts. */
  writers: EntryWriters
  settings: { forgotThrottle: Limit }
}

/** The flat account as its writes answer it. */
async function present(trx: Transaction, { caller, id }: Pick<Acting, 'caller' | 'id'>, query: unknown) {
  const account = await readOne(trx, parseOne(isObject(query) ? query : {}, users, caller, {}, id))
  if (!account) throw fault('user.not-found')
  return account
}

/** Registers the routes. */
export function registerPeople(app: FastifyInstance, routes: PeopleRoutes): void {
  const { database, callerOf } = routes
  registerSignOut(app, routes)
  registerBlocking(app, routes)
  registerHelp(app, routes)

  app.get('/api/consultants/load', async (request) => {
    const caller = await callerOf(request)
    return { data: await loadOf(database, caller, isObject(request.query) ? request.query.ids : undefined) }
  })
}

/** Of somebody below the caller all sessions end; of himself all but this one. */
function registerSignOut(app: FastifyInstance, { database, callerOf }: PeopleRoutes): void {
  app.post('/api/users/:id/sign-out', async (request) => {
    const { caller, author, view, id } = actingOn(database, request, await callerOf(request))
    const { address, requestId } = author
    await database.transaction(async (trx) => {
      if (!(await lockEntry(trx, users, id, { author, view }))) throw fault('user.not-found')
      await endSessionsOf(trx, id, id === caller.id ? caller.sessionId : undefined)
      const line = { action: 'sessions.end', user: caller.id, resource: 'users', entry: id } as const
      await writeAudit(trx, { ...line, address, requestId })
    })
    return { ok: true }
  })
}

function registerBlocking(app: FastifyInstance, { database, callerOf, writers }: PeopleRoutes): void {
  app.get('/api/users/:id/open-work', async (request) =>
    countOpenWork(actingOn(database, request, await callerOf(request))),
  )

  for (const [name, act] of Object.entries({ block, unblock })) {
    app.post(`/api/users/:id/${name}`, async (request) => {
      const acting = actingOn(database, request, await callerOf(request))
      return writing(database, async (trx) => {
        await act(trx, acting, writers.update, request.body)
        return present(trx, acting, request.query)
      })
    })
  }
}

function registerHelp(app: FastifyInstance, { database, callerOf, writers, settings }: PeopleRoutes): void {
  app.post('/api/users/invite', async (request, reply) => {
    const caller = await callerOf(request)
    const view = authorise(users, 'create', caller)
    const context = { database, author: { caller, address: request.ip, requestId: request.id }, view }
    reply.status(201)
    return answerOnce({ database, caller, request, reply }, async (trx) => {
      const id = await invite(trx, context, caller, writers.create, request.body)
      return present(trx, { caller, id }, { populate: 'role', ...(isObject(request.query) && request.query) })
    })
  })

  /** Does something to the account of the path, in one transaction. */
  const act = async <T>(request: FastifyRequest, work: (trx: Transaction, acting: Acting) => Promise<T>) => {
    const acting = actingOn(database, request, await callerOf(request))
    return writing(database, (trx) => work(trx, acting))
  }
  const done = { ok: true }

  app.post('/api/users/:id/invite', async (request) => {
    await act(request, (trx, acting) => inviteAgain(trx, acting, settings.forgotThrottle))
    return done
  })

  app.post('/api/users/:id/reset-password', async (request) => {
    await act(request, (trx, acting) => sendPasswordLetter(trx, acting, settings.forgotThrottle))
    return done
  })

  app.get('/api/users/:id/sessions', async (request) => ({ data: await act(request, sessionsOf) }))

  app.delete('/api/users/:id/sessions/:session', async (request) => {
    const session = isObject(request.params) ? String(request.params.session) : ''
    await act(request, (trx, acting) => endSessionFor(trx, acting, session))
    return done
  })

  app.delete('/api/users/:id/two-step', async (request) => {
    await act(request, turnTwoStepOff)
    return done
  })
}

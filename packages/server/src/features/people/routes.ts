/** Registers the routes of actions on an account besides its writes (contract §3). */
import { type Caller, fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database, Transaction } from '../../db/database.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { answerIdempotently } from '../../resources/write/idempotency.ts'
import { isObject } from '../../resources/read/context.ts'
import { parseSingleQuery } from '../../resources/read/parse-query.ts'
import { flattenEntry, readSingleRecord } from '../../resources/read/read.ts'
import { endSessionsOf } from '../../domain/accounts/sessions.ts'
import type { FailureLimit } from '../../domain/accounts/throttle.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import type { EntryWriters } from '../../resources/write/writers.ts'
import { blockAccount, countOpenWork, unblockAccount } from './blocking.ts'
import { endSessionFor, sendPasswordLetter, sessionsOf, turnTwoStepOff } from './helping.ts'
import { inviteUser, inviteAgain } from './invitations.ts'
import { enterWorkload, readWorkload } from './workload.ts'
import { type AccountAction, readAccountAction, users } from './acting.ts'

export interface PeopleRoutes {
  database: Database
  /** Returns the caller of a request, or throws 401 or 403. */
  callerOf: (request: FastifyRequest) => Promise<Caller>
  /** Functions that write accounts. */
  writers: EntryWriters
  settings: { forgotThrottle: FailureLimit }
}

/** Returns the flat account as its writes return it. */
async function presentAccountOf(
  trx: Transaction,
  { caller, id }: Pick<AccountAction, 'caller' | 'id'>,
  query: unknown,
) {
  const account = await readSingleRecord(trx, parseSingleQuery(isObject(query) ? query : {}, users, caller, {}, id))
  if (!account) throw fault('user.not-found')
  return flattenEntry(account)
}

/** Registers the routes of actions on an account. */
export function registerPeople(app: FastifyInstance, routes: PeopleRoutes): void {
  const { database, callerOf, writers, settings } = routes

  const readAction = async (request: FastifyRequest) => readAccountAction(database, request, await callerOf(request))
  /** Runs an action on the account of the path in one transaction. */
  const act = async <T>(
    request: FastifyRequest,
    runAction: (trx: Transaction, enteredAction: AccountAction) => Promise<T>,
  ) => {
    const accountAction = await readAction(request)
    return withDeadlockRetry(database, (trx) => runAction(trx, accountAction))
  }

  addRoutes(app, async () => (await import('@dala/model/api/people')).peopleRoutes, {
    'GET /api/consultants/load': async ({ request, query }) => {
      const caller = await callerOf(request)
      const view = enterWorkload(caller)
      return { data: await readWorkload(database, caller, view, (await query()).ids) }
    },
    'POST /api/users/:id/sign-out': async ({ request }) => {
      await signOut(await readAction(request))
      return okBody
    },
    'GET /api/users/:id/open-work': async ({ request }) => countOpenWork(await readAction(request)),
    'POST /api/users/:id/block': async ({ request, body }) => {
      const accountAction = await readAction(request)
      const handoverBody = await body()
      return withDeadlockRetry(database, async (trx) => {
        await blockAccount(trx, accountAction, writers.update, handoverBody)
        return presentAccountOf(trx, accountAction, request.query)
      })
    },
    'POST /api/users/:id/unblock': async ({ request, body }) => {
      const accountAction = await readAction(request)
      const { reason } = await body()
      return withDeadlockRetry(database, async (trx) => {
        await unblockAccount(trx, accountAction, writers.update, reason)
        return presentAccountOf(trx, accountAction, request.query)
      })
    },
    'POST /api/users/invite': async ({ request, reply, body }) => {
      const caller = await callerOf(request)
      const view = authoriseCaller(users, 'create', caller)
      const context = { database, author: { caller, address: request.ip, requestId: request.id }, view }
      const draft = await body()
      reply.status(201)
      return answerIdempotently({ database, caller, request, reply }, async (trx) => {
        const id = await inviteUser(trx, context, caller, writers.create, draft)
        return presentAccountOf(
          trx,
          { caller, id },
          { populate: 'role', ...(isObject(request.query) && request.query) },
        )
      })
    },
    'POST /api/users/:id/invite': async ({ request }) => {
      await act(request, (trx, enteredAction) => inviteAgain(trx, enteredAction, settings.forgotThrottle))
      return okBody
    },
    'POST /api/users/:id/reset-password': async ({ request }) => {
      await act(request, (trx, enteredAction) => sendPasswordLetter(trx, enteredAction, settings.forgotThrottle))
      return okBody
    },
    'GET /api/users/:id/sessions': async ({ request }) => ({ data: await act(request, sessionsOf) }),
    'DELETE /api/users/:id/sessions/:session': async ({ request }) => {
      const session = isObject(request.params) ? String(request.params.session) : ''
      await act(request, (trx, enteredAction) => endSessionFor(trx, enteredAction, session))
      return okBody
    },
    'DELETE /api/users/:id/two-step': async ({ request }) => {
      await act(request, turnTwoStepOff)
      return okBody
    },
  })
}

const okBody = { ok: true } as const

/**
 * Ends all sessions of an account below the caller; of the caller's own account all except the present one.
 */
async function signOut({ database, caller, author, view, id }: AccountAction): Promise<void> {
  const { address, requestId } = author
  await database.transaction(async (trx) => {
    if (!(await lockEntry(trx, users, id, { author, view }))) throw fault('user.not-found')
    await endSessionsOf(trx, id, id === caller.id ? caller.sessionId : undefined)
    const line = { action: 'sessions.end', user: caller.id, resource: 'users', entry: id } as const
    await writeAudit(trx, { ...line, address, requestId })
  })
}

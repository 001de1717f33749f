/**
 * Routes of consultations besides the generic ones: the counts of the filters, the published answers, and
 * transitions (chat §4).
 */
import { fault, rankOfRole } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Transaction } from '../../db/database.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { enterFeature, type FeatureRoutes, presentEntry } from '../../resources/feature-routes.ts'
import { parseList } from '../../resources/read/parse-query.ts'
import { readList, wrapped } from '../../resources/read/read.ts'
import { idOf } from '../../resources/routes.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { countsFor } from './counts.ts'
import { readPublished } from './published.ts'
import { findSimilar } from './similar.ts'
import { stepsOf } from './steps.ts'
import {
  assignConsultation,
  endWait,
  finishConsultation,
  type LockedConsultation,
  reopenConsultation,
} from './transitions.ts'

const consultations = resourceNamed('consultations')

/**
 * Whether the caller sees the consultation: as its customer or consultant, or as a consultant when the
 * consultation has none (contract §14).
 */
function isVisibleConsultation({ caller, values: { user, consultant } }: LockedConsultation): boolean {
  const isTheirs = user === caller.id || (caller.isConsultant && (consultant === caller.id || consultant === null))
  return isTheirs || rankOfRole(caller.role) >= rankOfRole('admin')
}

type ConsultationTransition = (trx: Transaction, locked: LockedConsultation) => Promise<void>

/** Registers the routes of consultations. */
export function registerConsultations(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database, totals } = routes

  /** Runs a transition on the locked consultation and returns the result. */
  const take = async (request: FastifyRequest, step: ConsultationTransition, { isOpenToTakers = false } = {}) => {
    const entered = await enterFeature(routes, consultations, 'get', request)
    const { caller, author } = entered
    const id = idOf(request)
    return withDeadlockRetry(database, async (trx) => {
      // The owner is checked after the lock: a colleague may have taken the consultation a moment ago.
      const stored = await lockEntry(trx, consultations, id, { author, view: {} })
      if (!stored) throw fault('record.not-found')
      const locked = { ...stored, caller, entered }
      if (!isVisibleConsultation(locked) && !(isOpenToTakers && caller.isConsultant)) throw fault('record.not-found')
      await step(trx, locked)
      return presentEntry(trx, consultations, id, entered)
    })
  }

  addRoutes(app, async () => (await import('@dala/model/api/consultations')).consultationRoutes, {
    'GET /api/consultations': async ({ request }) => {
      const { caller, view, query } = await enterFeature(routes, consultations, 'list', request)
      const { entries, pagination } = await readList(database, totals, parseList(query, consultations, caller, view))
      return { data: wrapped(entries), meta: { pagination, counts: await countsFor(routes, caller, view) } }
    },
    'GET /api/consultations/public': async ({ request, query }) => {
      const entered = await enterFeature(routes, consultations, 'list', request)
      return readPublished(routes, entered, await query())
    },
    'GET /api/consultations/:id/similar': async ({ request, query }) => {
      const entered = await enterFeature(routes, consultations, 'get', request)
      const { locale = entered.caller.language } = await query()
      return { results: await findSimilar(routes, entered, idOf(request), locale) }
    },
    'GET /api/consultations/:id/steps': async ({ request }) => {
      const entered = await enterFeature(routes, consultations, 'get', request)
      return { results: await stepsOf(routes, entered, idOf(request)) }
    },
    'POST /api/consultations/:id/finish': ({ request, body }) =>
      take(request, async (trx, locked) => finishConsultation(trx, database, locked, (await body()).data)),
    'POST /api/consultations/:id/reopen': ({ request, body }) =>
      take(request, async (trx, locked) => reopenConsultation(trx, database, locked, (await body()).data)),
    'POST /api/consultations/:id/no-reply': ({ request, body }) =>
      take(request, async (trx, locked) => endWait(trx, database, locked, (await body()).data)),
    'POST /api/consultations/:id/assign': ({ request, body }) =>
      take(request, async (trx, locked) => assignConsultation(trx, database, locked, (await body()).data), {
        isOpenToTakers: true,
      }),
  })
}

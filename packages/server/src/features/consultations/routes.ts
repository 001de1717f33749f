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
import { readList, wrapEntries } from '../../resources/read/read.ts'
import { idOf } from '../../resources/routes.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { countConsultations } from './counts.ts'
import { readPublishedAnswers } from './published.ts'
import { findSimilarAnswers } from './similar.ts'
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
  const isOwnQuestion = user === caller.id || (caller.isConsultant && (consultant === caller.id || consultant === null))
  return isOwnQuestion || rankOfRole(caller.role) >= rankOfRole('admin')
}

type ConsultationTransition = (trx: Transaction, lockedRecord: LockedConsultation) => Promise<void>

/** Registers the routes of consultations. */
export function registerConsultations(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database, totals } = routes

  /** Runs a transition on the locked consultation and returns the result. */
  const takeStep = async (request: FastifyRequest, step: ConsultationTransition, { isOpenToTakers = false } = {}) => {
    const enteredCall = await enterFeature(routes, consultations, 'get', request)
    const { caller, author } = enteredCall
    const id = idOf(request)
    return withDeadlockRetry(database, async (trx) => {
      // The owner is checked after the lock: a colleague may have taken the consultation a moment ago.
      const storedEntry = await lockEntry(trx, consultations, id, { author, view: {} })
      if (!storedEntry) throw fault('record.not-found')
      const lockedConsultation = { ...storedEntry, caller, enteredCall }
      if (!isVisibleConsultation(lockedConsultation) && !(isOpenToTakers && caller.isConsultant))
        throw fault('record.not-found')
      await step(trx, lockedConsultation)
      return presentEntry(trx, consultations, id, enteredCall)
    })
  }

  addRoutes(app, async () => (await import('@dala/model/api/consultations')).consultationRoutes, {
    'GET /api/consultations': async ({ request }) => {
      const { caller, view, query } = await enterFeature(routes, consultations, 'list', request)
      const { entries, pagination } = await readList(database, totals, parseList(query, consultations, caller, view))
      return {
        data: wrapEntries(entries),
        meta: { pagination, counts: await countConsultations(routes, caller, view) },
      }
    },
    'GET /api/consultations/public': async ({ request, query }) => {
      const enteredCall = await enterFeature(routes, consultations, 'list', request)
      return readPublishedAnswers(routes, enteredCall, await query())
    },
    'GET /api/consultations/:id/similar': async ({ request, query }) => {
      const enteredCall = await enterFeature(routes, consultations, 'get', request)
      const { locale = enteredCall.caller.language } = await query()
      return { results: await findSimilarAnswers(routes, enteredCall, idOf(request), locale) }
    },
    'GET /api/consultations/:id/steps': async ({ request }) => {
      const enteredCall = await enterFeature(routes, consultations, 'get', request)
      return { results: await stepsOf(routes, enteredCall, idOf(request)) }
    },
    'POST /api/consultations/:id/finish': ({ request, body }) =>
      takeStep(request, async (trx, lockedQuestion) =>
        finishConsultation(trx, database, lockedQuestion, (await body()).data),
      ),
    'POST /api/consultations/:id/reopen': ({ request, body }) =>
      takeStep(request, async (trx, lockedQuestion) =>
        reopenConsultation(trx, database, lockedQuestion, (await body()).data),
      ),
    'POST /api/consultations/:id/no-reply': ({ request, body }) =>
      takeStep(request, async (trx, lockedQuestion) => endWait(trx, database, lockedQuestion, (await body()).data)),
    'POST /api/consultations/:id/assign': ({ request, body }) =>
      takeStep(
        request,
        async (trx, lockedQuestion) => assignConsultation(trx, database, lockedQuestion, (await body()).data),
        {
          isOpenToTakers: true,
        },
      ),
  })
}

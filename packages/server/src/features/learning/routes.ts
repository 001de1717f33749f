/** Registers the routes that read and reorder the outline of a course (e-learning §5). */
import { fault } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { sql } from '../../db/sql.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { enterFeature, type FeatureRoutes } from '../../resources/feature-routes.ts'
import { idOf } from '../../resources/routes.ts'
import { runScoped } from '../../resources/read/scoped.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { readOutline } from './outline.ts'
import { storeOrder } from './outline-order.ts'

const courses = resourceNamed('courses')
/** Language of titles when the query names none (contract §8). */
const usualLocale = 'en'

/** Registers the routes of the outline of a course. */
export function registerLearning(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database } = routes

  addRoutes(app, async () => (await import('@dala/model/api/learning')).learningRoutes, {
    'GET /api/courses/:id/outline': async ({ request, query: own }) => {
      const { caller, view } = await enterFeature(routes, courses, 'get', request)
      const query = { filters: { id: { $eq: String(idOf(request)) } } }
      const [found] = await runScoped(
        database,
        { resource: courses, caller, view, query },
        ({ from, where, document }) =>
          sql<{ id: number }>`select ${sql.ref(`${document}.id`)} as id from ${from} where ${where} limit 1`,
      )
      if (!found) throw fault('record.not-found')
      const { locale = usualLocale } = await own()
      const { outline } = await readOutline(database, caller, found.id, locale)
      return { data: outline, meta: {} }
    },
    'PUT /api/courses/:id/outline': async ({ request, query, body }) => {
      const { author, view } = await enterFeature(routes, courses, 'update', request)
      const [id, { locale = usualLocale }, { data: wanted }] = [idOf(request), await query(), await body()]
      return withDeadlockRetry(database, async (trx) => {
        const course = await lockEntry(trx, courses, id, { author, view })
        if (!course) throw fault('record.not-found')
        const { document, entry } = course
        return { data: await storeOrder(trx, { document, entry, author, locale }, wanted), meta: {} }
      })
    },
  })
}

/** The outline of a course beside the generic routes: read and put into order (e-learning §5). */
import { fault } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { sql } from '../../db/sql.ts'
import { ActionBody } from '../../resources/action-body.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { enterFeature, type FeatureRoutes } from '../../resources/feature-routes.ts'
import { idOf } from '../../resources/routes.ts'
import { runScoped } from '../../resources/read/scoped.ts'
import { writing } from '../../resources/write/write.ts'
import { readOutline } from './outline.ts'
import { localeOfQuery, readOrder, storeOrder } from './outline-order.ts'

const courses = resourceNamed('courses')

/** Registers the routes. */
export function registerLearning(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database } = routes

  app.get('/api/courses/:id/outline', async (request) => {
    const { caller, view, query } = await enterFeature(routes, courses, 'get', request)
    const scope = { resource: courses, caller, view, query: { filters: { id: { $eq: String(idOf(request)) } } } }
    const [found] = await runScoped(
      database,
      scope,
      ({ from, where, document }) => sql`select ${sql.ref(`${document}.id`)} from ${from} where ${where} limit 1`,
    )
    if (!found) throw fault('record.not-found')
    const { outline } = await readOutline(database, caller, Number(found[0]), localeOfQuery(query.locale))
    return { data: outline, meta: {} }
  })

  app.put('/api/courses/:id/outline', async (request) => {
    const { author, view, query } = await enterFeature(routes, courses, 'update', request)
    const [id, wanted] = [idOf(request), readOrder(new ActionBody(request))]
    const locale = localeOfQuery(query.locale)
    return writing(database, async (trx) => {
      const course = await lockEntry(trx, courses, id, { author, view })
      if (!course) throw fault('record.not-found')
      const { document, entry } = course
      return { data: await storeOrder(trx, { document, entry, author, locale }, wanted), meta: {} }
    })
  })
}

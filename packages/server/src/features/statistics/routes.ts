/** The list of reports and the record of one (contract §12); their figures are calls of their own (product/statistics.md). */
import { fault, maxInteger } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { resourceNamed } from '../../resources/attributes.ts'
import {
  enterFeature,
  type FeatureRoutes,
  findBy,
  listWithCount,
  presentEntry,
} from '../../resources/feature-routes.ts'

const statistics = resourceNamed('statistics')

const keyOf = ({ params }: FastifyRequest): string =>
  typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''

/** Registers the routes; reports are part of the product, so there are none that write. */
export function registerStatistics(app: FastifyInstance, routes: FeatureRoutes): void {
  app.get('/api/statistics', async (request) =>
    listWithCount(routes, statistics, await enterFeature(routes, statistics, 'list', request)),
  )

  // By key or by id.
  app.get('/api/statistics/:id', async (request) => {
    const entered = await enterFeature(routes, statistics, 'get', request)
    const key = keyOf(request)
    const isId = /^[1-9]\d{0,9}$/.test(key) && Number(key) <= maxInteger
    const id = isId ? Number(key) : await findBy(routes, statistics, entered, 'key', key)
    return presentEntry(routes.database, statistics, id, entered, entered.view)
  })

  const refuse = () => Promise.reject(fault('route.not-found'))
  app.post('/api/statistics', refuse)
  app.put('/api/statistics/:id', refuse)
  app.delete('/api/statistics/:id', refuse)
}

/** The routes of prices over time and between districts (market §5). */
import type { Caller } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../../db/database.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { enterFeature, type FeatureRoutes } from '../../../resources/feature-routes.ts'
import { readChanges } from './changes.ts'
import { orderOf, type PriceOrder } from './export.ts'
import { readChangesQuery, readExportQuery, readSeriesQuery } from './query.ts'
import { readSeries } from './series.ts'

/** Answers with the rows of an order as a file. */
export type SendPrices = (
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  order: PriceOrder,
) => Promise<FastifyReply>

interface OutlookRoutes extends FeatureRoutes {
  sendExport: SendPrices
}

/** Registers the routes. */
export function registerPriceOutlook(app: FastifyInstance, routes: OutlookRoutes): void {
  const { database, sendExport } = routes
  const enter = (request: FastifyRequest) => enterFeature(routes, resourceNamed('pricelists'), 'list', request)

  app.get('/api/pricelists/series', async (request) => {
    const { caller, view, query } = await enter(request)
    return readSeries(database, caller, view, readSeriesQuery(query))
  })

  app.get('/api/pricelists/changes', async (request) => {
    const { caller, view, query } = await enter(request)
    return readChanges(database, caller, view, readChangesQuery(query))
  })

  app.get('/api/pricelists/export', async (request, reply) => {
    const { caller, view, query } = await enter(request)
    return sendExport(database, request, reply, caller, await orderOf(database, caller, view, readExportQuery(query)))
  })
}

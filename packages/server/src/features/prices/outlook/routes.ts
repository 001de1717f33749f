/** Registers the routes of prices over time and between districts (market §5). */
import type { Caller } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../../db/database.ts'
import { addRoutes } from '../../../http/contract-routes.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { enterFeature, type FeatureRoutes } from '../../../resources/feature-routes.ts'
import { readChanges } from './changes.ts'
import { exportRequestOf, type PriceExportRequest } from './export.ts'
import { changesQueryOf, exportQueryOf, seriesQueryOf } from './query.ts'
import { readSeries } from './series.ts'

/** Sends the rows of an export request as a file. */
export type SendPrices = (
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  exportRequest: PriceExportRequest,
) => Promise<FastifyReply>

interface OutlookRoutes extends FeatureRoutes {
  sendExport: SendPrices
}

/** Registers the routes of prices over time and between districts. */
export function registerPriceOutlook(app: FastifyInstance, routes: OutlookRoutes): void {
  const { database, sendExport } = routes
  const enterPrices = (request: FastifyRequest) => enterFeature(routes, resourceNamed('pricelists'), 'list', request)

  addRoutes(app, async () => (await import('@dala/model/api/price-outlook')).priceOutlookRoutes, {
    'GET /api/pricelists/series': async ({ request, query }) => {
      const { caller, view } = await enterPrices(request)
      return readSeries(database, caller, view, seriesQueryOf(await query(), database.calendar))
    },
    'GET /api/pricelists/changes': async ({ request, query }) => {
      const { caller, view } = await enterPrices(request)
      return readChanges(database, caller, view, changesQueryOf(await query()))
    },
    'GET /api/pricelists/export': async ({ request, reply, query }) => {
      const { caller, view } = await enterPrices(request)
      const exportRequest = await exportRequestOf(database, caller, view, exportQueryOf(await query()))
      return sendExport(database, request, reply, caller, exportRequest)
    },
  })
}

/** Registers the route that sends a list as a file (checklist §5). */
import type { FastifyInstance } from 'fastify'
import { addRoutes } from '../../http/contract-routes.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { toExportRequest } from './export-request.ts'
import type { Exporter } from './exporter.ts'

/** Registers the route of exports. */
export function registerExports(app: FastifyInstance, { database, callerOf }: FeatureRoutes, exporter: Exporter): void {
  addRoutes(app, async () => (await import('@dala/model/api/exports')).exportRoutes, {
    'POST /api/export': async ({ request, reply, body }) => {
      const caller = await callerOf(request)
      return exporter.send(database, request, reply, caller, toExportRequest(await body(), caller))
    },
  })
}

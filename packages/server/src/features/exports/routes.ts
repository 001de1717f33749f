/** The route that sends a list as a file (checklist §5). */
import type { FastifyInstance } from 'fastify'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { readOrder } from './body.ts'
import type { Exporter } from './exporter.ts'

/** Registers the route. */
export function registerExports(app: FastifyInstance, { database, callerOf }: FeatureRoutes, exporter: Exporter): void {
  app.post('/api/export', async (request, reply) => {
    const caller = await callerOf(request)
    return exporter.send(database, request, reply, caller, readOrder(request.body, caller))
  })
}

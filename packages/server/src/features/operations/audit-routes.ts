/** Registers the route of an audit line's changes, the only one besides the generic routes. */
import type { FastifyInstance } from 'fastify'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { enterFeature, type FeatureRoutes } from '../../resources/feature-routes.ts'
import { idOf } from '../../resources/routes.ts'
import { readLineChanges } from './audit-changes.ts'

/** Registers the route `GET /api/audit/{id}/changes`. */
export function registerAudit(app: FastifyInstance, routes: FeatureRoutes): void {
  addRoutes(app, async () => (await import('@dala/model/api/operations')).auditRoutes, {
    'GET /api/audit/:id/changes': async ({ request, query }) => {
      const { caller } = await enterFeature(routes, resourceNamed('audit'), 'get', request)
      const id = idOf(request)
      const { locale = caller.language } = await query()
      return readLineChanges(routes.database, { id, caller, locale })
    },
  })
}

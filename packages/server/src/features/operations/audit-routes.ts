/** The one route of the audit beside the generic ones: what a line changed. */
import type { FastifyInstance } from 'fastify'
import { isLocale } from '@dala/model'
import { resourceNamed } from '../../resources/attributes.ts'
import { enterFeature, type FeatureRoutes } from '../../resources/feature-routes.ts'
import { idOf } from '../../resources/routes.ts'
import { readLineChanges } from './audit-changes.ts'

/** Registers `GET /api/audit/{id}/changes`. */
export function registerAudit(app: FastifyInstance, routes: FeatureRoutes): void {
  app.get('/api/audit/:id/changes', async (request) => {
    const { caller, query } = await enterFeature(routes, resourceNamed('audit'), 'get', request)
    const locale = isLocale(query.locale) ? query.locale : caller.language
    return readLineChanges(routes.database, { id: idOf(request), caller, locale })
  })
}

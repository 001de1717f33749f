/** Feature of routing: trying a question on the rules, and reading the decisions about a case. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { registerRouting } from './routes.ts'

export const routingFeature: Feature = {
  name: 'routing',
  registerRoutes: registerRouting,
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/routing')).routingRoutes),
}

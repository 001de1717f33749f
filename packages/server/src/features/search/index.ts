/** Feature of the search over all resources. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { registerSearch } from './routes.ts'

export const search: Feature = {
  name: 'search',
  registerRoutes: registerSearch,
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/search')).searchRoutes),
}

/** Feature of the organisation's settings, which owners change in the panel. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { registerOrganisation } from './routes.ts'

export const organisation: Feature = {
  name: 'organisation',
  registerRoutes: registerOrganisation,
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/organisation')).organisationRoutes),
}

/** Feature of the history, uses, groups and trash of every resource, and of the progress of translations. */
import { resources } from '@dala/model'
import type { Feature } from '../../domain/feature.ts'
import type { RefusalsOfWrites } from './describe-records.ts'
import { registerHistory } from './routes.ts'

export { readTranslations } from './translations.ts'

/**
 * Creates the feature of the history of records.
 *
 * @param loadRefusals - Loads the codes that refuse writes of a resource: a revert is a write.
 */
export function history(loadRefusals: () => Promise<RefusalsOfWrites>): Feature {
  return {
    name: 'history',
    registerRoutes: registerHistory,
    describeRoutes: async () => {
      const [{ describeHistory }, refusals] = await Promise.all([import('./describe-records.ts'), loadRefusals()])
      return describeHistory(resources, refusals)
    },
  }
}

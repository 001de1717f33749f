/** Feature of the outline of courses. */
import type { Feature } from '../../domain/feature.ts'
import { described } from '../../http/contract-routes.ts'
import { registerLearning } from './routes.ts'

export const learning: Feature = {
  name: 'learning',
  register: registerLearning,
  describe: described(async () => (await import('@dala/model/api/learning')).learningRoutes),
}

/** The outline of courses. */
import type { Feature } from '../../domain/feature.ts'
import { registerLearning } from './routes.ts'

export const learning: Feature = {
  name: 'learning',
  register: registerLearning,
  describe: async () => (await import('./descriptions.ts')).learningDescriptions,
}

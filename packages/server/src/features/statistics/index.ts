/** Reports. */
import type { Feature } from '../../domain/feature.ts'
import { registerStatistics } from './routes.ts'

export { workOutReport } from './report.ts'

export const statistics: Feature = {
  name: 'statistics',
  register: registerStatistics,
  describe: async () => (await import('./descriptions.ts')).statisticsDescriptions,
}

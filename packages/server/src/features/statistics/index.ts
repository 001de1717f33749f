/** Feature of statistics, with its reports. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { registerStatistics } from './routes.ts'
import { registerSavedReports } from './saved/routes.ts'

export { findNames } from './names.ts'
export { computeReport } from './report.ts'

export const statistics: Feature = {
  name: 'statistics',
  register: (app, context) => {
    registerStatistics(app, context)
    registerSavedReports(app, context)
  },
  describe: loadDescriptions(async () => ({
    ...(await import('@dala/model/api/statistics')).statisticsRoutes,
    ...(await import('@dala/model/api/saved-reports')).savedReportRoutes,
  })),
}

/** Feature of statistics, with its reports. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import type { SendTable } from '../../resources/further-rows.ts'
import { DayRecount } from './by-day/recount.ts'
import { OpenCounter } from './open-counter.ts'
import { emitReportChanges } from './report-changes.ts'
import { registerStatistics } from './routes.ts'
import { registerSavedReports } from './saved/routes.ts'

export { findNames } from './names.ts'
export { computeReport } from './report.ts'
export { findSavedReport } from './saved/store.ts'

/**
 * Returns the feature of statistics.
 *
 * @param sendTable - Sends the records behind a figure as a sheet, within the limits of all exports.
 * @returns The feature.
 */
export function statistics(sendTable: SendTable): Feature {
  return {
    name: 'statistics',
    registerRoutes: (app, context) => {
      registerStatistics(app, context, sendTable)
      registerSavedReports(app, context)
      const stopEvents = emitReportChanges(context.sockets, context.database)
      app.addHook('preClose', async () => {
        stopEvents()
      })
    },
    jobs({ database, log, logFailure }) {
      const counter = new OpenCounter(database)
      counter.start(logFailure('openings of content could not be stored'))
      const recount = new DayRecount(database)
      recount.start(logFailure('count of the days of reports failed'), (differences) =>
        log.error({ differences }, 'counted days of reports differed from their facts and are counted again'),
      )
      return [counter, recount]
    },
    describeRoutes: loadDescriptions(async () => ({
      ...(await import('@dala/model/api/statistics')).statisticsRoutes,
      ...(await import('@dala/model/api/saved-reports')).savedReportRoutes,
    })),
  }
}

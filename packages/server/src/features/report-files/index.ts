/** Feature of the files of reports. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { FileMaker } from './maker.ts'
import type { SavedReportReaders } from './read-report.ts'
import { registerReportFiles } from './routes.ts'
import { ScheduleJob } from './schedules/job.ts'
import { registerSchedules } from './schedules/routes.ts'
import { registerSharedPages, registerShares } from './shares/routes.ts'

export { scheduledLetters } from './schedules/letters.ts'

/**
 * Creates the feature of the files of reports.
 *
 * @param readers - Readers of the feature of statistics, so that files show the numbers of its pages.
 */
export function reportFiles(readers: SavedReportReaders): Feature {
  let fileMaker: FileMaker | undefined
  return {
    name: 'report-files',
    registerRoutes: async (app, context) => {
      fileMaker = new FileMaker(context.database, readers, (error) =>
        context.log.error({ err: error }, 'The file of a report could not be made'),
      )
      registerReportFiles(app, context, fileMaker)
      registerShares(app, context, readers)
      registerSchedules(app, context, readers)
      // The pages have a parser of their own for their form.
      await app.register(async (scope) => registerSharedPages(scope, context, readers))
    },
    jobs: ({ database, logFailure }) => {
      const schedules = new ScheduleJob(database, readers)
      schedules.start(logFailure('the letters of a schedule could not be queued'))
      return [schedules, { stop: async () => fileMaker?.settled() }]
    },
    describeRoutes: loadDescriptions(async () => {
      const { sharedPageRoutes, staffShareRoutes } = await import('@dala/model/api/report-shares')
      const { reportFileRoutes } = await import('@dala/model/api/report-files')
      const { reportScheduleRoutes } = await import('@dala/model/api/report-schedules')
      return { ...reportFileRoutes, ...reportScheduleRoutes, ...staffShareRoutes, ...sharedPageRoutes }
    }),
  }
}

/** Feature of courses beyond their records: outline, publishing, and progress of learners. */
import type { Feature } from '../../domain/feature.ts'
import type { Settings } from '../../settings.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { registerCertificates } from './certificates/routes.ts'
import type { StoredFiles } from './checks/missing-files.ts'
import { VideoChecks } from './checks/video-checks.ts'
import { registerProgress } from './progress/routes.ts'
import type { SendTable } from '../../resources/further-rows.ts'
import { registerLearning } from './routes.ts'

/**
 * Makes the feature of courses.
 *
 * @param sendTable - Sends the learners of a course as a sheet, within the limits of all exports.
 * @param openFiles - Opens the storage of uploaded files.
 */
export function learning(sendTable: SendTable, openFiles: (settings: Settings) => StoredFiles): Feature {
  return {
    name: 'learning',
    registerRoutes(app, context) {
      const { settings } = context
      registerLearning(app, context, { files: openFiles(settings), videoChecks: settings.videoChecks })
      registerProgress(app, context, sendTable)
      registerCertificates(app, context)
    },
    jobs({ database, settings, logFailure }) {
      if (!settings.videoChecks) return []
      const checks = new VideoChecks(database)
      checks.start(logFailure('checking linked videos failed'))
      return [checks]
    },
    describeRoutes: loadDescriptions(async () => {
      const [{ learningRoutes }, { certificateRoutes, progressRoutes }] = await Promise.all([
        import('@dala/model/api/learning'),
        import('@dala/model/api/progress'),
      ])
      return { ...learningRoutes, ...progressRoutes, ...certificateRoutes }
    }),
  }
}

/** Feature of courses beyond their records: outline, publishing, and progress of learners. */
import type { Feature } from '../../domain/feature.ts'
import { described } from '../../http/contract-routes.ts'
import { registerCertificates } from './certificates/routes.ts'
import { registerProgress, type SendTable } from './progress/routes.ts'
import { registerLearning } from './routes.ts'

/**
 * Makes the feature of courses.
 *
 * @param sendTable - Sends the learners of a course as a sheet, within the limits of all exports.
 */
export function learning(sendTable: SendTable): Feature {
  return {
    name: 'learning',
    register(app, context) {
      registerLearning(app, context)
      registerProgress(app, context, sendTable)
      registerCertificates(app, context)
    },
    describe: described(async () => {
      const [{ learningRoutes }, { certificateRoutes, progressRoutes }] = await Promise.all([
        import('@dala/model/api/learning'),
        import('@dala/model/api/progress'),
      ])
      return { ...learningRoutes, ...progressRoutes, ...certificateRoutes }
    }),
  }
}

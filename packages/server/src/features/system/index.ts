/** Feature of the System page: the state of the installation, its diagnosis, and daily measurements. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { DailyMeasurement } from './daily-measurement.ts'
import { registerSystem } from './routes.ts'

export const system: Feature = {
  name: 'system',
  registerRoutes: registerSystem,
  jobs({ database, settings, logFailure }) {
    const measurement = new DailyMeasurement(database, settings.dataDir)
    measurement.start(logFailure('measuring the database and the disk failed'))
    return [measurement]
  },
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/system')).systemRoutes),
}

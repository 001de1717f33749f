/** Feature of the System page: the state of the installation, its diagnosis, and measurements of the disk and the database. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { DailyMeasurement } from './daily-measurement.ts'
import { DiskProbe, writeToDisk } from './disk-latency.ts'
import { registerSystem } from './routes.ts'

export const system: Feature = {
  name: 'system',
  registerRoutes: registerSystem,
  jobs({ database, settings, logFailure }) {
    const measurement = new DailyMeasurement(database, settings.dataDir)
    measurement.start(logFailure('measuring the database and the disk failed'))
    const probe = new DiskProbe({ write: () => writeToDisk(settings.dataDir) })
    // A write that fails says nothing about the speed of the disk: a full disk has a warning of its own.
    probe.start(() => {})
    return [measurement, probe]
  },
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/system')).systemRoutes),
}

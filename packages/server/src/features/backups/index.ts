/** Feature of backups: scheduled and by hand, proved by a restore apart, and deleted when they are old. */
import type { StoredUploads } from '../../db/backups/backup.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import type { Settings } from '../../settings.ts'
import { BackupRunner } from './backup-runner.ts'
import { registerBackups } from './routes.ts'

/** Milliseconds between looks at the schedule. */
const lookInterval = 60_000

/**
 * Makes the feature of backups.
 *
 * @param openFiles - Opens the storage of uploaded files.
 */
export function backupsFeature(openFiles: (settings: Settings) => StoredUploads): Feature {
  /** Files in the data folder are read directly, with all names that a command copies too. */
  const storedUploadsOf = (settings: Settings) => (settings.store ? openFiles(settings) : undefined)
  return {
    name: 'backups',
    registerRoutes(app, context) {
      const { database, settings, log } = context
      const runner = new BackupRunner({ database, settings, log, storedUploads: storedUploadsOf(settings) })
      app.addHook('onClose', () => runner.stop())
      registerBackups(app, context, runner)
    },
    jobs({ database, settings, log, logFailure }) {
      if (settings.backups.at === undefined) return []
      const runner = new BackupRunner({ database, settings, log, storedUploads: storedUploadsOf(settings) })
      const clock = new RepeatedWork(lookInterval)
      clock.start(() => runner.runSchedule(), logFailure('scheduled backup failed'))
      return [
        {
          async stop() {
            await runner.stop()
            await clock.stop()
          },
        },
      ]
    },
    describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/backups')).backupRoutes),
  }
}

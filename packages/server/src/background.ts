/** The periodic work of a server: that of its features, and copies of the embedded database. */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './db/database.ts'
import { Snapshots } from './db/snapshots.ts'
import type { Job } from './domain/feature.ts'
import type { PresentSettings } from './domain/operations/organisation.ts'
import { createFeatures } from './features.ts'

export interface BackgroundParts {
  settings: PresentSettings
  database: Database
  log: FastifyBaseLogger
}

/** Handle of the periodic work that was started. */
export interface BackgroundWork {
  /** Stops each kind of periodic work after its present run, one after another. */
  stop(): Promise<void>
}

/**
 * Starts the periodic work.
 *
 * @param parts - The settings, the database and the log for failures.
 * @returns The function that stops the work.
 */
export function startBackground({ settings, database, log }: BackgroundParts): BackgroundWork {
  const logFailure = (message: string) => (error: unknown) => log.error({ err: error }, message)
  const context = { settings, database, log, logFailure }
  const startedJobs: Job[] = createFeatures().flatMap((feature) => feature.jobs?.(context) ?? [])

  if (settings.databaseUrl === undefined) {
    const snapshots = new Snapshots(database, settings.dataDir)
    snapshots.start(logFailure('snapshot failed'))
    startedJobs.push(snapshots)
  }

  return {
    async stop() {
      for (const job of startedJobs) await job.stop()
    },
  }
}

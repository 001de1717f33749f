/** The periodic work of a server: letters, the seal of the audit, clearing, expiry, and sweeps of files and the desk. */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './db/database.ts'
import { Snapshots } from './db/snapshots.ts'
import { DeskSweep } from './features/chat/desk/sweep.ts'
import { Mailer } from './features/mail/mailer.ts'
import { Housekeeping } from './features/operations/housekeeping.ts'
import { Sealer } from './features/operations/sealer.ts'
import { DecisionNotices } from './features/trade/decision-notices.ts'
import { PostExpiry } from './features/trade/expiry.ts'
import { LikenessFill } from './features/uploads/fill-likeness.ts'
import { openStorage } from './features/uploads/open-storage.ts'
import { UploadSweep } from './features/uploads/sweep.ts'
import type { Settings } from './settings.ts'

export interface BackgroundParts {
  settings: Settings
  database: Database
  log: FastifyBaseLogger
}

/** Work that runs by itself until it is stopped. */
export interface Background {
  /** Stops one kind of work after the other, each behind what it is doing. */
  stop(): Promise<void>
}

/**
 * Starts the periodic work.
 *
 * @param parts - The settings, the database and the log for failures.
 * @returns What stops the work.
 */
export function startBackground({ settings, database, log }: BackgroundParts): Background {
  const logged = (message: string) => (error: unknown) => log.error({ err: error }, message)
  const started: { stop(): Promise<void> }[] = []

  const mailer = new Mailer(database, settings, {
    sent: (template, file) => log.info({ template, file }, 'letter sent'),
    failed: logged('letter failed'),
  })
  mailer.start()
  started.push(mailer)

  const housekeeping = new Housekeeping(database, settings.auditDays)
  housekeeping.start(logged('clearing failed'))
  const expiry = new PostExpiry(database)
  expiry.start(logged('expiring posts failed'))
  const decisions = new DecisionNotices(database)
  decisions.start(logged('notifying of decisions failed'))
  const desk = new DeskSweep(database)
  desk.start(logged('sweep of the desk failed'))
  const sealer = new Sealer(database)
  sealer.start(logged('sealing the audit failed'))
  started.push(housekeeping, expiry, decisions, desk, sealer)

  if (settings.databaseUrl === undefined) {
    const snapshots = new Snapshots(database, settings.dataDir)
    snapshots.start(logged('snapshot failed'))
    started.push(snapshots)
  }

  const storage = openStorage(settings)
  const sweep = new UploadSweep({ database, storage, dataDir: settings.dataDir })
  sweep.start((report) => log.warn(report, 'files and records differ'), logged('sweep of uploads failed'))
  const likeness = new LikenessFill(database, storage, (error, id) =>
    log.error({ err: error, id }, 'a stored picture cannot be read'),
  )
  likeness.start(logged('hashing stored pictures failed'))
  started.push(sweep, likeness)

  return {
    async stop() {
      for (const work of started) await work.stop()
    },
  }
}

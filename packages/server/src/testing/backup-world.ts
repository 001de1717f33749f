/** Backups of the worker's database in folders of a test, with a clock that the test sets. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { Readable } from 'node:stream'
import { archiveNames } from '../db/backups/manifest.ts'
import { storeFile } from '../db/backups/stored-file.ts'
import { BackupRunner, type BackupSteps } from '../features/backups/backup-runner.ts'
import { type BackupRow, listBackups } from '../features/backups/backup-rows.ts'
import { readSettings, type Settings } from '../settings.ts'

/** Address of the worker's database on the server of this run; empty for the embedded database. */
export function workerUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url) return ''
  const address = new URL(url)
  address.pathname = `/dala_test_worker_${process.env.VITEST_POOL_ID ?? '0'}`
  return address.href
}

/** Steps of a backup without the content of the database: its files are compared only. */
export const quickSteps: BackupSteps = {
  copyDatabase: async (_source, folder, options) => ({
    kind: 'embedded',
    schema: '0058-backups',
    rows: { tags: 5 },
    ...(await storeFile(Readable.from([Buffer.from('a database')]), join(folder, archiveNames.embedded), options)),
  }),
  proveBackup: async (place, name, { signal }) => {
    const files = await place.compareFiles(name, await place.readManifest(name), signal)
    return { method: 'read', rows: 5, files }
  },
}

export interface BackupWorld {
  settings: Settings
  /** Folder of scheduled backups. */
  folder: string
  runner: BackupRunner
  /** Lines of the log at level error. */
  errors: string[]
  /** Sets the clock. */
  setTime: (time: string) => void
  addUpload: (name: string, content: string) => void
  /** The record of backups, newest first. */
  list: () => Promise<BackupRow[]>
  /** Starts a program at the present time of the clock; its steps are those of the world unless it has its own. */
  startRunner: (ownSteps?: BackupSteps) => BackupRunner
}

/**
 * Makes a data folder and a runner of backups on it.
 *
 * @param database - The database.
 * @param environment - Settings that differ.
 * @param steps - Quick steps for a test of the schedule; those of a server when absent.
 * @returns The runner, its clock, and what it has written.
 */
export function openBackupWorld(
  database: Database,
  environment: Readonly<Record<string, string>> = {},
  steps?: BackupSteps,
): BackupWorld {
  const dataDir = mkdtempSync(join(tmpdir(), 'dala-backups-'))
  const folder = join(dataDir, 'copies')
  const settings = readSettings({
    DATA_DIR: dataDir,
    DATABASE_URL: workerUrl(),
    BACKUP_AT: '03:00',
    UPLOAD_RESERVE_MB: '0',
    BACKUP_FOLDER: folder,
    ...environment,
  })
  mkdirSync(join(dataDir, 'uploads'))
  let now = new Date('2026-02-01T00:00:00.000Z')
  const errors: string[] = []
  const startRunner = (ownSteps = steps) =>
    new BackupRunner({
      database,
      settings,
      clock: () => now,
      ...(ownSteps && { steps: ownSteps }),
      log: {
        info: () => {},
        error: (details: unknown, message?: string) =>
          void errors.push(`${message}: ${String((details as { err?: unknown }).err)}`),
      },
    })
  return {
    settings,
    folder,
    runner: startRunner(),
    errors,
    setTime: (time) => void (now = new Date(time)),
    addUpload: (name, content) => writeFileSync(join(dataDir, 'uploads', name), content),
    list: () => listBackups(database),
    startRunner,
  }
}

/** The backup that is taken before a migration, when the database may not have a record of backups yet. */
import type { StoredUploads } from '../../db/backups/backup.ts'
import type { Database } from '../../db/database.ts'
import type { Settings } from '../../settings.ts'
import { BackupRunner } from './backup-runner.ts'

export class MigrationCopy {
  readonly #runner: BackupRunner
  #taken: { name: string; bytes: number } | undefined

  constructor(database: Database, settings: Settings, storedUploads: StoredUploads | undefined) {
    const log = { info: () => {}, error: () => {} }
    this.#runner = new BackupRunner({ database, settings, storedUploads, log })
  }

  /**
   * Writes the backup at its places.
   *
   * @returns Its name.
   * @throws BackupError in one sentence; while another backup runs too.
   */
  async take(): Promise<string> {
    this.#taken = await this.#runner.copyBeforeMigration()
    return this.#taken.name
  }

  /** Records the backup in the migrated database, and deletes the ones that are no longer kept. */
  async record(): Promise<void> {
    if (this.#taken) await this.#runner.recordCopy(this.#taken)
  }
}

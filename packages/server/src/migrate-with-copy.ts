/** Migrates a database after a copy of it, so that an update can be taken back. */
import type { Database } from './db/database.ts'
import { migrateDatabase, type Migration } from './db/migrate.ts'
import { StartError, terminalMessage } from './db/open-data.ts'
import { sql } from './db/sql.ts'
import type { Settings } from './settings.ts'

export interface MigrateOptions {
  /** Shows the line about the copy to the person at the terminal. */
  printLine?: (line: string) => void
  /** The migrations of the program, which tests replace. */
  migrations?: readonly Migration[]
}

/**
 * Tells whether a copy precedes the next migration: unless the setting turns it off, or nobody has an account yet.
 *
 * @param database - The database, which may be older than the program.
 * @param settings - The settings.
 */
export async function needsCopy(database: Database, { backups }: Settings): Promise<boolean> {
  if (!backups.beforeMigration) return false
  const [users] = await database.query(sql<{ isThere: boolean }>`select to_regclass('users') is not null as "isThere"`)
  if (!users?.isThere) return false
  const [row] = await database.query(sql<{ hasAccounts: boolean }>`
    select exists (select from users) as "hasAccounts"`)
  return row?.hasAccounts === true
}

/**
 * Applies missing migrations. Where a database with data lacks some, a backup of the kind `migration` is taken first,
 * at the places of scheduled backups; the three newest of them are kept.
 *
 * @param database - The database.
 * @param settings - The settings, with the places of backups.
 * @param options - Where the line about the copy is shown.
 * @returns The names of the applied migrations.
 * @throws StartError when the copy failed: nothing is migrated then.
 */
export async function migrateWithCopy(
  database: Database,
  settings: Settings,
  { printLine = () => {}, migrations }: MigrateOptions = {},
): Promise<string[]> {
  let recordCopy: (() => Promise<void>) | undefined
  const applied = await migrateDatabase(database, migrations, async () => {
    if (!(await needsCopy(database, settings))) return
    const [{ MigrationCopy }, { openStorage }] = await Promise.all([
      import('./features/backups/migration-copy.ts'),
      import('./features/uploads/storage/open-storage.ts'),
    ])
    const copy = new MigrationCopy(database, settings, settings.store ? openStorage(settings) : undefined)
    try {
      const name = await copy.take()
      printLine(`A copy was taken before the migration: ${name}`)
    } catch (error) {
      const reason = terminalMessage(error, 'An unexpected error').replace(/\.?$/, '.')
      throw new StartError(
        `The copy before the migration failed, so nothing was migrated: ${reason} BACKUP_BEFORE_MIGRATION=off migrates without one.`,
      )
    }
    recordCopy = () => copy.record()
  })
  await recordCopy?.()
  return applied
}

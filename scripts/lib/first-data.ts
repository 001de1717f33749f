/** Prepares the data of a server as its first start does, in this process and without starting the server. */
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { calendarOf } from '../../packages/server/src/db/calendar.ts'
import type { Database } from '../../packages/server/src/db/database.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { openData } from '../../packages/server/src/db/open-data.ts'
import { seed, seedSettings } from '../../packages/server/src/seed/index.ts'
import { readSettings } from '../../packages/server/src/settings.ts'
import { ownerEmail, trialPassword } from './server-process.ts'

interface FirstData {
  dataDir: string
  seed: 'reference' | 'none'
  /** Settings that differ, for instance the address of a PostgreSQL server. */
  env?: Readonly<Record<string, string>>
}

/**
 * Migrates and seeds the data of a server that is started later, and adds rows.
 *
 * @param data - The folder, its seed, and settings.
 * @param fill - Adds the rows, without the time limit of statements.
 * @returns The result of `fill`, after the data are closed.
 */
export async function prepareFirstData<T>(
  { dataDir, seed: kind, env }: FirstData,
  fill: (database: Database) => Promise<T>,
): Promise<T> {
  const settings = readSettings({
    DATA_DIR: dataDir,
    SEED: kind,
    OWNER_EMAIL: ownerEmail,
    OWNER_PASSWORD: trialPassword,
    ...env,
  })
  const { database, close } = await openData(settings, { calendar: calendarOf(settings), parts: engineParts })
  try {
    return await database.withoutTimeLimit(async () => {
      await migrateDatabase(database)
      await seed(database, seedSettings(settings))
      return await fill(database)
    })
  } finally {
    await close()
  }
}

/** Copies of new databases that the embedded databases of tests start from. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Database, openDatabase } from '../db/database.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { preparedFolder } from '../db/prepared.ts'

async function makeImage(fill?: (database: Database) => Promise<unknown>): Promise<Uint8Array<ArrayBuffer>> {
  const database = await openDatabase({ memory: true })
  try {
    await fill?.(database)
    const image = await database.snapshot()
    if (image === undefined) throw new Error('The embedded database gave no copy of itself.')
    return new Uint8Array(await image.arrayBuffer())
  } finally {
    await database.close()
  }
}

/** Reads the copy of a new database; the first test that needs it makes it, beside the one of first starts. */
async function readImage(ending: string, fill?: (database: Database) => Promise<unknown>): Promise<Blob> {
  const file = `${preparedFolder()}${ending}`
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, await makeImage(fill), { mode: 0o600 })
    // Another worker may have made the same file in the meantime: the last one stays.
    renameSync(draft, file)
  }
  return new Blob([readFileSync(file)])
}

/**
 * Returns the copy of this program's empty, migrated database; creating a database and migrating it takes four
 * times as long.
 */
export const preparedImage = (): Promise<Blob> => readImage('.tar.gz', migrateDatabase)

/** Returns the copy of a database that was never migrated; creating one takes three times as long. */
export const bareImage = (): Promise<Blob> => readImage('.bare.tar.gz')

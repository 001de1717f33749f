/** The copy of an empty, migrated database that the embedded databases of tests start from. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openDatabase } from '../db/database.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { preparedFolder } from '../db/prepared.ts'

async function makeImage(): Promise<Uint8Array<ArrayBuffer>> {
  const database = await openDatabase({ memory: true })
  try {
    await migrateDatabase(database)
    const image = await database.snapshot()
    if (image === undefined) throw new Error('The embedded database gave no copy of itself.')
    return new Uint8Array(await image.arrayBuffer())
  } finally {
    await database.close()
  }
}

/**
 * Returns the copy of this program's empty, migrated database. The first test that needs it makes it, beside
 * the prepared database of first starts; creating a database and migrating it takes four times as long.
 */
export async function preparedImage(): Promise<Blob> {
  const file = `${preparedFolder()}.tar.gz`
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, await makeImage(), { mode: 0o600 })
    // Another worker may have made the same file in the meantime: the last one stays.
    renameSync(draft, file)
  }
  return new Blob([readFileSync(file)])
}

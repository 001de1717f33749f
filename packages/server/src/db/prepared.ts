/**
 * The empty, migrated database beside the installed packages: a
 * first start copies it instead of creating one (decision 38).
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { hasDatabase, liveFolder } from './backups/switch-over.ts'
import { openDatabase } from './database.ts'
import { type EmbeddedOptions, embeddedOptions } from './embedded-options.ts'
import { migrateDatabase, readMigrations } from './migrate.ts'

/** Folder of prepared databases, which is removed with the installed packages. */
const cache = join(import.meta.dirname, '../../../../node_modules/.cache/dala-database')

/**
 * Returns the folder of the prepared database that belongs to this program: its migrations on its version of
 * PGlite, started with its options.
 *
 * @param options - The start options of the program's database.
 * @returns The path, which differs for each difference of these.
 */
export function preparedFolder(options: EmbeddedOptions = embeddedOptions): string {
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const hash = createHash('sha256').update(readFileSync(join(engine, '../../package.json')))
  hash.update(JSON.stringify([options.startParams, options.session]))
  for (const { checksum } of readMigrations()) hash.update(checksum)
  return join(cache, hash.digest('hex').slice(0, 32))
}

/**
 * Fills a data folder without a database from the prepared one; does nothing without a prepared one.
 *
 * @param dataDir - The data folder, locked.
 */
export function placePreparedFolder(dataDir: string): void {
  if (hasDatabase(dataDir)) return
  const preparedPath = preparedFolder()
  if (!existsSync(preparedPath)) return
  const draft = join(dataDir, '.db.prepared')
  try {
    rmSync(draft, { recursive: true, force: true })
    // A copy of the prepared database gets the usual permissions of new folders, but only its owner may read
    // a database.
    mkdirSync(draft, { recursive: true, mode: 0o700 })
    cpSync(preparedPath, draft, { recursive: true, mode: constants.COPYFILE_FICLONE })
    chmodSync(draft, 0o700)
    // The rename makes the copied database visible as a whole: a program that is killed before leaves a
    // draft.
    renameSync(draft, liveFolder(dataDir))
  } catch {
    // A failed copy of the prepared database leads to a new database, which reports what is wrong with the
    // folder.
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Prepares the database of this program unless it exists, and deletes former ones. */
export async function prepareDatabase(): Promise<void> {
  const preparedPath = preparedFolder()
  if (!existsSync(preparedPath)) {
    const draft = `${preparedPath}.${process.pid}`
    mkdirSync(draft, { recursive: true, mode: 0o700 })
    try {
      const database = await openDatabase({ dataDir: draft })
      try {
        await migrateDatabase(database)
      } finally {
        await database.close()
      }
      // Another program may have made the prepared database in the meantime.
      if (!existsSync(preparedPath)) renameSync(liveFolder(draft), preparedPath)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
  for (const name of readdirSync(cache))
    if (!name.startsWith(basename(preparedPath))) rmSync(join(cache, name), { recursive: true, force: true })
}

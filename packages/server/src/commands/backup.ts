/** Writes a backup of a running or a stopped server: `dala backup [folder]`. */
import { join, resolve } from 'node:path'
import { bucketDescription, writeBackup } from '../db/backups/backup.ts'
import { copyRunningDatabase } from '../db/backups/running-copy.ts'
import { backupKeyOf } from '../db/backups/sealed-file.ts'
import { LockError } from '../db/lock.ts'
import { readSettings, type Settings } from '../settings.ts'
import type { CommandInput, CommandResult } from './command-line.ts'
import { runWithData } from './with-data.ts'

/** Packs the embedded database, by its server when one is running, else in this program. */
async function imageOf(settings: Settings): Promise<Blob | undefined> {
  try {
    return await runWithData(settings, ({ database }) => database.snapshot())
  } catch (error) {
    if (error instanceof LockError) return copyRunningDatabase(settings.dataDir)
    throw error
  }
}

/**
 * Writes a backup.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns The folder, the schema version and the number of files.
 * @throws BackupError when the folder exists or a program is missing.
 */
export async function backUp({ environment, positionals, printLine }: CommandInput): Promise<CommandResult> {
  const settings = readSettings(environment)
  const { dataDir, databaseUrl, store } = settings
  const options = { now: new Date(), key: settings.backups.key && backupKeyOf(settings.backups.key) }
  const [namedFolder] = positionals
  const folder =
    namedFolder === undefined
      ? join(dataDir, 'backups', options.now.toISOString().replaceAll(/[:.]/g, '-'))
      : resolve(namedFolder)
  const source = { dataDir, databaseUrl, store }
  let manifest
  if (databaseUrl === undefined) {
    const image = await imageOf(settings)
    manifest = await writeBackup({ ...source, ...(image && { image }) }, folder, options)
  } else {
    manifest = await runWithData(settings, ({ database }) => writeBackup({ ...source, database }, folder, options))
  }
  const { schema, kind, filesIn, encryption } = manifest
  const fileCount = Object.keys(manifest.files).length
  printLine(`Written: ${folder}`)
  printLine(`Schema ${schema}, ${fileCount} files, checksums in manifest.json.`)
  if (encryption) printLine(`Encrypted with BACKUP_KEY (key ${encryption.keyId}), without which it cannot be read.`)
  if (store) printLine(bucketDescription(store))
  return {
    document: {
      folder,
      kind,
      schema,
      files: fileCount,
      encrypted: encryption !== undefined,
      ...(filesIn && { filesIn }),
    },
  }
}

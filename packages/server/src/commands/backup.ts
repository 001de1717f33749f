/** Writes a backup of a running or a stopped server: `npm run backup [-- folder]`. */
import { join, resolve } from 'node:path'
import { bucketDescription, writeBackup } from '../db/backups/backup.ts'
import { copyRunningDatabase } from '../db/backups/running-copy.ts'
import { LockError } from '../db/lock.ts'
import type { Settings } from '../settings.ts'
import { runCommand, printLine, runWithData } from './run-command.ts'

/** Packs the embedded database, by its server when one is running, else in this program. */
async function imageOf(settings: Settings): Promise<Blob | undefined> {
  try {
    return await runWithData(settings, ({ database }) => database.snapshot())
  } catch (error) {
    if (error instanceof LockError) return copyRunningDatabase(settings.dataDir)
    throw error
  }
}

await runCommand(async (settings) => {
  const { dataDir, databaseUrl, store } = settings
  const time = new Date()
  const folderArgument = process.argv[2]
  const folder =
    folderArgument === undefined
      ? join(dataDir, 'backups', time.toISOString().replaceAll(/[:.]/g, '-'))
      : resolve(folderArgument)
  const source = { dataDir, databaseUrl, store }
  let manifest
  if (databaseUrl === undefined) {
    const image = await imageOf(settings)
    manifest = await writeBackup({ ...source, ...(image && { image }) }, folder, time)
  } else {
    manifest = await runWithData(settings, ({ database }) => writeBackup({ ...source, database }, folder, time))
  }
  printLine(`Written: ${folder}`)
  printLine(`Schema ${manifest.schema}, ${Object.keys(manifest.files).length} files, checksums in manifest.json.`)
  if (store) printLine(bucketDescription(store))
})

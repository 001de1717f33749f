/** Replaces the old database by a restored one, so that a crash at any moment leaves one of them complete. */
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'

const liveName = 'db'
/**
 * Name of the folder with a restored database whose data are complete and checked: after the rename to it,
 * they are valid.
 */
const restoredName = '.db.restored'

/** Path of the folder with the embedded database. */
export const liveFolder = (dataDir: string) => join(dataDir, liveName)

/** The folder in which a restore builds its copy; its content may be deleted at any time. */
export const draftFolder = (dataDir: string) => join(dataDir, '.db.draft')

/** Tells whether a data folder has an embedded database, or one that a restore is about to put in place. */
export function hasDatabase(dataDir: string): boolean {
  return [liveName, restoredName].some((name) => existsSync(join(dataDir, name)))
}

/**
 * Marks the draft of a restored database as complete and puts it in place.
 *
 * @param dataDir - The data folder, locked.
 */
export function switchFolders(dataDir: string): void {
  renameSync(draftFolder(dataDir), join(dataDir, restoredName))
  finishRestore(dataDir)
}

/**
 * Completes a restore that was interrupted between its two
 * renames; the former database stays beside it under another name.
 */
export function finishRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, restoredName))) return
  const formerName = `db.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  if (existsSync(join(dataDir, liveName))) renameSync(join(dataDir, liveName), join(dataDir, formerName))
  renameSync(join(dataDir, restoredName), join(dataDir, liveName))
}

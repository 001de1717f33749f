/** Puts a restored database in the place of the old one, so that a crash at any moment leaves one of the two whole. */
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'

const live = 'db'
/** The name says that what is in it is complete and checked: from this rename on, the restored data count. */
const restored = '.db.restored'

/** Where the embedded database is. */
export const liveFolder = (dataDir: string) => join(dataDir, live)

/** Where a restore builds its copy; what lies there may be thrown away at any time. */
export const draftFolder = (dataDir: string) => join(dataDir, '.db.draft')

/** Whether there is an embedded database in the folder, or one about to be. */
export function hasDatabase(dataDir: string): boolean {
  return [live, restored].some((name) => existsSync(join(dataDir, name)))
}

/** Declares the draft complete and puts it in place. In: the data folder, locked. */
export function switchOver(dataDir: string): void {
  renameSync(draftFolder(dataDir), join(dataDir, restored))
  finishRestore(dataDir)
}

/** Ends a restore that was cut off between its two renames; the former database stays beside it under another name. */
export function finishRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, restored))) return
  const former = `db.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  if (existsSync(join(dataDir, live))) renameSync(join(dataDir, live), join(dataDir, former))
  renameSync(join(dataDir, restored), join(dataDir, live))
}

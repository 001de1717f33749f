/** Checks of the data folder: access, free space, and the age of copies. */
import { accessSync, constants, existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasDatabase } from '../../db/backups/switch-over.ts'
import { manifestName } from '../../db/backups/manifest.ts'
import { codeOf } from '../../db/open-data.ts'
import { judgeSpace } from '../../domain/operations/limits.ts'
import type { Settings } from '../../settings.ts'
import { type Check, failure, type Finding, formatAge, formatBytes, ok, warning } from './finding.ts'

const oldestCopyMs = 7 * 86_400_000

/** Returns the folder, or its nearest parent that exists. */
function existingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder))
}

/** Tells whether this user may write the data folder, or create it. */
function folderFinding(dataDir: string): Finding {
  const folder = existingFolder(dataDir)
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const message = `The folder ${folder} cannot be written (${codeOf(error)}).`
    return failure(message, 'Give the folder to the user of the server, or set DATA_DIR to another one.')
  }
  return folder === dataDir
    ? ok(`The data folder ${dataDir} can be written.`)
    : ok(`The data folder ${dataDir} does not exist yet, and can be created.`)
}

/**
 * Judges the free space of a disk.
 *
 * @param freeBytes - Bytes that this user may write.
 * @param totalBytes - Bytes of the disk.
 * @returns The finding: a failure where the server reports itself unavailable.
 */
export function spaceFinding(freeBytes: number, totalBytes: number): Finding {
  const message = `The disk of the data folder has ${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free.`
  const advice = 'Delete what is not needed, move old backups to another machine, or enlarge the disk.'
  const space = judgeSpace(freeBytes, totalBytes)
  if (space === 'out') return failure(message, advice)
  return space === 'low' ? warning(message, advice) : ok(message)
}

/** Reads the state of a file; undefined when a running server has deleted it meanwhile. */
const stateOf = (path: string) => stat(path).catch(() => undefined)

async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const states = await Promise.all(files.map((file) => stateOf(join(file.parentPath, file.name))))
  return states.reduce((sum, state) => sum + (state?.size ?? 0), 0)
}

/** Finds the newest complete backup or hourly copy below the data folder. */
async function newestCopy(folder: string): Promise<{ path: string; at: number; isFolder: boolean } | undefined> {
  const entries = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : []
  const copies = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory()
      const isCopy = isFolder ? existsSync(join(path, manifestName)) : /^dala-.*\.tar\.gz$/.test(entry.name)
      const state = isCopy ? await stateOf(isFolder ? join(path, manifestName) : path) : undefined
      return state ? [{ path, at: state.mtimeMs, isFolder }] : []
    }),
  )
  return copies.flat().sort((first, second) => second.at - first.at)[0]
}

async function copyFinding({ dataDir, databaseUrl }: Settings): Promise<Finding> {
  if (databaseUrl === undefined && !hasDatabase(dataDir)) return ok('There is no database to copy yet.')
  const folder = join(dataDir, 'backups')
  const advice = 'Run dala backup, and store the result on another machine; backups in other folders are not seen here.'
  const copy = await newestCopy(folder)
  if (!copy) return warning(`There is no backup or hourly copy in ${folder}.`, advice)
  const size = copy.isFolder ? await sizeOf(copy.path) : ((await stateOf(copy.path))?.size ?? 0)
  const age = Date.now() - copy.at
  const message = `The newest copy is ${formatAge(age)} old and has ${formatBytes(size)}: ${copy.path}.`
  return age > oldestCopyMs ? warning(message, advice) : ok(message)
}

/** Returns the checks of the data folder of these settings. */
export function folderChecks(settings: Settings): Check[] {
  const { dataDir } = settings
  return [
    { name: 'folder', run: () => folderFinding(dataDir) },
    {
      name: 'space',
      run: async () => {
        const { bavail, blocks, bsize } = await statfs(existingFolder(dataDir))
        return spaceFinding(bavail * bsize, blocks * bsize)
      },
    },
    { name: 'copies', run: () => copyFinding(settings) },
  ]
}

/**
 * Remembers the inputs of each check when it last passed, so that the same check of the same files is not
 * repeated.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'

const stampFile = join(repositoryRoot, 'node_modules/.cache/dala-passed-checks.json')
/** Lists the installed versions; the lock file lists the wanted ones. */
const installedFile = 'node_modules/.package-lock.json'

/** Means every file of the repository, including documents. */
export const everything = '.'

/**
 * Whether a file is an input of a check.
 *
 * @param file - Path from the root of the repository.
 * @param folders - Folders that the check reads. Files in the root, which configure the checks, are inputs of
 *   every check, and so are `scripts/checks` and `scripts/check.ts`, which define the checks. Only the format
 *   check reads documents.
 */
export function isInput(file: string, folders: readonly string[]): boolean {
  if (folders.includes(everything)) return true
  if (file.endsWith('.md')) return false
  if (!file.includes('/') || file === 'scripts/check.ts' || file.startsWith('scripts/checks/')) return true
  return folders.some((folder) => file.startsWith(`${folder}/`))
}

export interface PassedBefore {
  /** Whether the check passed on exactly these inputs. */
  has: (check: string, folders: readonly string[]) => boolean
  /** Records that the check passed now. */
  add: (check: string, folders: readonly string[]) => void
  /** Stores the records, except for checks whose inputs changed while they ran. */
  save: () => Promise<void>
}

/** For each check, the input stamps of its latest passes: of a few branches, or before and after an edit. */
type Stored = Record<string, string[]>
const stampsStored = 8

type StampOf = (folders: readonly string[]) => string

/**
 * Reads the repository as it is now.
 *
 * @returns A function that stamps the inputs of a check; undefined without git.
 */
async function readStamps(): Promise<StampOf | undefined> {
  const files = await listFiles().catch(() => undefined)
  if (files === undefined) return undefined
  const hashes = [...files.toSorted(), installedFile].map((file): [string, string] => {
    const path = join(repositoryRoot, file)
    return [file, existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'absent']
  })
  return (folders) => {
    const hash = createHash('sha256').update(process.version)
    for (const [file, content] of hashes) {
      if (file === installedFile || isInput(file, folders)) hash.update(`${file}\0${content}\0`)
    }
    return hash.digest('hex')
  }
}

function readStored(file: string): Stored {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : {}
}

interface MemoryOptions {
  /** Treats every check as one that never passed. */
  forget: boolean
  /** Reads the stamps of the inputs, those of the repository by default. */
  read?: () => Promise<StampOf | undefined>
  /** Where stamps are stored. */
  file?: string
}

/**
 * Opens the records of the checks.
 *
 * @returns Answers about the files as they are now.
 */
export async function openPassedBefore({
  forget,
  read = readStamps,
  file = stampFile,
}: MemoryOptions): Promise<PassedBefore> {
  const stampOf = await read()
  const stored = forget ? {} : readStored(file)
  const passed = new Map<string, readonly string[]>()
  return {
    has: (check, folders) => stampOf !== undefined && stored[check]?.includes(stampOf(folders)) === true,
    add: (check, folders) => void passed.set(check, folders),
    save: async () => {
      const stampNow = await read()
      if (stampOf === undefined || stampNow === undefined) return
      for (const [check, folders] of passed) {
        const stamp = stampOf(folders)
        if (stamp === stampNow(folders)) {
          stored[check] = [...(stored[check] ?? []).filter((one) => one !== stamp), stamp].slice(-stampsStored)
        }
      }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(stored))
    },
  }
}

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
/** File that lists the installed versions; the lock file lists the wanted versions. */
const installedFile = 'node_modules/.package-lock.json'

/** Marks a check that depends on every file of the repository, including documents. */
export const allFiles = '.'

/** Whether a file configures or defines the checks: every check depends on the whole text of such files. */
const definesChecks = (file: string): boolean =>
  !file.includes('/') || file === 'scripts/check.ts' || file.startsWith('scripts/checks/')

/**
 * Tells whether a file is an input of a check.
 *
 * @param file - Path from the root of the repository.
 * @param folders - Folders that the check reads. Files in the root, which configure the checks, are inputs of
 *   every check, and so are `scripts/checks` and `scripts/check.ts`, which define the checks. Only the format
 *   check reads documents.
 */
export function isInput(file: string, folders: readonly string[]): boolean {
  if (folders.includes(allFiles)) return true
  if (file.endsWith('.md')) return false
  if (definesChecks(file)) return true
  return folders.some((folder) => file.startsWith(`${folder}/`))
}

/** Part of a source file that a check depends on. */
export type InputPart = 'content' | 'imports'

const isSource = (file: string) => /\.[cm]?[jt]sx?$/.test(file)
/** Pattern of each word that may begin an import, with the text up to the end of the next string. */
const importPattern = /\b(?:import|from|require|export(?=\s*(?:type\s*)?[{*]))\b(?=([\s\S]*?(["'`])[\s\S]*?\2))/g

/**
 * Returns the import statements of a source file. Text that only looks like an import is included too, so
 * that none is missed.
 *
 * @param text - The text of the file.
 * @returns The statements, in their order.
 */
export const importsIn = (text: string): string =>
  [...text.matchAll(importPattern)].map(([keyword, moduleSpecifier = '']) => `${keyword}${moduleSpecifier}`).join('\n')

export interface PassedChecks {
  /** Tells whether the check passed on exactly its present inputs. */
  has: (check: string, folders: readonly string[], inputPart?: InputPart) => boolean
  /** Records that a check passed on its present inputs. */
  add: (check: string, folders: readonly string[], inputPart?: InputPart) => void
  /** Stores the records of passed checks, except for checks whose inputs changed meanwhile. */
  save: () => Promise<void>
}

/** Input stamps of the latest passes of each check: of a few branches, or before and after an edit. */
type StoredStamps = Record<string, string[]>
const maxStamps = 8

type ComputeStamp = (folders: readonly string[], inputPart: InputPart) => string

/**
 * Reads the stamps of the repository's present files.
 *
 * @returns A function that stamps the inputs of a check; undefined without git.
 */
async function readStamps(): Promise<ComputeStamp | undefined> {
  const files = await listFiles().catch(() => undefined)
  if (files === undefined) return undefined
  const hashOf = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  const hashes = [...files.toSorted(), installedFile].map((file): { file: string } & Record<InputPart, string> => {
    const path = join(repositoryRoot, file)
    if (!existsSync(path)) return { file, content: 'absent', imports: 'absent' }
    const data = readFileSync(path)
    const content = hashOf(data)
    return { file, content, imports: isSource(file) && !definesChecks(file) ? importsIn(data.toString()) : content }
  })
  return (folders, hashedPart) => {
    const hash = createHash('sha256').update(process.version)
    for (const fileHash of hashes) {
      if (fileHash.file === installedFile || isInput(fileHash.file, folders))
        hash.update(`${fileHash.file}\0${fileHash[hashedPart]}\0`)
    }
    return hash.digest('hex')
  }
}

function readStoredStamps(file: string): StoredStamps {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StoredStamps) : {}
}

interface MemoryOptions {
  /** Whether every check counts as one that has never passed. */
  forgetsStamps: boolean
  /** Reads the stamps of a check's inputs, those of the repository by default. */
  read?: () => Promise<ComputeStamp | undefined>
  /** File in which stamps of passed checks are stored. */
  file?: string
}

/**
 * Opens the records of passed checks.
 *
 * @returns Answers about the files as they are now.
 */
export async function openPassedChecks({
  forgetsStamps: forget,
  read = readStamps,
  file = stampFile,
}: MemoryOptions): Promise<PassedChecks> {
  const stampOf = await read()
  const storedStamps = forget ? {} : readStoredStamps(file)
  const passedStamps = new Map<string, Parameters<ComputeStamp>>()
  return {
    has: (check, folders, hashedPart = 'content') =>
      stampOf !== undefined && storedStamps[check]?.includes(stampOf(folders, hashedPart)) === true,
    add: (check, folders, hashedPart = 'content') => void passedStamps.set(check, [folders, hashedPart]),
    save: async () => {
      const stampNow = await read()
      if (stampOf === undefined || stampNow === undefined) return
      for (const [check, inputs] of passedStamps) {
        const checkStamp = stampOf(...inputs)
        if (checkStamp === stampNow(...inputs)) {
          storedStamps[check] = [
            ...(storedStamps[check] ?? []).filter((storedStamp) => storedStamp !== checkStamp),
            checkStamp,
          ].slice(-maxStamps)
        }
      }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(storedStamps))
    },
  }
}

/**
 * Remembers the inputs of each check when it last passed, so that the same check of the same files is not
 * repeated.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'

const stampFile = join(repositoryRoot, 'node_modules/.cache/dala-passes-of-checks.json')
/** File that lists the installed versions; the lock file lists the wanted versions. */
const installedFile = 'node_modules/.package-lock.json'

/** Marks a check that depends on every file of the repository, including documents. */
export const allFiles = '.'

/** Whether a file configures or defines the checks: every check depends on the whole text of such files. */
const definesChecks = (file: string): boolean =>
  !file.includes('/') ||
  ['scripts/check.ts', 'scripts/tests/import-graph.ts'].includes(file) ||
  file.startsWith('scripts/checks/')

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

/** Whether a source file changes types of files that do not import it. */
const changesOtherTypes = (file: string, text: string) =>
  file.endsWith('.d.ts') || /\bdeclare (?:global|module)\b/.test(text)
/** Mark of the hashes of source files that change types elsewhere. */
const otherTypesMark = '*'

export interface PassedChecks {
  /** Tells whether the check passed on exactly its present inputs. */
  has: (check: string, folders: readonly string[], inputPart?: InputPart) => boolean
  /** Records that a check passed on its present inputs. */
  add: (check: string, folders: readonly string[], inputPart?: InputPart) => void
  /**
   * Lists the inputs of a check that differ from those of its last pass.
   *
   * @returns Their paths; undefined when files that do not import them may depend on them as well.
   */
  changedSince: (check: string, folders: readonly string[]) => string[] | undefined
  /** Stores the records of passed checks, except for checks whose inputs changed meanwhile. */
  save: () => Promise<void>
}

interface StoredPasses {
  /** Input stamps of the latest passes of each check: of a few branches, or before and after an edit. */
  stamps: Record<string, string[]>
  /** Hashes of the input files of the last pass of each check. */
  files: Record<string, FileHashes>
}
const maxStamps = 8

/** The hash of the content of each file. */
type FileHashes = Record<string, string>

/** The inputs of checks as they are now. */
interface Inputs {
  /** Computes one stamp of all inputs of a check. */
  stampOf: (folders: readonly string[], inputPart: InputPart) => string
  /** Returns the hashes of the inputs of a check. */
  hashesOf: (folders: readonly string[]) => FileHashes
}

/**
 * Reads the repository's present files.
 *
 * @returns Their stamps and hashes; undefined without git.
 */
async function readInputs(): Promise<Inputs | undefined> {
  const files = await listFiles().catch(() => undefined)
  if (files === undefined) return undefined
  const hashOf = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  const hashes = [...files.toSorted(), installedFile].map((file): { file: string } & Record<InputPart, string> => {
    const path = join(repositoryRoot, file)
    if (!existsSync(path)) return { file, content: 'absent', imports: 'absent' }
    const data = readFileSync(path)
    const hash = hashOf(data)
    if (!isSource(file)) return { file, content: hash, imports: hash }
    const text = data.toString()
    const content = changesOtherTypes(file, text) ? `${otherTypesMark}${hash}` : hash
    return { file, content, imports: definesChecks(file) ? content : importsIn(text) }
  })
  const inputsIn = (folders: readonly string[]) =>
    hashes.filter(({ file }) => file === installedFile || isInput(file, folders))
  return {
    stampOf: (folders, hashedPart) => {
      const hash = createHash('sha256').update(process.version)
      for (const fileHash of inputsIn(folders)) hash.update(`${fileHash.file}\0${fileHash[hashedPart]}\0`)
      return hash.digest('hex')
    },
    hashesOf: (folders) =>
      Object.fromEntries([
        ['', process.version],
        ...inputsIn(folders).map(({ file, content }): [string, string] => [file, content]),
      ]),
  }
}

/** Files whose text has no types. */
const hasNoTypes = (file: string) => /\.(?:css|sql)$/.test(file)

/**
 * Lists the files that differ between two passes of a check. Importers of removed files had to change, too.
 *
 * @returns Their paths; undefined when their importers are not the only files that depend on them.
 */
function compareHashes(former: FileHashes, present: FileHashes): string[] | undefined {
  const names = new Set([...Object.keys(former), ...Object.keys(present)])
  const changedFiles = [...names].filter((file) => former[file] !== present[file] && !hasNoTypes(file))
  const isFollowed = (file: string) =>
    isSource(file) &&
    !definesChecks(file) &&
    ![former[file], present[file]].some((hash) => hash?.startsWith(otherTypesMark))
  return changedFiles.every(isFollowed) ? changedFiles : undefined
}

function readStoredPasses(file: string): StoredPasses {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StoredPasses) : { stamps: {}, files: {} }
}

interface MemoryOptions {
  /** Whether every check counts as one that has never passed. */
  forgetsStamps: boolean
  /** Reads the inputs of checks, those of the repository by default. */
  read?: () => Promise<Inputs | undefined>
  /** File in which passes of checks are stored. */
  file?: string
}

/**
 * Opens the records of passed checks.
 *
 * @returns Answers about the files as they are now.
 */
export async function openPassedChecks({
  forgetsStamps: forget,
  read = readInputs,
  file = stampFile,
}: MemoryOptions): Promise<PassedChecks> {
  const inputs = await read()
  const { stamps, files } = forget ? { stamps: {}, files: {} } : readStoredPasses(file)
  const passes = new Map<string, Parameters<Inputs['stampOf']>>()
  return {
    has: (check, folders, hashedPart = 'content') =>
      inputs !== undefined && stamps[check]?.includes(inputs.stampOf(folders, hashedPart)) === true,
    add: (check, folders, hashedPart = 'content') => void passes.set(check, [folders, hashedPart]),
    changedSince: (check, folders) => {
      const formerHashes = files[check]
      return inputs && formerHashes && compareHashes(formerHashes, inputs.hashesOf(folders))
    },
    save: async () => {
      const inputsNow = await read()
      if (inputs === undefined || inputsNow === undefined) return
      for (const [check, [folders, hashedPart]] of passes) {
        const checkStamp = inputs.stampOf(folders, hashedPart)
        if (checkStamp !== inputsNow.stampOf(folders, hashedPart)) continue
        const formerStamps = (stamps[check] ?? []).filter((storedStamp) => storedStamp !== checkStamp)
        stamps[check] = [...formerStamps, checkStamp].slice(-maxStamps)
        if (hashedPart === 'content') files[check] = inputs.hashesOf(folders)
      }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify({ stamps, files } satisfies StoredPasses))
    },
  }
}

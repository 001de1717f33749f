/** Stores the duration of each test file in its runs on this machine. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import type { FileTime } from './file-times.ts'

const timesFile = join(repositoryRoot, 'node_modules/.cache/dala-test-times.json')

/** Seconds of test files by their path, on each database. */
interface TestTimes {
  embedded: Record<string, number>
  server: Record<string, number>
}

/** Kind of a run: all tests of a package on one of the databases, or a few files on the embedded one. */
export type RunKind = 'embedded' | 'server' | 'few'

function readTimes(): TestTimes {
  const storedTimes = existsSync(timesFile) ? (JSON.parse(readFileSync(timesFile, 'utf8')) as Partial<TestTimes>) : {}
  return { embedded: storedTimes.embedded ?? {}, server: storedTimes.server ?? {} }
}

/** Returns the records with those of a run; see `noteTimes`. */
export function mergeTimes(times: TestTimes, files: readonly FileTime[], kind: RunKind): TestTimes {
  const database = kind === 'server' ? 'server' : 'embedded'
  const known = times[database]
  const noted = files.map(({ name, seconds }): [string, number] => [
    name,
    kind === 'few' ? Math.min(seconds, known[name] ?? seconds) : seconds,
  ])
  return { ...times, [database]: { ...known, ...Object.fromEntries(noted) } }
}

/**
 * Stores the seconds of test files by their path from the root; records of other files stay. A run of a few
 * files only adds records and shortens them, because one of its files opens the database for all.
 *
 * @param files - The files and their seconds.
 * @param kind - Kind of the run.
 */
export function noteTimes(files: readonly FileTime[], kind: RunKind): void {
  const times = mergeTimes(readTimes(), files, kind)
  mkdirSync(dirname(timesFile), { recursive: true })
  writeFileSync(timesFile, JSON.stringify(times))
}

/** Average seconds of a test file in the whole run, for files that have not run here yet. */
const usualSeconds = (file: string) =>
  file.startsWith('packages/server/') ? 4 : file.startsWith('packages/panel/') ? 1 : 0.2

/** Ratio between the seconds of a file that fills a database with rows, on the embedded one and on a server. */
const embeddedToServer = 3

/**
 * Returns the seconds of a test file on the embedded database: of its runs there, else estimated from those
 * on a server, else the average of its package.
 */
export function secondsIn(times: TestTimes, file: string): number {
  const onServer = times.server[file]
  return times.embedded[file] ?? (onServer === undefined ? usualSeconds(file) : onServer * embeddedToServer)
}

/** Returns a function that gives the seconds of a test file in the runs on this machine. */
export function openTimes(): (file: string) => number {
  const times = readTimes()
  return (file) => secondsIn(times, file)
}

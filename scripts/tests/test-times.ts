/** Stores the duration of each test file in its runs on this machine. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import type { FileTime } from './file-times.ts'

const timesFile = join(repositoryRoot, 'node_modules/.cache/dala-test-times.json')
type TestTimes = Record<string, number>

function readTimes(): TestTimes {
  return existsSync(timesFile) ? (JSON.parse(readFileSync(timesFile, 'utf8')) as TestTimes) : {}
}

/** Returns the records with those of a run; see `noteTimes`. */
export const mergeTimes = (
  times: TestTimes,
  files: readonly FileTime[],
  { isWhole }: { isWhole: boolean },
): TestTimes => ({
  ...times,
  ...Object.fromEntries(
    files.map(({ name, seconds }) => [name, isWhole ? seconds : Math.min(seconds, times[name] ?? seconds)]),
  ),
})

/**
 * Stores the seconds of test files by their path from the root; records of other files stay. A run of a few
 * files only adds records and shortens them, because one of its files opens the database for all.
 *
 * @param files - The files and their seconds.
 * @param options - Whether all tests of a package ran on the embedded database.
 */
export function noteTimes(files: readonly FileTime[], options: { isWhole: boolean }): void {
  const times = mergeTimes(readTimes(), files, options)
  mkdirSync(dirname(timesFile), { recursive: true })
  writeFileSync(timesFile, JSON.stringify(times))
}

/** Average seconds of a test file in the whole run, for files that have not run here yet. */
const usualSeconds = (file: string) =>
  file.startsWith('packages/server/') ? 4 : file.startsWith('packages/panel/') ? 1 : 0.2

/**
 * Returns a function that gives the seconds of a test file: of its runs here, else the average of its
 * package.
 */
export function openTimes(): (file: string) => number {
  const times = readTimes()
  return (file) => times[file] ?? usualSeconds(file)
}

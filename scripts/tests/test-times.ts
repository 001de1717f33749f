/** Stores the duration of each test file in its last run on this machine. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'

const timesFile = join(repositoryRoot, 'node_modules/.cache/dala-test-times.json')
type TestTimes = Record<string, number>

function readTimes(): TestTimes {
  return existsSync(timesFile) ? (JSON.parse(readFileSync(timesFile, 'utf8')) as TestTimes) : {}
}

/** Stores the seconds of test files by their path from the root; records of other files stay. */
export function noteTimes(files: readonly { name: string; seconds: number }[]): void {
  const times = readTimes()
  for (const { name, seconds } of files) times[name] = seconds
  mkdirSync(dirname(timesFile), { recursive: true })
  writeFileSync(timesFile, JSON.stringify(times))
}

/** Average seconds of a test file in the whole run, for files that have not run here yet. */
const usualSeconds = (file: string) =>
  file.startsWith('packages/server/') ? 4 : file.startsWith('packages/panel/') ? 1 : 0.2

/**
 * Returns a function that gives the seconds of a test file: of its last run here, else the average of its
 * package.
 */
export function openTimes(): (file: string) => number {
  const times = readTimes()
  return (file) => times[file] ?? usualSeconds(file)
}

/**
 * Reporter of vitest that writes the seconds of each test file, with what it prepares before its first
 * test; the JSON report of vitest counts the tests alone.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule } from 'vitest/node'
import { repositoryRoot } from '../lib/processes.ts'

/** A test file and its duration. */
export interface FileTime {
  /** Path from the root of the repository. */
  name: string
  seconds: number
}

/** Name of the environment variable with the path of the written file. */
export const timesVariable = 'TEST_TIMES_FILE'

/** Arguments with which vitest uses this reporter. */
export const timesReporter = `--reporter=${fileURLToPath(import.meta.url)}`

export default class FileTimesReporter implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[]): void {
    const file = process.env[timesVariable]
    if (file === undefined) return
    const times = testModules.map((testModule): FileTime => ({
      name: relative(repositoryRoot, testModule.moduleId).replaceAll('\\', '/'),
      seconds: testModule.diagnostic().duration / 1000,
    }))
    writeFileSync(file, JSON.stringify(times))
  }
}

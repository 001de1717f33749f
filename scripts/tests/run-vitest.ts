/** Runs the tests of one folder with vitest and counts the results of its report. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { installedProgram, repositoryRoot, run } from '../lib/processes.ts'
import { quickEnvironment } from '../lib/quick-start.ts'
import type { CountTally } from '../lib/step.ts'
import { timesReporter, timesVariable, type FileTime } from './file-times.ts'
import { noteTimes } from './test-times.ts'

/** Numbers of tests in vitest's JSON report. */
interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: FileReport[]
}

/** One test file in vitest's JSON report; the message is that of a failure outside the tests. */
interface FileReport {
  name: string
  status: string
  message: string
  assertionResults: { status: string; fullName: string }[]
}

/** JSON report of a test runner; undefined when the runner ended before it could write one. */
export function readReport<Report>(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return undefined
  }
}

/** Counts a test runner that fails without a failed test (a file that cannot be read) as one failure. */
export function addExitCode(tally: CountTally, code: number): CountTally {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

/**
 * Names what failed in a test file: its failed tests, or the file itself when it could not be read or failed
 * before or after its tests.
 *
 * @param file - The file in vitest's JSON report.
 * @returns The names.
 */
export function failuresOf({ name, status, message, assertionResults }: FileReport): string[] {
  const failedTests = assertionResults.filter((result) => result.status === 'failed').map(({ fullName }) => fullName)
  if (status !== 'failed' || failedTests.length > 0) return failedTests
  const [reason = ''] = message.split('\n', 1)
  return [`${relative(repositoryRoot, name)}: ${reason || 'failed before or after its tests'}`]
}

/** Folder of compiled modules, which the program shares (`compile-cache.mjs`). */
const compileCache = join(repositoryRoot, 'node_modules/.cache/dala')

/**
 * Runs vitest in a folder of the repository.
 *
 * @param folder - The folder with its configuration.
 * @param env - The environment of its program.
 * @param options - `show: false` returns the output with the counts instead of printing it.
 * @returns The counts.
 */
export async function runVitest(
  folder: string,
  env: NodeJS.ProcessEnv,
  { show = true }: { show?: boolean } = {},
): Promise<CountTally> {
  const reports = mkdtempSync(join(tmpdir(), 'dala-vitest-'))
  try {
    const file = join(reports, 'report.json')
    const timesFile = join(reports, 'times.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, timesReporter]
    const { code, output } = await run(installedProgram('vitest'), ['run', '--root', folder, ...reporters], {
      env: { NODE_COMPILE_CACHE: compileCache, ...quickEnvironment, ...env, [timesVariable]: timesFile },
      show,
    })
    const report = readReport<VitestReport>(file)
    const files = readReport<FileTime[]>(timesFile) ?? []
    noteTimes(files, 'TEST_DATABASE_URL' in env ? 'server' : 'embedded')
    const tally: CountTally = {
      passedCount: report?.numPassedTests ?? 0,
      failed: report?.numFailedTests ?? 0,
      skippedCount: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
      failures: (report?.testResults ?? []).flatMap(failuresOf),
      files,
      ...(!show && { output }),
    }
    return addExitCode(tally, code)
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

/** Runs chosen test files of all packages in one vitest, on the embedded database. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { installedProgram, repositoryRoot, addInstalledPrograms } from '../lib/processes.ts'
import { readRepositoryImporters } from './import-graph.ts'
import { timesReporter, timesVariable, type FileTime } from './file-times.ts'
import { readReport } from './run-vitest.ts'
import { chooseTests, isTest } from './choose-tests.ts'
import { noteTimes, openTimes } from './test-times.ts'

/** Environment without the PostgreSQL server of `npm test`: one database is enough for a quick answer. */
const embeddedEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== 'TEST_DATABASE_URL'),
)

/** Run of vitest: its process, and its exit code when it has ended. */
export interface RunningTests {
  child: ChildProcess
  code: Promise<number>
}

/** Returns the name of the workspace's project that a test file belongs to. */
const projectOf = (file: string) => file.replace(/^packages\//, '').replace(/\/.*/, '')

/**
 * Starts vitest on test files.
 *
 * @param files Paths from the root of the repository.
 * @param args More arguments of vitest.
 */
export function startTests(files: readonly string[], args: readonly string[] = []): RunningTests {
  const reports = mkdtempSync(join(tmpdir(), 'dala-tests-'))
  const timesFile = join(reports, 'times.json')
  const reporters = ['--reporter=default', timesReporter]
  // Each worker opens a database of its own, which two cores do not do faster for three.
  const workers = `--maxWorkers=${Math.min(2, availableParallelism())}`
  // Vitest does not even load projects without a chosen test file.
  const projects = [...new Set(files.map(projectOf))].map((name) => `--project=${name}`)
  const child = spawn(installedProgram('vitest'), ['run', ...reporters, workers, ...projects, ...args, ...files], {
    cwd: repositoryRoot,
    env: { ...addInstalledPrograms(embeddedEnvironment), [timesVariable]: timesFile },
    stdio: 'inherit',
  })
  const code = new Promise<number>((resolve) => {
    child.once('error', () => resolve(127))
    child.once('close', (status) => {
      // Times of a run with a title are not stored, because single tests do not measure the whole file.
      if (args.length === 0) noteTimes(readReport<FileTime[]>(timesFile) ?? [], 'few')
      rmSync(reports, { recursive: true, force: true })
      resolve(status ?? 1)
    })
  })
  return { child, code }
}

const shownFileCount = 8

/** Lists a few paths of tests, one a line, and the number of further ones. */
function nameSomeFiles(files: readonly string[]): string {
  const remainderNote = files.length > shownFileCount ? `\n  … and ${files.length - shownFileCount} more` : ''
  return `${files
    .slice(0, shownFileCount)
    .map((file) => `  ${file}`)
    .join('\n')}${remainderNote}`
}

/**
 * Chooses the tests of changed files, and prints which ones run and which are left for `npm test`.
 *
 * @param changedFiles - Paths of the changed files.
 * @returns The test files to run.
 */
export async function chooseAndPrint(changedFiles: readonly string[]): Promise<string[]> {
  const importers = await readRepositoryImporters()
  const { chosen, left } = chooseTests(changedFiles, importers, openTimes())
  const reachedFiles = changedFiles.filter((file) => isTest(file) || importers.has(file))
  const changedWithoutTests = changedFiles.filter((file) => !reachedFiles.includes(file))
  console.log(`${changedFiles.length} changed, ${chosen.length + left.length} test files depend on them.`)
  if (left.length > 0) console.log(`Left for npm test (${left.length}):\n${nameSomeFiles(left)}`)
  if (changedWithoutTests.length > 0)
    console.log(`Nothing imports, so no test was chosen for:\n${nameSomeFiles(changedWithoutTests)}`)
  if (chosen.length > 0) console.log(`Run now (${chosen.length}):\n${nameSomeFiles(chosen)}`)
  return chosen
}

/**
 * `npm run watch`: runs the tests of saved files, as `npm run test:changed` chooses them, until it is
 * stopped. Vitest's own watch mode would run every test that imports a saved file; on the server these are
 * nearly all, which takes minutes.
 */
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'
import { chooseAndPrint, type RunningTests, startTests } from './run-chosen.ts'

const folders = [
  'packages/model/src',
  'packages/server/src',
  'packages/panel/src',
  'packages/panel/build',
  'clients',
  'scripts',
]
/**
 * Milliseconds without a further save before the tests run: editors write a file in several steps, and
 * several files together.
 */
const quietMilliseconds = 200

/** Files that were saved since the last passed run of tests. */
const savedFiles = new Set<string>()
let startedTests: RunningTests | undefined
let timer: NodeJS.Timeout | undefined
/** Number of runs, so that the end of a replaced run is not taken for the end of the current one. */
let turn = 0

async function runSavedTests(): Promise<void> {
  turn += 1
  const ownTurn = turn
  if (startedTests) {
    startedTests.child.kill('SIGTERM')
    await startedTests.code
    startedTests = undefined
  }
  const knownFiles = new Set(await listFiles())
  const changedFiles = [...savedFiles].filter((file) => knownFiles.has(file))
  const chosenTests = changedFiles.length > 0 && ownTurn === turn ? await chooseAndPrint(changedFiles) : []
  if (ownTurn !== turn || chosenTests.length === 0) return
  startedTests = startTests(chosenTests)
  const code = await startedTests.code
  if (ownTurn !== turn) return
  startedTests = undefined
  if (code === 0) for (const file of changedFiles) savedFiles.delete(file)
  console.log(code === 0 ? 'Passed. Waiting for the next change …' : 'Failed. Runs again with the next change …')
}

for (const folder of folders) {
  watch(join(repositoryRoot, folder), { recursive: true }, (_event, name) => {
    const file = `${folder}/${name ?? ''}`.replaceAll('\\', '/')
    // Changes of files below node_modules do not count: vitest leaves its results there after each run.
    if (file.includes('/node_modules/')) return
    if (!/\.(tsx?|mjs|json|css|sql)$/.test(file) || !existsSync(join(repositoryRoot, file))) return
    savedFiles.add(file)
    clearTimeout(timer)
    timer = setTimeout(() => void runSavedTests(), quietMilliseconds)
  })
}
console.log('Waiting for a change …')

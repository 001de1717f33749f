/**
 * `npm run test:changed`: the most relevant tests of files changed against HEAD, or a base (`-- main`), in
 * half a minute.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listChangedFiles } from '../lib/repository.ts'
import { chooseAndPrint, startTests } from './run-chosen.ts'

const [base = 'HEAD'] = process.argv.slice(2)
const changedFiles = await listChangedFiles(base).catch((error: unknown) => {
  console.error(
    `What changed against ${base} cannot be told: ${error instanceof Error ? error.message : String(error)}`,
  )
  process.exit(2)
})
const chosenTests = await chooseAndPrint(changedFiles)
const files = chosenTests.filter((file) => existsSync(join(repositoryRoot, file)))
if (files.length === 0) console.log('No test to run.')
process.exit(files.length === 0 ? 0 : await startTests(files).code)

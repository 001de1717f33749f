/**
 * `npm run test:unit -- <part of a path, or words of a title>`: runs the matching tests on one database, the
 * embedded one.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'
import { findTests } from './find-tests.ts'
import { startTests } from './run-chosen.ts'

const args = process.argv.slice(2)
const files = (await listFiles()).filter((file) => existsSync(join(repositoryRoot, file)))
const foundTests = findTests(args, files, (file) => readFileSync(join(repositoryRoot, file), 'utf8'))
if (foundTests === undefined) {
  console.error(`No test file has "${args.join(' ')}" in its path or in a title.`)
  process.exit(2)
}
const { files: chosenFiles, title } = foundTests
const pattern = title?.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
process.exit(await startTests(chosenFiles, pattern === undefined ? [] : ['-t', pattern]).code)

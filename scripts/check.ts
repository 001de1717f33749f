/**
 * `npm run check`: all checks of the code that do not run the product. A check that passed on the
 * same files is not repeated, unless `-- --all` asks for it; `npm test` repeats all.
 */
import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { advisoryStep } from './checks/advisories.ts'
import { decisionNumbers } from './checks/decisions.ts'
import { folderSizes } from './checks/folder-sizes.ts'
import { namedFiles } from './checks/named-files.ts'
import { allFiles, openPassedChecks, type InputPart, type PassedChecks } from './checks/passed-before.ts'
import { routeContracts } from './checks/route-contracts.ts'
import { sectionReferences } from './checks/section-references.ts'
import { installedProgram, repositoryRoot, run } from './lib/processes.ts'
import { pictureDates } from './checks/picture-dates.ts'
import { plainLanguage } from './checks/plain-language.ts'
import { promisesStep } from './checks/promises.ts'
import { resourceNames } from './checks/resource-names.ts'
import { spelling } from './checks/spelling/spelling.ts'
import { failedTally, passedTally, runSteps, type CountTally, type Step } from './lib/step.ts'
import { measureDistances, readRepositoryImporters } from './tests/import-graph.ts'

interface Check extends Step {
  /** Folders whose files the outcome of the check depends on, besides the configuration in the root. */
  reads: readonly string[]
  /** Part of the source files that the outcome of the check depends on. */
  part: InputPart
  /**
   * Runs the check on those files alone that depend on the changed ones; absent where it cannot be limited.
   */
  runOnDependents?: (changedFiles: readonly string[]) => Promise<CountTally>
}

interface CheckOptions {
  printsAdvice?: boolean
  part?: InputPart
  /** Environment variables that the program of the check gets besides those of this process. */
  env?: NodeJS.ProcessEnv
}

/**
 * Creates a check from a program that ends with 0. Its output is shown when it fails, and always where it has
 * `remarks`.
 */
function check(
  name: string,
  reads: readonly string[],
  program: string,
  args: readonly string[],
  { printsAdvice: remarks = false, part = 'content', env = {} }: CheckOptions = {},
): Check {
  return {
    name,
    reads,
    part,
    independent: true,
    run: () => runProgram(program, args, { env, printsAdvice: remarks }),
  }
}

/** Runs the program of a check; it passes when the program ends with 0. */
async function runProgram(
  program: string,
  args: readonly string[],
  { printsAdvice = false, env = {} }: CheckOptions,
): Promise<CountTally> {
  const { code, output } = await run(program, args, { env: { ...process.env, ...env } })
  const tally = code === 0 ? passedTally : failedTally
  return code !== 0 || printsAdvice ? { ...tally, output } : tally
}

/**
 * Each folder of code with every folder that it imports, directly or not; a test compares them with the
 * imports.
 */
export const closures = {
  'packages/server': ['packages/server', 'packages/model'],
  'packages/panel': ['packages/panel', 'packages/model'],
  'packages/model': ['packages/model'],
  scripts: ['scripts', 'e2e', 'packages/server', 'packages/model', 'packages/panel/src/features/chat/core'],
  e2e: ['e2e', 'scripts', 'packages/server', 'packages/model'],
  clients: ['clients', 'scripts', 'e2e', 'packages/server', 'packages/model'],
} as const
const code = ['packages', 'clients', 'e2e', 'scripts']

/**
 * Folders that import the server and are small. One run of the linter checks them all, because loading the
 * server takes longer.
 */
const jointProjects = ['scripts', 'e2e', 'clients'] as const
/**
 * Memory limit near which the linter begins to collect garbage: its Go program stores types until it ends.
 */
const lintEnvironment = { GOGC: 'off', GOMEMLIMIT: `${Math.floor(totalmem() / 6 / 2 ** 20)}MiB` }

/**
 * The linter reports the errors of the compiler as well (`typeCheck`), from the types that its own rules
 * need. The types of a file depend on its imports, so after a change only files that import it are checked
 * again.
 */
const makeLintCheck = (name: string, reads: readonly string[], paths: readonly string[]): Check => ({
  ...check(`Types and lint of ${name}`, reads, installedProgram('oxlint'), paths, { env: lintEnvironment }),
  runOnDependents: async (changedFiles) => {
    const dependents = measureDistances(await readRepositoryImporters(), changedFiles).keys()
    const files = [...dependents].filter(
      (file) =>
        paths.some((path) => file === path || file.startsWith(`${path}/`)) && existsSync(join(repositoryRoot, file)),
    )
    if (files.length === 0) return { ...passedTally, output: '   no file depends on the changed ones' }
    return await runProgram(installedProgram('oxlint'), files, { env: lintEnvironment })
  },
})
const typesAndLint = [
  ...(['packages/server', 'packages/panel', 'packages/model'] as const).map((folder) =>
    makeLintCheck(folder, closures[folder], [folder]),
  ),
  makeLintCheck(
    'scripts, e2e and clients',
    jointProjects.flatMap((folder) => closures[folder]),
    [...jointProjects, 'vitest.config.ts'],
  ),
]

const rememberedChecks: readonly Check[] = [
  ...typesAndLint,
  check('Lock file', [], process.execPath, ['scripts/checks/complete-lock.ts', '--check']),
  check('Format', [allFiles], installedProgram('oxfmt'), ['--check']),
  check('Import directions', code, installedProgram('depcruise'), ['--config', '.dependency-cruiser.mjs', ...code], {
    printsAdvice: true,
    part: 'imports',
  }),
  check('Unused code', code, installedProgram('knip'), ['--cache']),
  check('Words in four languages', ['packages/model'], installedProgram('vitest'), [
    'run',
    '--root',
    'packages/model',
    'label',
    'help',
  ]),
]

/** Steps of the check whose outcome changes without a change of files, or that take no time. */
const commonSteps: readonly Step[] = [
  advisoryStep,
  promisesStep,
  resourceNames,
  routeContracts,
  sectionReferences,
  namedFiles,
  decisionNumbers,
  pictureDates,
  plainLanguage,
  spelling,
  folderSizes,
]

export const checks: readonly Step[] = [...rememberedChecks, ...commonSteps]

/**
 * Runs a check unless it passed on the same files, limited to dependents of changed files where it can be,
 * and remembers a check that passes.
 */
function unlessPassed(check: Check, passedChecks: PassedChecks): Step {
  const { name, reads, part, runOnDependents } = check
  return {
    ...check,
    run: async () => {
      if (passedChecks.has(name, reads, part)) return { ...passedTally, output: '   passed before on the same files' }
      const changedFiles = runOnDependents && passedChecks.changedSince(name, reads)
      const tally = await (changedFiles ? runOnDependents(changedFiles) : check.run())
      if (tally.failed === 0) passedChecks.add(name, reads, part)
      return tally
    },
  }
}

if (import.meta.main) {
  const passedChecks = await openPassedChecks({ forgetsStamps: process.argv.includes('--all') })
  const { failed } = await runSteps([
    ...rememberedChecks.map((check) => unlessPassed(check, passedChecks)),
    ...commonSteps,
  ])
  await passedChecks.save()
  process.exit(failed > 0 ? 1 : 0)
}

/**
 * `npm test`: checks, units, the server on both databases, small doses of the long proofs, and the end-to-end
 * tests in a browser. Counts every test of every runner; the last line is the sum.
 * `-- --only server,journeys` runs some of it, `-- --list` names the groups and steps.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBinaries, startCluster } from '../packages/server/src/testing/postgres-cluster.ts'
import { advisoryProof } from './checks/advisories.ts'
import { findBrowser } from './lib/browser.ts'
import { bundleSizeStep } from './checks/bundle-size.ts'
import { checks } from './check.ts'
import { clientSteps } from './tests/clients.ts'
import { installedProgram, run } from './lib/processes.ts'
import { quickServers } from './lib/quick-start.ts'
import { readReport, runVitest, addExitCode } from './tests/run-vitest.ts'
import { runSteps, skippedTally, type Step, type CountTally } from './lib/step.ts'
import { chooseSteps, type StepGroups } from './tests/choose-steps.ts'
import { temporaryRoot } from './tests/temporary-root.ts'
import { smallProofs } from './verify.ts'

const reports = mkdtempSync(join(temporaryRoot(), 'dala-test-'))
// Temporary files of `npm test` are deleted with its reports; PostgreSQL does not run as root and must reach
// their folder.
chmodSync(reports, 0o711)
process.env['TMPDIR'] = reports
const removeReports = () => rmSync(reports, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
// An interrupted run deletes them too: they may be in memory.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    removeReports()
    process.exit(1)
  })
}
const embeddedEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== 'TEST_DATABASE_URL'),
)

/** A file of Playwright's JSON report, or a group in it. */
interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: { title: string; ok: boolean; file: string; tests: { results: { duration: number }[] }[] }[]
}

/** Numbers and names of tests in Playwright's report. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
}

const listSpecs = ({ suites = [], specs }: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...specs,
  ...suites.flatMap(listSpecs),
]

/** Returns the seconds of all end-to-end tests of each file. */
function journeyFiles(suites: readonly PlaywrightSuite[]): { name: string; seconds: number }[] {
  const seconds = new Map<string, number>()
  for (const { file, tests } of suites.flatMap(listSpecs)) {
    const milliseconds = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0)
    seconds.set(file, (seconds.get(file) ?? 0) + milliseconds / 1000)
  }
  return [...seconds].map(([file, sum]) => ({ name: `e2e/${file}`, seconds: sum }))
}

function units(folder: string, name: string): Step {
  return { name, run: () => runVitest(folder, embeddedEnvironment) }
}

const hasServer = () => Boolean(process.env['TEST_DATABASE_URL']) || findBinaries() !== undefined

const serverOnPglite = units('packages/server', 'Server on PGlite')

/**
 * Step with the server's tests on PGlite, except those that run once: the step on PostgreSQL follows and runs
 * them.
 */
const serverOnPgliteFirst: Step = {
  ...serverOnPglite,
  run: () => runVitest('packages/server', { ...embeddedEnvironment, TEST_SERVER_FOLLOWS: 'yes' }),
}

/**
 * Step with the server's tests on a PostgreSQL server: the one named by TEST_DATABASE_URL, else a throw-away
 * cluster.
 */
const serverOnPostgres: Step = {
  name: 'Server on PostgreSQL',
  run: async () => {
    const givenUrl = process.env['TEST_DATABASE_URL']
    if (givenUrl) return await runVitest('packages/server', process.env)
    if (!hasServer()) {
      console.log('Skipped: this half needs TEST_DATABASE_URL or installed PostgreSQL programs (initdb, postgres).')
      return skippedTally
    }
    const cluster = await startCluster({ hasAutovacuum: false })
    try {
      return await runVitest('packages/server', { ...process.env, TEST_DATABASE_URL: cluster.url })
    } finally {
      await cluster.stop()
    }
  },
}

const journeys: Step = {
  name: 'Journeys in a browser',
  run: async () => {
    const file = join(reports, 'journeys.json')
    const browserSettings = { CHROMIUM_PATH: findBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: file }
    const env = { ...process.env, ...quickServers, ...browserSettings }
    const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json']
    const { code } = await run(installedProgram('playwright'), args, { env, show: true })
    const { stats, suites = [] } = readReport<PlaywrightReport>(file) ?? {}
    const tally: CountTally = {
      passedCount: stats?.expected ?? 0,
      failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
      skippedCount: stats?.skipped ?? 0,
      failures: suites
        .flatMap(listSpecs)
        .filter(({ ok }) => !ok)
        .map(({ title }) => title),
      files: journeyFiles(suites),
    }
    return addExitCode(tally, code)
  },
}

const groups: StepGroups = {
  check: checks,
  bundle: [bundleSizeStep],
  scripts: [units('scripts', 'Scripts')],
  model: [units('packages/model', 'Model')],
  panel: [units('packages/panel', 'Panel')],
  server: [serverOnPglite, serverOnPostgres],
  proofs: [advisoryProof, ...smallProofs()],
  // The last proofs run beside others, and so do these steps.
  clients: clientSteps,
  journeys: [journeys],
}

async function runChosenTests(): Promise<number> {
  const choice = chooseSteps(process.argv.slice(2), groups)
  if ('refused' in choice) {
    console.error(choice.refused)
    return 2
  }
  if ('list' in choice) {
    console.log(choice.list)
    return 0
  }
  const isFollowed = hasServer() && choice.steps.includes(serverOnPostgres)
  const steps = choice.steps.map((step) => (isFollowed && step === serverOnPglite ? serverOnPgliteFirst : step))
  const { failed } = await runSteps(steps, { parallel: 3, times: true })
  return failed > 0 ? 1 : 0
}

const code = await runChosenTests()
removeReports()
process.exit(code)

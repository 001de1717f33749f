/**
 * `npm test`: checks, units, the server on both databases, small doses of the long proofs and the browser journeys.
 * Counts every test of every runner; the last line is the sum.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries, startCluster } from '../packages/server/src/testing/postgres-cluster.ts'
import { advisoryProof } from './advisories.ts'
import { findBrowser } from './browser.ts'
import { bundleSizeStep } from './bundle-size.ts'
import { checks } from './check.ts'
import { clientSteps } from './clients.ts'
import { installedProgram, run } from './processes.ts'
import { readReport, runVitest, withExitCode } from './run-vitest.ts'
import { runSteps, skippedOne, type Step, type Tally } from './step.ts'
import { proofs } from './verify.ts'

const reports = mkdtempSync(join(tmpdir(), 'dala-test-'))
// Whatever a step leaves in the folder for temporary files goes with the reports. PostgreSQL, which does not run as
// root, has its own folder in it and must get there.
chmodSync(reports, 0o711)
process.env['TMPDIR'] = reports
const embeddedOnly = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'TEST_DATABASE_URL'))

/** A file of Playwright's JSON report, or a group in it. */
interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: { title: string; ok: boolean }[]
}

/** What that report says about numbers and names. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
}

const failuresOf = ({ suites = [], specs }: PlaywrightSuite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ title }) => title),
  ...suites.flatMap(failuresOf),
]

function units(folder: string, name: string): Step {
  return { name, run: () => runVitest(folder, embeddedOnly) }
}

/** The same suite on a PostgreSQL server: the one named by TEST_DATABASE_URL, else a throw-away cluster. */
const serverOnPostgres: Step = {
  name: 'Server on PostgreSQL',
  run: async () => {
    const given = process.env['TEST_DATABASE_URL']
    if (given) return await runVitest('packages/server', process.env)
    if (findBinaries() === undefined) {
      console.log('Skipped: this half needs TEST_DATABASE_URL or installed PostgreSQL programs (initdb, postgres).')
      return skippedOne
    }
    const cluster = await startCluster()
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
    const env = { ...process.env, CHROMIUM_PATH: findBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: file }
    const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json']
    const { code } = await run(installedProgram('playwright'), args, { env, show: true })
    const { stats, suites = [] } = readReport<PlaywrightReport>(file) ?? {}
    const tally: Tally = {
      passed: stats?.expected ?? 0,
      failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
      skipped: stats?.skipped ?? 0,
      failures: suites.flatMap(failuresOf),
    }
    return withExitCode(tally, code)
  },
}

const steps: readonly Step[] = [
  ...checks,
  bundleSizeStep,
  units('packages/model', 'Model'),
  units('packages/panel', 'Panel'),
  units('packages/server', 'Server on PGlite'),
  serverOnPostgres,
  ...clientSteps,
  advisoryProof,
  ...proofs('small'),
  journeys,
]

const { failed } = await runSteps(steps)
rmSync(reports, { recursive: true, force: true })
process.exit(failed > 0 ? 1 : 0)

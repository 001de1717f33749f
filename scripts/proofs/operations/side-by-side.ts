/**
 * Proof that the former version of the program may run beside this one, for each migration that declares it
 * (`-- rolling-update: yes`). A former version works on a PostgreSQL server; this one starts on the same database
 * and migrates it while visitors read and write; then both answer in turn. Versions come from the history of
 * the repository, back to the first declaring migration or the last one that declares no.
 * `node scripts/proofs/operations/side-by-side.ts --seconds 15`
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries, startCluster } from '../../../packages/server/src/testing/postgres-cluster.ts'
import { option } from '../../lib/filled-database.ts'
import { type RunningServer, startServer, temporaryFolder } from '../../lib/server-process.ts'
import { findFormerVersions, type FormerVersion, unpackVersion } from './former-versions.ts'
import { type Instance, SharedWork } from './shared-work.ts'

const visitors = 3

interface Outcome {
  harmless: boolean
  skipped: boolean
}

type Result = 'harmless' | 'harmful' | 'skipped'

/** Runs one former version beside this one, and prints what became of the requests. */
async function runBeside({ commit, lacking, staysReady }: FormerVersion, seconds: number): Promise<Result> {
  const name = `the version before ${lacking.join(', ')} (${commit.slice(0, 8)})`
  const folder = temporaryFolder('former')
  const servers: RunningServer[] = []
  const cluster = await startCluster()
  try {
    const others = await unpackVersion(commit, folder)
    if (others.length > 0) {
      console.log(`   skipped: ${name} needs ${others.join(', ')}`)
      return 'skipped'
    }
    const env = { DATABASE_URL: cluster.url, JWT_SECRET: randomBytes(24).toString('hex') }
    const former = await startServer({ root: folder, seed: 'samples', env })
    servers.push(former)
    const instances: Instance[] = [{ name: 'former', url: former.url }]
    const work = await SharedWork.start(instances, visitors)
    await pause(seconds * 250)
    const present = await startServer({ seed: 'none', env })
    servers.push(present)
    instances.push({ name: 'present', url: present.url })
    await pause(seconds * 1_000)
    const ready = (await fetch(`${former.url}/ready`)).status
    await work.stop()
    for (const failure of work.failures.slice(0, 8)) console.log(`   ${failure}`)
    const counts = [...work.requests].map(([instance, count]) => `${count} by the ${instance} one`).join(' and ')
    console.log(
      `   ${name} beside this one: ${counts}, ${work.writeCount} writes, ${work.failures.length} failed or read otherwise; ` +
        `/ready of the former one answers ${ready}${staysReady ? '' : ' (it reads no declarations and may answer 503)'}`,
    )
    const hasWorked = work.failures.length === 0 && work.writeCount > 0 && work.requests.size === 2
    return hasWorked && (ready === 200 || !staysReady) ? 'harmless' : 'harmful'
  } finally {
    for (const server of servers) await server.close()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the outcome of all versions; without one that was tested the proof is skipped, and shows nothing. */
export const outcomeOf = (results: readonly Result[]): Outcome => ({
  harmless: !results.includes('harmful'),
  skipped: results.every((result) => result === 'skipped'),
})

/**
 * Runs the proof and prints its figures.
 *
 * @param seconds - Seconds for which both versions answer.
 * @returns Whether every request succeeded and each version read what the other one wrote; skipped when no version
 *   could be tested.
 */
export async function sideBySide(seconds: number): Promise<Outcome> {
  if (findBinaries() === undefined) {
    console.log('   skipped: PostgreSQL is not installed')
    return { harmless: true, skipped: true }
  }
  const versions = await findFormerVersions()
  if (versions.length === 0) {
    console.log('   skipped: no former version in the history of the repository, or the last migration declares no')
    return { harmless: true, skipped: true }
  }
  const results: Result[] = []
  for (const version of versions) results.push(await runBeside(version, seconds))
  return outcomeOf(results)
}

if (import.meta.main) {
  const { harmless, skipped } = await sideBySide(Number(option('--seconds') ?? 15))
  process.exit(harmless && !skipped ? 0 : 1)
}

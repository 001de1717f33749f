/**
 * Proof that a fail-over of PostgreSQL loses nothing. Two instances behind Caddy write through one address of a
 * database whose standby confirms each commit. The database dies under load, the standby takes over, and the
 * address leads to it. `node scripts/proofs/operations/failover.ts`
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseRoute } from '../../../packages/server/src/testing/database-route.ts'
import { startCluster } from '../../../packages/server/src/testing/postgres-cluster.ts'
import { type Standby, startStandby } from '../../../packages/server/src/testing/standby.ts'
import { freePort } from '../../lib/processes.ts'
import { type RunningServer, startServer, temporaryFolder } from '../../lib/server-process.ts'
import { findCaddy, startCaddy } from './caddy.ts'
import { printFailures, SteadyLoad } from './steady-load.ts'

const visitors = 4
/** Milliseconds of load before and after the fail-over. */
const loadMs = 5_000
/** Most milliseconds without an acknowledged write after the standby has taken over. */
const limit = 10_000
/** Statuses that say that nothing was written, and that a client may try again. */
const refusals = new Set([503, 507])

/**
 * Runs the proof and prints its figures.
 *
 * @returns Whether no acknowledged write was lost, each failure was a refusal, and writes went on in time.
 */
export async function failover(): Promise<{ harmless: boolean; skipped: boolean }> {
  const program = findCaddy()
  if (program === undefined) {
    console.log('   skipped: Caddy is not installed (Debian package caddy)')
    return { harmless: true, skipped: true }
  }
  const primary = await startCluster({ isDurable: true })
  const route = new DatabaseRoute(primary.url)
  const instances: RunningServer[] = []
  let standby: Standby | undefined
  let proxy: Awaited<ReturnType<typeof startCaddy>> | undefined
  try {
    await route.open()
    const env = { DATABASE_URL: route.url, JWT_SECRET: randomBytes(24).toString('hex'), TRUSTED_PROXIES: '127.0.0.1' }
    for (const name of ['one', 'two'])
      instances.push(
        await startServer({ seed: 'reference', env, port: await freePort(), dataDir: temporaryFolder(name) }),
      )
    standby = await startStandby(primary.url)
    proxy = await startCaddy(
      program,
      instances.map(({ port }) => port),
    )
    const load = await SteadyLoad.start(proxy.url, visitors)
    await pause(loadMs)
    const killed = performance.now()
    await primary.kill()
    await standby.promote()
    const promoted = performance.now()
    route.redirect(standby.url)
    await load.nextWrite()
    const recovered = load.lastWrite - promoted
    await pause(loadMs)
    await load.stop()
    printFailures(load.failures)
    const { lost, doubled } = await load.check()
    const unclear = load.failures.filter(({ status }) => status === undefined || !refusals.has(status)).length
    console.log(
      `   standby ready ${Math.round(promoted - killed)} ms after the death, first write ${Math.round(recovered)} ms later; ` +
        `${load.requestCount} requests, ${load.failures.length} refused, ${unclear} of them not with 503 or 507; ` +
        `${load.writeCount} writes acknowledged, ${lost.length} lost, ${doubled.length} doubled`,
    )
    const harmless = lost.length + doubled.length === 0 && unclear === 0 && recovered <= limit
    return { harmless, skipped: false }
  } finally {
    await proxy?.close()
    for (const instance of instances) await instance.close()
    await route.cut()
    await standby?.stop()
    await primary.stop()
  }
}

if (import.meta.main) process.exit((await failover()).harmless ? 0 : 1)

/**
 * Proof that a rolling restart fails no request. Two instances on one PostgreSQL server behind Caddy, with the
 * settings of `deploy/`; one after the other is stopped and started while visitors read and write.
 * `node scripts/proofs/operations/rolling-restarts.ts --restarts 20`
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startCluster } from '../../../packages/server/src/testing/postgres-cluster.ts'
import { freePort } from '../../lib/processes.ts'
import { type RunningServer, startServer, temporaryFolder } from '../../lib/server-process.ts'
import { findCaddy, startCaddy } from './caddy.ts'
import { printFailures, SteadyLoad } from './steady-load.ts'

const visitors = 4
/** Seconds in which a stopping instance still answers: the proxy asks each second whether it is ready. */
const drainSeconds = 3
/** Milliseconds after which the proxy knows that a started instance is ready. */
const healthMs = 5_000

interface Outcome {
  harmless: boolean
  skipped: boolean
}

/** Ends a server like a service manager, and returns its exit code. */
async function endGracefully({ child }: RunningServer): Promise<number | null> {
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  return exit
}

/**
 * Runs the proof and prints its figures.
 *
 * @param restarts - Number of restarts, in turn.
 * @returns Whether no request failed, no write was lost or doubled, and every stop was clean.
 */
export async function rollingRestarts(restarts: number): Promise<Outcome> {
  const program = findCaddy()
  if (program === undefined) {
    console.log('   skipped: Caddy is not installed (Debian package caddy)')
    return { harmless: true, skipped: true }
  }
  const cluster = await startCluster({ isDurable: true })
  const env = {
    DATABASE_URL: cluster.url,
    JWT_SECRET: randomBytes(24).toString('hex'),
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: String(drainSeconds),
  }
  const start = async (port: number, dataDir: string) => startServer({ seed: 'reference', env, port, dataDir })
  const instances: RunningServer[] = []
  let proxy: Awaited<ReturnType<typeof startCaddy>> | undefined
  try {
    for (const name of ['one', 'two']) instances.push(await start(await freePort(), temporaryFolder(name)))
    proxy = await startCaddy(
      program,
      instances.map(({ port }) => port),
    )
    const load = await SteadyLoad.start(proxy.url, visitors)
    const codes: (number | null)[] = []
    let longestStop = 0
    for (let turn = 0; turn < restarts; turn += 1) {
      const place = turn % instances.length
      const instance = instances[place] as RunningServer
      const signalled = performance.now()
      codes.push(await endGracefully(instance))
      longestStop = Math.max(longestStop, performance.now() - signalled)
      instances[place] = await start(instance.port, instance.dataDir)
      await pause(healthMs)
    }
    await load.stop()
    printFailures(load.failures)
    const { lost, doubled } = await load.check()
    const unclean = codes.filter((code) => code !== 0).length
    console.log(
      `   ${restarts} restarts, ${load.requestCount} requests, ${load.failures.length} failed; ${load.writeCount} writes acknowledged, ` +
        `${lost.length} lost, ${doubled.length} doubled; slowest stop ${Math.round(longestStop)} ms, ${unclean} stops unclean`,
    )
    const harmless =
      load.failures.length === 0 && load.writeCount > 0 && lost.length + doubled.length === 0 && unclean === 0
    return { harmless, skipped: false }
  } finally {
    await proxy?.close()
    for (const instance of instances) await instance.close()
    await cluster.stop()
  }
}

if (import.meta.main) {
  const position = process.argv.indexOf('--restarts')
  const { harmless } = await rollingRestarts(position >= 0 ? Number(process.argv[position + 1]) : 20)
  process.exit(harmless ? 0 : 1)
}

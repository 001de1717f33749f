/**
 * Proof that a stop takes at most 2 s at any moment. Starts the server on a prepared database again and again
 * and stops it at moments spread over its first second and a half, while a client polls for readiness; then
 * reads its output. Both databases.
 * `node scripts/proofs/stop-anytime.ts --stops 20`
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { freePort, repositoryRoot } from '../lib/processes.ts'
import {
  ownerEmail,
  startArgs,
  startServer,
  temporaryFolder,
  trialEnvironment,
  trialPassword,
} from '../lib/server-process.ts'

/**
 * Milliseconds after the port is open over which the stops of the server are spread, and the time limit of
 * each.
 */
const messageCount = 1_500
const limit = 2_000

interface ServerStop {
  /** Milliseconds from the open port to the signal that stops the server, and from the signal to the end. */
  after: number
  durationMs: number
  code: number | null
  errors: readonly string[]
}

type DatabaseEnvironment = Readonly<Record<string, string>>

const isError = (line: string) => /"level":"(error|fatal)"|^The start failed/.test(line)

/** Starts the server and stops it once, at a given moment. */
async function stopServerAfter(
  delayMs: number,
  dataDir: string,
  databaseEnv: DatabaseEnvironment,
): Promise<ServerStop> {
  const port = await freePort()
  const settings = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, SEED: 'none', OWNER_EMAIL: ownerEmail }
  const child = spawn(process.execPath, startArgs, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: repositoryRoot,
    env: trialEnvironment({ ...settings, OWNER_PASSWORD: trialPassword, ...databaseEnv }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const childExit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const requestReady = () => fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined)
  while (child.exitCode === null && !(await requestReady())) await pause(10)
  const signalTime = performance.now() + delayMs
  while (child.exitCode === null && performance.now() < signalTime) {
    await requestReady()
    await pause(10)
  }
  const signalMoment = performance.now()
  child.kill('SIGTERM')
  const code = await childExit
  return {
    after: delayMs,
    durationMs: performance.now() - signalMoment,
    code,
    errors: output.split('\n').filter(isError),
  }
}

/**
 * Starts and stops the server many times on one database.
 *
 * @returns The stops that were late, unclean, or left an error in the log.
 */
async function countStops(
  name: string,
  count: number,
  databaseEnv: DatabaseEnvironment,
): Promise<readonly ServerStop[]> {
  const dataDir = temporaryFolder('stops')
  try {
    const firstServer = await startServer({ dataDir, seed: 'none', env: databaseEnv })
    await firstServer.close()
    const serverStops: ServerStop[] = []
    for (let turn = 0; turn < count; turn += 1)
      serverStops.push(
        await stopServerAfter(Math.round((messageCount * turn) / Math.max(1, count - 1)), dataDir, databaseEnv),
      )
    const slowest = Math.max(...serverStops.map(({ durationMs: stopTime }) => stopTime))
    const failedStops = serverStops.filter(
      ({ durationMs: stopTime, code, errors }) => stopTime > limit || code !== 0 || errors.length > 0,
    )
    console.log(
      `${name}: ${count} stops, the slowest in ${Math.round(slowest)} ms, ${failedStops.length} not as promised`,
    )
    for (const { after, durationMs: stopTime, code, errors } of failedStops)
      console.log(
        `  after ${after} ms: ${Math.round(stopTime)} ms, code ${code}${errors.map((line) => `\n    ${line}`).join('')}`,
      )
    return failedStops
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Stops the server this many times on each database.
 *
 * @returns Whether every stop was quick and clean.
 */
export async function proveStops(count: number): Promise<{ harmless: boolean }> {
  const failedStops = [...(await countStops('Embedded database', count, {}))]
  if (findBinaries() !== undefined) {
    const cluster = await startCluster({ isDurable: true })
    try {
      failedStops.push(...(await countStops('PostgreSQL server', count, { DATABASE_URL: cluster.url })))
    } finally {
      await cluster.stop()
    }
  }
  return { harmless: failedStops.length === 0 }
}

if (import.meta.main) {
  const position = process.argv.indexOf('--stops')
  const count = position >= 0 ? Number(process.argv[position + 1]) : 20
  const { harmless } = await proveStops(count)
  process.exit(harmless ? 0 : 1)
}

/**
 * Proof that a graceful stop drops no request. One instance is stopped with SIGTERM and started again and again
 * while visitors read and write on connections that they keep, and slow writers send the rest of a request when
 * the stop has begun. Each request is answered, or its connection is refused. Both databases.
 * `node scripts/proofs/operations/graceful-stops.ts --stops 50`
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries, startCluster } from '../../../packages/server/src/testing/postgres-cluster.ts'
import { option } from '../../lib/filled-database.ts'
import { freePort, stop } from '../../lib/processes.ts'
import { signIn, startServer, temporaryFolder } from '../../lib/server-process.ts'
import { type FailedRequest, printFailures, SteadyLoad } from './steady-load.ts'

const visitors = 4
const slowWriters = 4
/** Milliseconds between the two halves of a slow request. */
const slowMs = 1_000
/** Longest milliseconds from the last start to the next stop: stops meet the load at different moments. */
const longestCalm = 800

/** A port that nobody listens on, or a server that is starting or stopping and says so. */
const isRefusal = ({ status, reason }: FailedRequest) =>
  status === undefined ? reason.includes('ECONNREFUSED') : status === 503

interface SlowAnswer {
  status: number
  body: string
}

/** Sends a record in two halves on a connection of its own; the server has the first one when it resolves. */
async function openSlowWrite(url: string, token: string) {
  const title = `Slow ${randomUUID()}`
  const body = JSON.stringify({ data: { title, description: title } })
  const call = request(`${url}/api/news?locale=en`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  })
  const answer = new Promise<SlowAnswer>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }))
    })
  })
  // The server asks for the body once it has accepted the request.
  const accepted = new Promise<void>((resolve) => call.once('continue', () => resolve()))
  call.flushHeaders()
  await Promise.race([accepted, answer])
  const middle = Math.floor(body.length / 2)
  call.write(body.slice(0, middle))
  return { title, answer, sendRest: () => call.end(body.slice(middle)) }
}

/** Stops and starts the server of one database under load. */
async function stopOn(name: string, env: Readonly<Record<string, string>>, stops: number): Promise<boolean> {
  const dataDir = temporaryFolder('graceful')
  const port = await freePort()
  const settings = { JWT_SECRET: randomBytes(24).toString('hex'), ...env }
  const start = () => startServer({ seed: 'reference', dataDir, port, env: settings })
  let server = await start()
  try {
    const token = await signIn(server.url)
    const load = await SteadyLoad.start(server.url, visitors)
    let longestStop = 0
    let uncleanCount = 0
    let slowDropped = 0
    for (let turn = 0; turn < stops; turn += 1) {
      await load.nextWrite()
      await pause((longestCalm * turn) / Math.max(1, stops - 1))
      const slowWrites = await Promise.all(Array.from({ length: slowWriters }, () => openSlowWrite(server.url, token)))
      const signalled = performance.now()
      const stopped = stop(server.child)
      await pause(slowMs)
      for (const { sendRest } of slowWrites) sendRest()
      const answers = await Promise.allSettled(slowWrites.map(({ answer }) => answer))
      slowDropped += answers.filter((answer) => answer.status === 'rejected' || answer.value.status >= 300).length
      if ((await stopped) !== 0) uncleanCount += 1
      longestStop = Math.max(longestStop, performance.now() - signalled)
      server = await start()
    }
    await load.nextWrite()
    await load.stop()
    const dropped = load.failures.filter((failure) => !isRefusal(failure))
    printFailures(load.failures)
    const { lost, doubled } = await load.check()
    console.log(
      `   ${name}: ${stops} stops, ${load.requestCount} requests, ${dropped.length} dropped, ${load.failures.length - dropped.length} refused; ` +
        `${stops * slowWriters} slow writes, ${slowDropped} dropped; ${load.writeCount} writes acknowledged, ${lost.length} lost, ${doubled.length} doubled; ` +
        `slowest stop ${Math.round(longestStop)} ms, ${uncleanCount} stops unclean`,
    )
    return dropped.length + slowDropped + uncleanCount + lost.length + doubled.length === 0 && load.writeCount > 0
  } finally {
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Runs the proof and prints its figures.
 *
 * @param stops - Number of stops on each database.
 * @returns Whether no request was dropped, no write was lost or doubled, and every stop was clean.
 */
export async function gracefulStops(stops: number): Promise<{ harmless: boolean }> {
  const results = [await stopOn('embedded database', {}, stops)]
  if (findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed: only the embedded database was examined')
    return { harmless: results.every(Boolean) }
  }
  const cluster = await startCluster({ isDurable: true })
  try {
    results.push(await stopOn('PostgreSQL server', { DATABASE_URL: cluster.url }, stops))
  } finally {
    await cluster.stop()
  }
  return { harmless: results.every(Boolean) }
}

if (import.meta.main) process.exit((await gracefulStops(Number(option('--stops') ?? 50))).harmless ? 0 : 1)

/**
 * Proof that no request breaks the server. Sends random requests, drawn from the API document and the model,
 * to a server of its own. None may be answered with a 5xx, every refusal has the shape of contract §1, and
 * the memory of the process returns to its start.
 * `node scripts/fuzz/fuzz.ts --requests 100000 --seed 7`, `--on server` for PostgreSQL, `--only 4711` for
 * that one request of a seed.
 */
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { readJson, signInAllRoles, surveyServer } from './server-state.ts'
import { type FuzzRequest, requestAt } from './requests.ts'
import { type RunningServer, startServer } from '../lib/server-process.ts'

const parallelCount = 8
const maxGrowth = 50 * 1_048_576
/** Minimum share of successful requests: with fewer, a run would prove little. */
const leastSuccesses = 0.1
const answerLimit = 60_000

interface Answer {
  status: number
  type: string
  bytes: Buffer
}

interface FuzzFlaw {
  index: number
  request: FuzzRequest
  flawText: string
}

interface ServerMemory {
  rss: number
  heapUsed: number
}

const agent = new Agent({ keepAlive: true, maxSockets: parallelCount })

/**
 * Sends a random request unchanged.
 *
 * @throws When the connection breaks or no answer arrives in time.
 */
async function send(port: number, fuzzRequest: FuzzRequest, isSecondTry = false): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const { method, path, headers, bytes } = fuzzRequest
    const length = bytes === undefined ? {} : { 'content-length': bytes.length }
    const sentRequest = httpRequest({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, ...length },
    })
    sentRequest.setTimeout(answerLimit, () => sentRequest.destroy(new Error(`No answer within ${answerLimit} ms`)))
    sentRequest.once('response', (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (chunk: Buffer) => parts.push(chunk))
      answer.once('error', reject)
      answer.once('end', () => {
        const bytes = Buffer.concat(parts)
        const encoding = answer.headers['content-encoding']
        const plainBytes =
          encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'br' ? brotliDecompressSync(bytes) : bytes
        resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', bytes: plainBytes })
      })
    })
    sentRequest.once('error', (error) => {
      // A reused connection that the server closes at the moment of the next request is not an answer.
      if (sentRequest.reusedSocket && !isSecondTry) resolve(send(port, fuzzRequest, true))
      else reject(error)
    })
    sentRequest.end(bytes)
  })
}

const names: Readonly<Record<number, readonly string[]>> = {
  400: ['ValidationError', 'ApplicationError'],
  401: ['UnauthorizedError'],
  403: ['ForbiddenError'],
  404: ['NotFoundError'],
  409: ['ConflictError'],
  413: ['PayloadTooLargeError'],
  422: ['UnprocessableEntityError'],
  429: ['RateLimitError'],
}

/** Returns the violation of contract §1 in an answer; undefined when there is none. */
function flawOf({ status, type, bytes }: Answer, { method, path }: FuzzRequest): string | undefined {
  if (status >= 500) return `status ${status}`
  // Refusals on the path of Socket.IO have the format of its own protocol.
  if (path.startsWith('/socket.io')) return undefined
  if ((status >= 200 && status < 300) || (status === 304 && bytes.length === 0)) return undefined
  if (status < 400) return `status ${status}`
  // Refusals of shared pages are pages too: people without an account read them.
  if (path.startsWith('/api/statistics/shared/') && type.startsWith('text/html')) return undefined
  if (!type.startsWith('application/json')) return `a refusal of type "${type}"`
  if (method === 'HEAD') return undefined
  let body: { data?: unknown; error?: Record<string, unknown> }
  try {
    body = JSON.parse(bytes.toString()) as typeof body
  } catch {
    return `a ${status} that is no JSON`
  }
  const { error } = body
  const isShaped =
    body.data === null &&
    error?.['status'] === status &&
    typeof error['name'] === 'string' &&
    names[status]?.includes(error['name']) !== false &&
    typeof error['message'] === 'string' &&
    error['message'] !== '' &&
    typeof error['details'] === 'object' &&
    error['details'] !== null
  return isShaped ? undefined : `a ${status} without the shape of an error`
}

interface BackupList {
  data: { state: string; proof: { state: string } }[]
}

/** Takes a backup, as an owner does, as soon as no other one is taken or proved. */
async function takeBackup(server: RunningServer, token: string): Promise<void> {
  const deadline = Date.now() + answerLimit
  for (;;) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${server.url}/api/system/backups`, { method: 'POST', headers })
    if (answer.ok) return
    // The lock of a backup ends shortly after its row says that it is complete.
    if (answer.status !== 409 || Date.now() > deadline)
      throw new Error(`A backup was refused with ${answer.status}: ${await answer.text()}`)
    await pause(100)
  }
}

/** Waits until no backup is taken or proved any more: its copy of the database is in memory meanwhile. */
async function waitForBackups(server: RunningServer, token: string): Promise<void> {
  const deadline = Date.now() + answerLimit
  for (;;) {
    const { data } = (await readJson(server, '/api/system/backups', token)) as BackupList
    if (data.every(({ state, proof }) => state !== 'running' && proof.state !== 'running')) return
    if (Date.now() > deadline) throw new Error('A backup does not end.')
    await pause(100)
  }
}

async function memoryOf(server: RunningServer, token: string): Promise<ServerMemory> {
  await waitForBackups(server, token)
  return (await readJson(server, '/fuzz/memory', token)) as ServerMemory
}

const formatMegabytes = (bytes: number) => (bytes / 1_048_576).toFixed(0)

/** Returns a random request as text that repeats it, without tokens. */
function describeFlaw({ index, request: { method, path, headers, bytes }, flawText: description }: FuzzFlaw): string {
  const { authorization = 'none', ...otherHeaders } = headers
  const body = bytes === undefined ? '' : `\n      body ${JSON.stringify(bytes.toString('latin1').slice(0, 1_500))}`
  const token = authorization.startsWith('Bearer ey') ? 'a token' : authorization.slice(0, 40)
  return `request ${index}: ${description}\n      ${method} ${path}\n      authorization: ${token}, ${JSON.stringify(otherHeaders)}${body}`
}

interface Outcome {
  isHarmless: boolean
}

/**
 * Runs the proof of random requests, and prints figures and flaws.
 *
 * @param requests - Number of requests.
 * @param seed - Seed of the draws.
 * @param env - More settings of the server.
 * @param onlyName - Number of the only request to send, to repeat it.
 * @returns Figures, and whether no request broke the server.
 * @throws When the server cannot be started.
 */
export async function fuzz(
  requests: number,
  seed: number,
  env: Readonly<Record<string, string>> = {},
  onlyName?: number,
): Promise<Outcome> {
  const preload = join(import.meta.dirname, '../lib/memory-route.ts')
  const throttleSettings = { LOGIN_THROTTLE: '10000/1s', ADDRESS_THROTTLE: '10000/1s', REGISTER_THROTTLE: '20/1s' }
  const server = await startServer({
    seed: 'reference',
    preload,
    isAsInstalled: true,
    env: { LOG_LEVEL: 'error', ...throttleSettings, ...env },
  })
  try {
    const { tokens, own } = await signInAllRoles(server)
    const state = await surveyServer(server, tokens.owner, own)
    const statuses = new Map<number, number>()
    const methods = new Map<string, { sent: number; done: number }>()
    const foundFlaws: FuzzFlaw[] = []
    let nextIndex = 0
    const worker = async (end: number): Promise<void> => {
      while (nextIndex < end && server.child.exitCode === null) {
        const index = nextIndex
        nextIndex += 1
        const request = requestAt(seed, index, state, tokens)
        try {
          const answer = await send(server.port, request)
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          const { sent, done } = methods.get(request.method) ?? { sent: 0, done: 0 }
          methods.set(request.method, { sent: sent + 1, done: done + (answer.status < 300 ? 1 : 0) })
          const flawText = flawOf(answer, request)
          if (flawText !== undefined) foundFlaws.push({ index, request, flawText })
        } catch (error) {
          foundFlaws.push({ index, request, flawText: error instanceof Error ? error.message : String(error) })
        }
      }
    }
    const sendRequestsUntil = (end: number) => Promise.all(Array.from({ length: parallelCount }, () => worker(end)))
    if (onlyName !== undefined) {
      const request = requestAt(seed, onlyName, state, tokens)
      const { status, bytes } = await send(server.port, request)
      console.log(
        `   ${describeFlaw({ index: onlyName, request, flawText: `${status} ${bytes.toString().slice(0, 2_000)}` })}`,
      )
      console.log(server.output())
      return { isHarmless: status < 500 }
    }
    // The first random requests fill caches and compile code, and the first backup leaves the process with memory that
    // the next one uses again: memory is compared after them.
    const warmUpRequests = Math.min(10_000, Math.floor(requests / 2))
    await sendRequestsUntil(warmUpRequests)
    await takeBackup(server, tokens.owner)
    const memoryBefore = await memoryOf(server, tokens.owner)
    const startMoment = performance.now()
    await sendRequestsUntil(requests)
    const requestsPerSecond = (requests - warmUpRequests) / ((performance.now() - startMoment) / 1_000)
    for (const [role, token] of Object.entries(tokens))
      await readJson(server, '/api/users/me', token).catch((error: unknown) => {
        throw new Error(`The proof lost its own session (${role}): later requests proved nothing`, { cause: error })
      })
    const memoryAfter = await memoryOf(server, tokens.owner)

    const countStatuses = (minStatus: number, endStatus: number) =>
      [...statuses].reduce((sum, [status, count]) => (status >= minStatus && status < endStatus ? sum + count : sum), 0)
    const successCount = countStatuses(200, 300)
    const memoryGrowth = memoryAfter.rss - memoryBefore.rss
    console.log(
      `   ${nextIndex} requests to ${state.routes.length} routes, seed ${seed}, ${requestsPerSecond.toFixed(0)} a second`,
    )
    const counts = [...statuses].toSorted(([one], [other]) => one - other)
    console.log(`   ${counts.map(([status, count]) => `${status}: ${count}`).join(', ')}`)
    console.log(
      `   with success: ${[...methods].map(([name, { sent, done }]) => `${name} ${done} of ${sent}`).join(', ')}`,
    )
    console.log(
      `   memory ${formatMegabytes(memoryBefore.rss)} MB after ${warmUpRequests} requests, ${formatMegabytes(memoryAfter.rss)} MB at the end ` +
        `(heap ${formatMegabytes(memoryBefore.heapUsed)} and ${formatMegabytes(memoryAfter.heapUsed)} MB)`,
    )
    console.log(
      `   ${countStatuses(500, 600)} answers of status 5xx (${statuses.get(503) ?? 0} of them 503), ${foundFlaws.length} flaws`,
    )
    for (const foundFlaw of foundFlaws.slice(0, 10)) console.log(`   ${describeFlaw(foundFlaw)}`)
    if (foundFlaws.length > 0) console.log(`   The server said:\n${server.output().slice(0, 6_000)}`)
    const isHarmless =
      foundFlaws.length === 0 && memoryGrowth <= maxGrowth && successCount >= nextIndex * leastSuccesses
    return { isHarmless: isHarmless && nextIndex === requests && server.child.exitCode === null }
  } finally {
    agent.destroy()
    await server.close()
  }
}

if (import.meta.main) {
  const option = (name: string): string | undefined => {
    const position = process.argv.indexOf(name)
    return position >= 0 ? process.argv[position + 1] : undefined
  }
  const requests = Number(option('--requests') ?? 100_000)
  const seed = Number(option('--seed') ?? 7)
  const onlyName = option('--only')
  const isOnServer = option('--on') === 'server'
  if (isOnServer && findBinaries() === undefined) {
    console.error('This needs installed PostgreSQL programs (initdb, postgres).')
    process.exit(2)
  }
  const cluster = isOnServer ? await startCluster({ isDurable: true }) : undefined
  try {
    const env = cluster ? { DATABASE_URL: cluster.url } : {}
    const { isHarmless: isSafe } = await fuzz(
      requests,
      seed,
      env,
      onlyName === undefined ? undefined : Number(onlyName),
    )
    process.exitCode = isSafe ? 0 : 1
  } finally {
    await cluster?.stop()
  }
}

/**
 * `npm run bench`: the most frequent requests, on the embedded database and on PostgreSQL, with 10,000 news
 * in four languages, of which the translation memory and the reports have read everything before.
 *
 * Prints requests a second, p50, p99 and errors at 1 and 32 connections, next to two ceilings of the same
 * run: the same process that answers a constant of equal size, and a bare server that sends the result of one
 * hand-written statement. Compare ratios between machines, not figures. `--only <part of a name>` runs fewer
 * cases, `--on server` or `--on embedded` one database. The whole bench ends with the latency of the chat and
 * its search among a million messages.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { completeFilled, option } from '../lib/filled-database.ts'
import { fillSql } from '../lib/filled-rows.ts'
import { type LoadFigures, measure, memoryOf } from './load.ts'
import { benchCases, type BenchCase } from './statements.ts'
import { chatLatency, fullLatencyDose } from './chat-latency.ts'
import { chatSearch } from './chat-search.ts'
import { freePort, stop } from '../lib/processes.ts'
import {
  ownerEmail,
  type RunningServer,
  signIn,
  startServer,
  temporaryFolder,
  trialEnvironment,
  trialPassword,
} from '../lib/server-process.ts'

const newsCount = 10_000
const seconds = 1.5
const connectionCounts = [1, 32] as const

const onlyName = option('--only')

/** Location of a measured database: an address, or the folder of the embedded one. */
type BenchPlace = { env: { DATABASE_URL: string } | Record<string, never>; dataDir: string }

const preload = join(import.meta.dirname, 'constant.ts')
const start = ({ env, dataDir }: BenchPlace) => startServer({ seed: 'reference', dataDir, env, preload })

/** Seeds and fills an empty database of the bench while no server runs on it. */
async function fill(benchPlace: BenchPlace): Promise<void> {
  const seededServer = await start(benchPlace)
  await seededServer.close()
  const { DATABASE_URL: url } = benchPlace.env
  const place = url === undefined ? { dataDir: benchPlace.dataDir } : { url }
  const database = await openDatabase(place, { parts: engineParts })
  // A single database session fills the tables: a temporary table belongs to one session, and request limits
  // do not apply.
  await database.session(async (session) => {
    await session.script(`set statement_timeout = 0; begin; ${fillSql(newsCount)}; commit`)
  })
  await completeFilled(database)
  await database.close()
}

/**
 * Starts a server with hand-written statements on the measured database, which answers the cases of the
 * bench.
 */
async function startBareServer(
  { env, dataDir }: BenchPlace,
  cases: readonly BenchCase[],
): Promise<{ url: string; close: () => Promise<unknown> }> {
  const port = await freePort()
  const statements = Object.fromEntries(
    cases.flatMap(({ path, handWrittenSql: byHand }) => (byHand === undefined ? [] : [[path, byHand]])),
  )
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    env: trialEnvironment({ ...env, DATA_DIR: dataDir, PORT: String(port), STATEMENTS: JSON.stringify(statements) }),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let waitedTurns = 0; waitedTurns < 200; waitedTurns += 1) {
    if (
      await fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, close: () => stop(child) }
    await pause(50)
  }
  await stop(child)
  throw new Error('The bare server was not ready within 10 s')
}

interface Answer {
  data?: { id: number } | { id: number }[]
  meta?: { pagination?: { total?: number } }
}

async function ask(
  url: string,
  { method, path, body }: BenchCase,
  token: string,
): Promise<{ text: string; answer: Answer }> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was refused with ${response.status}: ${text.slice(0, 500)}`)
  return { text, answer: JSON.parse(text) as Answer }
}

/**
 * Returns the part of an answer in which the bare server and the product must agree for a fair comparison.
 */
const readComparedParts = ({ data, meta }: Answer) =>
  JSON.stringify([Array.isArray(data) ? data.map(({ id }) => id) : data?.id, meta?.pagination])

async function listCases(server: RunningServer): Promise<{ cases: readonly BenchCase[]; token: string }> {
  const token = await signIn(server.url)
  const readFirstIds = async (resource: string, count: number) => {
    const path = `/api/${resource}?locale=ru&pagination[limit]=${count}&fields=locale`
    const { answer } = await ask(server.url, { name: resource, method: 'GET', path }, token)
    const recordIds = Array.isArray(answer.data) ? answer.data.map(({ id }) => id) : []
    if (recordIds.length < count) throw new Error(`There are too few ${resource}`)
    return recordIds
  }
  const [[newsId = 0], [region = 0], tags] = [
    await readFirstIds('news', 1),
    await readFirstIds('regions', 1),
    await readFirstIds('tags', 3),
  ]
  const ids = { news: newsId, region, tags }
  const cases = benchCases(ids, { identifier: ownerEmail, password: trialPassword })
  return { cases: cases.filter(({ name }) => onlyName === undefined || name.includes(onlyName)), token }
}

interface Result {
  measuredLoad: LoadFigures
  constantFigures: LoadFigures
  bytes: number
  bareServer?: LoadFigures | undefined
}

type BareServer = Awaited<ReturnType<typeof startBareServer>>

/**
 * Measures all requests of the benchmark on one filled database.
 *
 * @returns Whether no request was refused.
 */
async function runBench(name: string, benchPlace: BenchPlace): Promise<boolean> {
  await fill(benchPlace)
  const firstServer = await start(benchPlace)
  const { cases, token } = await listCases(firstServer)
  const expectedAnswers = new Map<BenchCase, string>()
  for (const benchCase of cases)
    if (benchCase.handWrittenSql !== undefined)
      expectedAnswers.set(benchCase, readComparedParts((await ask(firstServer.url, benchCase, token)).answer))
  await firstServer.close()

  const measureBareServer = async (
    { url }: BareServer,
    benchCase: BenchCase,
    connections: number,
  ): Promise<LoadFigures | undefined> => {
    if (benchCase.handWrittenSql === undefined) return undefined
    const { answer } = await ask(url, benchCase, token)
    if (readComparedParts(answer) !== expectedAnswers.get(benchCase))
      throw new Error(`${benchCase.name}: the statement by hand answers something else`)
    return measure({ ...benchCase, url, token, connections, seconds })
  }
  const benchRuns = cases.flatMap((benchCase) =>
    connectionCounts.map((connections) => ({ one: benchCase, connections })),
  )
  // The bare server uses the embedded database first and ends before the product starts: one process owns it.
  const runsTogether = benchPlace.env.DATABASE_URL !== undefined
  const singleRuns: (LoadFigures | undefined)[] = []
  let bareServer: BareServer | undefined = await startBareServer(benchPlace, cases)
  if (!runsTogether) {
    for (const { one, connections } of benchRuns) singleRuns.push(await measureBareServer(bareServer, one, connections))
    await bareServer.close()
    bareServer = undefined
  }

  const startMoment = performance.now()
  const server = await start(benchPlace)
  const readyTime = performance.now() - startMoment
  const results: Result[] = []
  try {
    for (const [index, { one, connections }] of benchRuns.entries()) {
      const bytes = Buffer.byteLength((await ask(server.url, one, token)).text)
      const measuredLoad = await measure({ ...one, url: server.url, token, connections, seconds })
      const path = `/bench/constant?bytes=${bytes}`
      const constantFigures = await measure({ url: server.url, token, connections, seconds, method: 'GET', path })
      const handWrittenFigures = bareServer ? await measureBareServer(bareServer, one, connections) : singleRuns[index]
      results.push({
        measuredLoad,
        constantFigures,
        bytes,
        bareServer: handWrittenFigures,
      })
    }
    const serverMemory = memoryOf(server.child.pid)
    console.log(
      `\n${name}: ready in ${(readyTime / 1_000).toFixed(2)} s on an existing database, ${serverMemory ?? '?'} MiB after the load\n`,
    )
  } finally {
    await bareServer?.close()
    await server.close()
  }
  console.log(
    '| What | connections | bytes | requests/s | p50 ms | p99 ms | errors | of the constant | of the bare statement |',
  )
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|')
  for (const [index, { one, connections }] of benchRuns.entries()) {
    const result = results[index]
    if (result) console.log(`| ${one.name} | ${connections} | ${row(result)} |`)
  }
  return results.every(
    ({ measuredLoad: productLoad, constantFigures: constant, bareServer: byHand }) =>
      productLoad.errors + constant.errors + (byHand?.errors ?? 0) === 0,
  )
}

function row({ measuredLoad: productLoad, constantFigures: constant, bytes, bareServer: bareLoad }: Result): string {
  const { requestsPerSecond: perSecond, p50, p99, errors } = productLoad
  const computeShare = (ceiling: LoadFigures) =>
    `${(perSecond / ceiling.requestsPerSecond).toFixed(2)} of ${ceiling.requestsPerSecond.toFixed(0)}`
  return [
    bytes,
    perSecond.toFixed(0),
    p50,
    p99,
    errors,
    computeShare(constant),
    bareLoad ? computeShare(bareLoad) : '–',
  ].join(' | ')
}

let isClean = true
const on = option('--on')
if (on !== 'server') {
  const dataDir = temporaryFolder('bench')
  try {
    isClean = await runBench('Embedded database (PGlite)', { env: {}, dataDir })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
if (on !== 'embedded' && findBinaries() === undefined) {
  console.log('\nPostgreSQL: skipped, no installed PostgreSQL programs (initdb, postgres).')
} else if (on !== 'embedded') {
  const cluster = await startCluster({ isDurable: true })
  const dataDir = temporaryFolder('bench')
  try {
    isClean = (await runBench('PostgreSQL server', { env: { DATABASE_URL: cluster.url }, dataDir })) && isClean
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
    await cluster.stop()
  }
}
if (onlyName === undefined && on !== 'server') isClean = (await chatLatency(fullLatencyDose)) && isClean
if (onlyName === undefined && on !== 'embedded' && findBinaries())
  isClean = (await chatSearch(1_000_000, 10)) && isClean
process.exit(isClean ? 0 : 1)

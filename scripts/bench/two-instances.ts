/**
 * `npm run two-instances`: the gain from a second server on the same PostgreSQL.
 *
 * Prints requests a second of one server with all connections while the other one is idle, and of both with
 * half of the connections each, and the CPU time of a server for each request. The kernel gives each server a
 * share of one core (`--share 20`, in percent), so that the servers are the limit and not the machine, which
 * the database and the client use as well. `--seconds` sets how long each request is made. The exit code is 1
 * when two servers answer fewer than 1.6 times the requests of one.
 */
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { fillSql } from '../lib/filled-rows.ts'
import { type Load, measure } from './load.ts'
import { limitCpu } from './cpu-quota.ts'
import { cpuOf } from './cpu-time.ts'
import { option } from '../lib/filled-database.ts'
import { type RunningServer, signIn, startServer } from '../lib/server-process.ts'

const newsCount = 2_000
/** Number of news that the servers update in turn. */
const updatedCount = 500
const connections = 16
const seconds = Number(option('--seconds') ?? 5)
const cpuShare = Number(option('--share') ?? 20) / 100
/** Seconds at full speed before a server is limited: code is compiled and statements are prepared. */
const warmUp = 3
/** Seconds at full speed for the first requests of a fresh server, which take several times as long. */
const warmUpLength = 12
/** Minimum ratio between the requests of two servers and those of one. */
const minGain = 1.6

/** Kind of request that the servers are loaded with. */
type Request = Pick<Load, 'method' | 'path' | 'body'> & { name: string }

interface Outcome {
  requestsPerSecond: number
  /** CPU milliseconds that a server used for each request. */
  cpu: number
  errors: number
}

/** Loads the servers in parallel, each with its part of the connections. */
async function loadServers(servers: readonly RunningServer[], request: Request, token: string): Promise<Outcome> {
  const ids = servers.map(({ child }) => child.pid ?? 0)
  const serverLoads = servers.map(({ url }) => ({
    ...request,
    url,
    token,
    connections: (connections * 2) / servers.length,
  }))
  await Promise.all(serverLoads.map((load) => measure({ ...load, seconds: warmUp })))
  const cpuQuotas = ids.map((pid) => limitCpu(pid, cpuShare))
  const formerCpu = ids.map(cpuOf)
  let measuredLoads: Awaited<ReturnType<typeof measure>>[]
  try {
    measuredLoads = await Promise.all(serverLoads.map((load) => measure({ ...load, seconds })))
  } finally {
    for (const cpuQuota of cpuQuotas) cpuQuota.end()
  }
  const cpu = ids.reduce((sum, pid, index) => sum + cpuOf(pid) - (formerCpu[index] ?? 0), 0)
  const requestsPerSecond = measuredLoads.reduce((sum, measuredLoad) => sum + measuredLoad.requestsPerSecond, 0)
  // The requests of the half-second warm-up are added, because its CPU time counts as well.
  const requests = requestsPerSecond * (seconds + 0.5)
  return {
    requestsPerSecond: requestsPerSecond,
    cpu: cpu / requests,
    errors: measuredLoads.reduce((sum, measuredLoad) => sum + measuredLoad.errors, 0),
  }
}

/** Returns the mean of two measurements of servers, and the sum of their errors. */
function meanOf([firstOutcome, otherOutcome]: readonly [Outcome, Outcome]): Outcome {
  return {
    requestsPerSecond: (firstOutcome.requestsPerSecond + otherOutcome.requestsPerSecond) / 2,
    cpu: (firstOutcome.cpu + otherOutcome.cpu) / 2,
    errors: firstOutcome.errors + otherOutcome.errors,
  }
}

async function compareServers(url: string): Promise<boolean> {
  const env = { DATABASE_URL: url, JWT_SECRET: 'two-instances-0000000000000000000000000' }
  const seededServer = await startServer({ seed: 'reference', env })
  await seededServer.close()
  const database = await openDatabase({ url })
  await database.session(async (session) => {
    await session.script(`set statement_timeout = 0; begin; ${fillSql(newsCount, 10)}; commit`)
    await session.script('vacuum analyze')
  })
  const rows = (await database.script(
    `select id from news_texts where locale = 'ru' order by id limit ${updatedCount}`,
  )) as { id: number }[]
  await database.close()
  const populatedQuery = 'populate[region]=true&populate[tags]=true'
  const items = rows.map(({ id }) => `/api/news/${id}`)
  const requests: readonly Request[] = [
    { name: 'one item with region and tags', method: 'GET', path: `${items[0]}?${populatedQuery}` },
    {
      name: 'list of 15, newest first, total',
      method: 'GET',
      path: `/api/news?locale=ru&sort=createdAt:desc&${populatedQuery}`,
    },
    // Updates of one record wait for each other in the database, however many servers there are.
    { name: 'update', method: 'PUT', path: items, body: JSON.stringify({ data: { title: 'Новость [<id>]' } }) },
  ]
  const servers: RunningServer[] = []
  let isClean = true
  try {
    let token = ''
    const startWarmServers = async () => {
      const server = await startServer({ seed: 'reference', env })
      servers.push(server)
      token ||= await signIn(server.url)
      for (const request of requests)
        await measure({ ...request, url: server.url, token, connections, seconds: warmUpLength })
    }
    await startWarmServers()
    await startWarmServers()
    console.log(`Each server may use ${cpuShare * 100} % of one core.\n`)
    console.log('| Request | one, requests/s | two | gain | CPU ms a request, one | two |')
    console.log('|---|--:|--:|--:|--:|--:|')
    for (const request of requests) {
      // Measurements run with one, two, two and one server, because drift of the machine then affects both
      // equally.
      const singleOutcome = await loadServers(servers.slice(0, 1), request, token)
      const meanOfBoth = meanOf([
        await loadServers(servers, request, token),
        await loadServers(servers, request, token),
      ])
      const singleMean = meanOf([singleOutcome, await loadServers(servers.slice(1), request, token)])
      const speedGain = meanOfBoth.requestsPerSecond / singleMean.requestsPerSecond
      isClean &&= speedGain >= minGain && meanOfBoth.errors + singleMean.errors === 0
      const rateText = `${singleMean.requestsPerSecond.toFixed(0)} | ${meanOfBoth.requestsPerSecond.toFixed(0)} | ${speedGain.toFixed(2)}`
      console.log(`| ${request.name} | ${rateText} | ${singleMean.cpu.toFixed(2)} | ${meanOfBoth.cpu.toFixed(2)} |`)
    }
  } finally {
    for (const server of servers) await server.close()
  }
  return isClean
}

if (findBinaries() === undefined) {
  console.log('PostgreSQL is not installed.')
} else {
  const cluster = await startCluster({ isDurable: true })
  try {
    process.exitCode = (await compareServers(cluster.url)) ? 0 : 1
  } finally {
    await cluster.stop()
  }
}

/**
 * `npm run unit-costs`: what one unit of the chat costs on PostgreSQL, for the calculation in `docs/scaling.md`.
 *
 * Prints the CPU time of the servers and of the database for each message, with both people on one server and on two,
 * the bytes that a message leaves in the tables and in the log of the database, the CPU time of a sign-in, and the
 * memory of an open socket. `--messages` sets how many there are.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '../../packages/server/src/db/database.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { option } from '../lib/filled-database.ts'
import { openRoomOf } from '../proofs/chat/crowd.ts'
import { type RunningServer, signIn, startServer } from '../lib/server-process.ts'
import { ChatClient } from '../simulate/client.ts'
import { ClientSocket } from '../simulate/client-socket.ts'
import { makeCast, mapInParallel, type TestCast } from '../simulate/people.ts'
import { CountTally } from '../simulate/tally.ts'
import { cpuOf, cpuOfFamily } from './cpu-time.ts'

const messageCount = Number(option('--messages') ?? 4_000)
const pairCount = 40
/** A person may have five sockets on an instance; the first one of each loads code. */
const firstSocketCount = 2 * pairCount
const socketCount = 4 * firstSocketCount
const signInCount = 40
/** Messages of each room before the measurement: code is compiled and statements are prepared. */
const warmUpMessages = 15
/** Milliseconds in which connections, receipts and counters of the database settle. */
const settleTime = 3_000
const memoryRoute = join(import.meta.dirname, '../lib/memory-route.ts')

/** Units of use that a measurement compares before and after. */
interface Use {
  serverCpu: number
  databaseCpu: number
  logBytes: number
  tableBytes: number
}

/** Reads what the servers and the database have used so far. */
async function readUse(database: Database, servers: readonly RunningServer[]): Promise<Use> {
  const [row] = await database.query(sql<{ pid: number; log: number; tables: number }>`
    select pg_backend_pid() as pid,
           pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as log,
           (select sum(pg_total_relation_size(c.oid))::float8 from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where c.relkind = 'r' and n.nspname = 'public') as tables`)
  if (!row) throw new Error('The database has not answered')
  return {
    serverCpu: servers.reduce((sum, { child }) => sum + cpuOf(child.pid ?? 0), 0),
    databaseCpu: cpuOfFamily(row.pid),
    logBytes: row.log,
    tableBytes: row.tables,
  }
}

/** Measures what a task uses, for each of its units. */
async function costOf(
  database: Database,
  servers: readonly RunningServer[],
  units: number,
  runTask: () => Promise<unknown>,
): Promise<Use> {
  const before = await readUse(database, servers)
  await runTask()
  await pause(settleTime)
  const after = await readUse(database, servers)
  const each = (key: keyof Use) => (after[key] - before[key]) / units
  return {
    serverCpu: each('serverCpu'),
    databaseCpu: each('databaseCpu'),
    logBytes: each('logBytes'),
    tableBytes: each('tableBytes'),
  }
}

interface Pair {
  room: number
  asks: ChatClient
  answers: ChatClient
}

/** Opens a room for each customer with a consultant; both watch it, each on a server. */
async function openPairs({ customers, consultants }: TestCast, urls: readonly [string, string]): Promise<Pair[]> {
  const tally = new CountTally()
  return mapInParallel(customers, 4, async (customer, index) => {
    const consultant = consultants[index]
    if (!consultant) throw new Error('Nobody answers')
    const asks = new ChatClient(customer, tally, { url: urls[0], token: customer.token })
    const answers = new ChatClient(consultant, tally, { url: urls[1], token: consultant.token })
    const room = await openRoomOf(urls[0], customer, consultant)
    await asks.rooms.watch(room)
    await answers.rooms.watch(room)
    return { room, asks, answers }
  })
}

/** Lets both people of every room write in turn. */
async function talk(pairs: readonly Pair[], messagesOfRoom: number): Promise<void> {
  await Promise.all(
    pairs.map(async ({ room, asks, answers }) => {
      for (let turn = 0; turn < messagesOfRoom; turn += 1)
        await (turn % 2 === 0 ? asks : answers).send(room, {
          text: `Message ${turn} of a length that people write in a chat, more or less.`,
        })
    }),
  )
}

/** Returns the memory that the objects of a server use, in KiB. */
async function memoryOf({ url }: RunningServer): Promise<number> {
  const { heapUsed, external } = (await (await fetch(`${url}/fuzz/memory`)).json()) as NodeJS.MemoryUsage
  return (heapUsed + external) / 1_024
}

/** Opens sockets of people in turn, and waits until all are connected. */
async function openSockets(url: string, people: TestCast['customers'], count: number): Promise<ClientSocket[]> {
  const sockets = Array.from({ length: count }, (_item, index) => {
    const socket = new ClientSocket({ url, token: people[index % people.length]?.token ?? '' })
    socket.open()
    return socket
  })
  const deadline = Date.now() + 60_000
  while (sockets.some(({ isConnected }) => !isConnected)) {
    if (Date.now() > deadline) throw new Error('Sockets were not opened')
    await pause(100)
  }
  await pause(settleTime)
  return sockets
}

/** Measures the memory of a server for each open socket, in KiB; the first sockets load its code. */
async function measureSockets(server: RunningServer, { customers, consultants }: TestCast): Promise<number> {
  const people = [...customers, ...consultants]
  const firstSockets = await openSockets(server.url, people, firstSocketCount)
  const before = await memoryOf(server)
  const sockets = await openSockets(server.url, people, socketCount)
  const memory = ((await memoryOf(server)) - before) / socketCount
  for (const socket of [...firstSockets, ...sockets]) socket.close()
  return memory
}

const formatCpu = (value: number) => value.toFixed(2)
const formatBytes = (value: number) => `${Math.round(value)}`

async function measureUnits(url: string): Promise<void> {
  const env = { DATABASE_URL: url, JWT_SECRET: 'unit-costs-0000000000000000000000000000', LOG_LEVEL: 'warn' }
  const servers = [await startServer({ seed: 'none', env }), await startServer({ seed: 'none', env })] as const
  const database = await openDatabase({ url })
  const [firstServer, otherServer] = servers
  try {
    const cast = await makeCast(firstServer.url, await signIn(firstServer.url), {
      customers: pairCount,
      consultants: pairCount,
    })
    console.log(`${messageCount} messages in ${pairCount} rooms, two servers on PostgreSQL\n`)
    console.log('| Unit | CPU ms of the servers | CPU ms of the database | Bytes of its log | Bytes of its tables |')
    console.log('|---|--:|--:|--:|--:|')
    const row = (name: string, cost: Use) =>
      console.log(
        `| ${name} | ${formatCpu(cost.serverCpu)} | ${formatCpu(cost.databaseCpu)} | ${formatBytes(cost.logBytes)} | ${formatBytes(cost.tableBytes)} |`,
      )
    for (const [name, urls] of [
      ['message, both people on one server', [firstServer.url, firstServer.url]],
      ['message, each person on another server', [firstServer.url, otherServer.url]],
    ] as const) {
      const pairs = await openPairs(cast, urls)
      try {
        await talk(pairs, warmUpMessages)
        row(name, await costOf(database, servers, messageCount, () => talk(pairs, messageCount / pairCount)))
      } finally {
        for (const { asks, answers } of pairs) for (const client of [asks, answers]) client.close()
      }
    }
    const signInTask = () =>
      mapInParallel(Array.from({ length: signInCount }, String), 4, () => signIn(firstServer.url))
    row('sign-in', await costOf(database, servers, signInCount, signInTask))
    row('pause of three seconds', await costOf(database, servers, 1, () => Promise.resolve()))
    const freshServer = await startServer({ seed: 'none', env, preload: memoryRoute })
    try {
      const memory = await measureSockets(freshServer, cast)
      console.log(`\nMemory of an open socket: ${memory.toFixed(0)} KiB (${socketCount} sockets)`)
    } finally {
      await freshServer.close()
    }
  } finally {
    await database.close()
    for (const server of servers) await server.close()
  }
}

if (findBinaries() === undefined) {
  console.log('PostgreSQL is not installed.')
  process.exitCode = 1
} else {
  const cluster = await startCluster({ isDurable: true })
  try {
    await measureUnits(cluster.url)
  } finally {
    await cluster.stop()
  }
}

/** The connection between instances that breaks while it is being restored. */
import { Server } from 'socket.io'
import { afterEach, expect, test } from 'vitest'
import { DatabaseRoute } from '../../testing/database-route.ts'
import { createTestDatabase } from '../../testing/databases.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { joinCluster } from './socket-adapter.ts'

const closeCalls: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of closeCalls.splice(0).toReversed()) await end()
})

/** The fate of a request to listen: its connection ends, or nothing is ever answered. */
type Fault = 'cut' | 'drop'

/**
 * Opens a route to the database on which the first request to listen meets a fault; later requests pass and are
 * counted.
 */
async function openDisturbedRoute(target: string, fault: Fault) {
  let requestCount = 0
  const route = new DatabaseRoute(target, (request) =>
    request.includes('LISTEN') && (requestCount += 1) === 1 ? fault : 'pass',
  )
  await route.open()
  closeCalls.push(() => route.cut())
  return { url: route.url, countPassed: () => requestCount - 1 }
}

/** A socket server that joins the others of the database. */
function openInstance(url: string): Server {
  const cluster = joinCluster(url, () => {})
  const io = new Server({ adapter: cluster.adapter })
  closeCalls.push(async () => {
    await io.of('/').adapter.close()
    await cluster.close()
  })
  return io
}

// The adapter requests a connection for each failure: a cut one ends, and its request to listen fails.
test.each<[string, Fault, number]>([
  ['loses its connection', 'cut', 2],
  ['gets no answer', 'drop', 1],
])('sends events, and receives each of them once, after the request to listen %s', async (_title, fault, attempts) => {
  const name = `adapter_${process.env.VITEST_POOL_ID ?? '0'}`
  const target = await createTestDatabase(process.env.TEST_DATABASE_URL ?? '', name)
  const nearServer = openInstance(target)
  const route = await openDisturbedRoute(target, fault)
  const farServer = openInstance(route.url)
  const [nearEvents, farEvents]: [number[], number[]] = [[], []]
  nearServer.on('signal', (round: number) => nearEvents.push(round))
  farServer.on('signal', (round: number) => farEvents.push(round))
  const sendRound = (round: number) => {
    for (const server of [nearServer, farServer]) server.serverSideEmit('signal', round)
  }
  let lastRound = 0
  await waitUntil(() => expect(route.countPassed()).toBeGreaterThanOrEqual(attempts))
  await waitUntil(() => {
    sendRound((lastRound += 1))
    for (const events of [nearEvents, farEvents]) expect(events.length).toBeGreaterThan(0)
  })
  sendRound((lastRound += 1))
  await waitUntil(() => {
    for (const events of [nearEvents, farEvents]) expect(events.at(-1)).toBe(lastRound)
  })
  for (const events of [nearEvents, farEvents]) expect(events).toEqual([...new Set(events)])
})

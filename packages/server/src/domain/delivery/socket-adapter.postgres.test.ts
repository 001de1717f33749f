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

/** Opens a route to the database on which each fault meets one request to listen; later requests pass. */
async function openDisturbedRoute(target: string, faults: Fault[]): Promise<string> {
  const route = new DatabaseRoute(target, (request) => (request.includes('LISTEN') && faults.shift()) || 'pass')
  await route.open()
  closeCalls.push(() => route.cut())
  return route.url
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

test.each<[string, Fault[]]>([
  ['loses its connection twice', ['cut', 'cut']],
  ['gets no answer', ['drop']],
])('sends events, and receives each of them once, after the request to listen %s', async (_title, faults) => {
  const name = `adapter_${process.env.VITEST_POOL_ID ?? '0'}`
  const target = await createTestDatabase(process.env.TEST_DATABASE_URL ?? '', name)
  const nearServer = openInstance(target)
  const farServer = openInstance(await openDisturbedRoute(target, faults))
  const [nearEvents, farEvents]: [number[], number[]] = [[], []]
  nearServer.on('signal', (round: number) => nearEvents.push(round))
  farServer.on('signal', (round: number) => farEvents.push(round))
  const sendRound = (round: number) => {
    for (const server of [nearServer, farServer]) server.serverSideEmit('signal', round)
  }
  let lastRound = 0
  await waitUntil(() => {
    sendRound((lastRound += 1))
    for (const events of [nearEvents, farEvents]) expect(events.length).toBeGreaterThan(0)
  })
  expect(faults).toEqual([])
  sendRound((lastRound += 1))
  await waitUntil(() => {
    for (const events of [nearEvents, farEvents]) expect(events.at(-1)).toBe(lastRound)
  })
  for (const events of [nearEvents, farEvents]) expect(events).toEqual([...new Set(events)])
})

/** The connection between instances that breaks while it is being restored. */
import { connect, createServer, type Socket } from 'node:net'
import { Server } from 'socket.io'
import { afterEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/databases.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { joinCluster } from './socket-adapter.ts'

const closeCalls: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of closeCalls.splice(0).toReversed()) await end()
})

/** The answer of a route to the request to listen: the connection ends, or nothing is ever answered. */
type Fault = 'cut' | 'silence'

/**
 * A route to the database. Each fault of the list meets one request to listen; the requests after them pass.
 */
async function openRoute(target: URL, faults: Fault[]): Promise<URL> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const onwardSocket = connect(Number(target.port || 5_432), target.hostname)
    for (const end of [socket, onwardSocket]) {
      sockets.add(end)
      end.on('error', () => {})
    }
    onwardSocket.pipe(socket)
    socket.on('end', () => onwardSocket.end())
    socket.on('data', (bytes) => {
      const fault = bytes.includes('LISTEN') ? faults.shift() : undefined
      if (fault === 'cut') for (const end of [socket, onwardSocket]) end.destroy()
      else if (fault === undefined) onwardSocket.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeCalls.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return url
}

/** A socket server that joins the others of the database. */
function openInstance(url: URL): Server {
  const cluster = joinCluster(url.href, () => {})
  const io = new Server({ adapter: cluster.adapter })
  closeCalls.push(async () => {
    await io.of('/').adapter.close()
    await cluster.close()
  })
  return io
}

test.each<[string, Fault[]]>([
  ['loses its connection twice', ['cut', 'cut']],
  ['gets no answer', ['silence']],
])('sends events, and receives each of them once, after the request to listen %s', async (_title, faults) => {
  const name = `adapter_${process.env.VITEST_POOL_ID ?? '0'}`
  const target = new URL(await createTestDatabase(process.env.TEST_DATABASE_URL ?? '', name))
  const nearServer = openInstance(target)
  const farServer = openInstance(await openRoute(target, faults))
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

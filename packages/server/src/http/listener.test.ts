import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Listener, openListener } from './listener.ts'

let listener: Listener | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await listener?.close(0)
})

/**
 * Connects to the server and sends a request.
 *
 * @returns The first line of the answer; empty when the connection is cut instead.
 */
function ask({ port }: Listener, headers = ''): Promise<{ line: string; socket: Socket }> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  return new Promise((resolve) => {
    const done = (line: string) => resolve({ line, socket })
    socket.once('data', (data) => done(data.toString().split('\r\n')[0] ?? ''))
    socket.once('close', () => done(''))
    socket.once('error', () => done(''))
    socket.write(`GET /health HTTP/1.1\r\nhost: a\r\n${headers}\r\n`)
  })
}

/** Returns the number of connections that the server knows of. */
const countOf = ({ server }: Listener) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

test('limits the wait for the headers, the whole request and the next request of a connection', async () => {
  listener = await openListener(0, '127.0.0.1')
  expect(listener.server).toMatchObject({ headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 65_000 })
})

test.each([
  ['/health', 200, { status: 'ok' }],
  ['/health/', 200, { status: 'ok' }],
  ['/health?by=probe', 200, { status: 'ok' }],
  ['/ready', 503, { status: 'starting' }],
  ['/ready?by=probe', 503, { status: 'starting' }],
  ['/api/auth/local', 503, { error: { status: 503, code: 'server.unavailable' } }],
])('answers %s with %d while the application is not loaded yet', async (path, status, body) => {
  listener = await openListener(0, '127.0.0.1')
  const answer = await fetch(`http://127.0.0.1:${listener.port}${path}`)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject(body)
})

test('limits the connections of one address, and accepts a new connection when another ends', async () => {
  const open = await openListener(0, '127.0.0.1', { perClient: 3 })
  listener = open
  const [first] = [await ask(open), await ask(open), await ask(open)]
  expect(first.line).toBe('HTTP/1.1 200 OK')
  expect((await ask(open)).line).toBe('')
  first.socket.destroy()
  await expect.poll(async () => (await ask(open)).line).toBe('HTTP/1.1 200 OK')
})

describe('a close', () => {
  test('ends the connection of an open request after its answer, and idle connections immediately', async () => {
    const open = await openListener(0, '127.0.0.1')
    listener = open
    const pending: ((body?: string) => void)[] = []
    open.use(
      createServer((_request, response) => {
        // The headers of the answer were sent, and allow the client to keep the connection.
        response.flushHeaders()
        pending.push(() => response.end('done'))
      }),
    )
    const asking = await ask(open)
    const silent = connect(open.port, '127.0.0.1')
    sockets.push(silent)
    await once(silent, 'connect')
    await expect.poll(() => countOf(open)).toBe(2)
    const closed = open.close(3_600_000)
    await once(silent.resume(), 'close')
    pending[0]?.()
    await closed
    await once(asking.socket.resume(), 'close')
  })
})

describe('behind a proxy', () => {
  const behind = () => openListener(0, '127.0.0.1', { perClient: 3, trustedProxies: ['127.0.0.0/8'] })
  const from = (client: string) => `x-forwarded-for: ${client}\r\n`

  test('counts the connections of a trusted proxy for no client', async () => {
    listener = await behind()
    for (let turn = 0; turn < 8; turn += 1)
      expect((await ask(listener, from(`203.0.113.${turn}`))).line).toBe('HTTP/1.1 200 OK')
  })

  test('limits the open requests and sockets of each client behind a proxy separately', async () => {
    const open = await behind()
    listener = open
    const pending: (() => void)[] = []
    const application = createServer((_request, response) => void pending.push(() => response.end()))
    application.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    })
    open.use(application)
    const greedy = from('203.0.113.1')
    const upgrade = `${greedy}connection: upgrade\r\nupgrade: websocket\r\n`
    const upgraded = await ask(open, upgrade)
    expect(upgraded.line).toBe('HTTP/1.1 101 Switching Protocols')
    const waiting = [ask(open, greedy), ask(open, greedy)]
    await expect.poll(() => pending.length).toBe(2)
    expect((await ask(open, greedy)).line).toBe('HTTP/1.1 503 Service Unavailable')
    expect((await ask(open, upgrade)).line).toBe('')
    const other = ask(open, from('203.0.113.2'))
    await expect.poll(() => pending.length).toBe(3)
    for (const answer of pending) answer()
    for (const { line } of await Promise.all([...waiting, other])) expect(line).toBe('HTTP/1.1 200 OK')
    pending.length = 0
    const again = ask(open, greedy)
    await expect.poll(() => pending.length).toBe(1)
    pending[0]?.()
    expect((await again).line).toBe('HTTP/1.1 200 OK')
  })

  test('ignores the forwarded address of a client that is not behind the proxy', async () => {
    const open = await openListener(0, '127.0.0.1', { perClient: 3, trustedProxies: ['10.0.0.0/8'] })
    listener = open
    for (let turn = 0; turn < 3; turn += 1)
      expect((await ask(open, from(`203.0.113.${turn}`))).line).toBe('HTTP/1.1 200 OK')
    expect((await ask(open, from('203.0.113.9'))).line).toBe('')
  })
})

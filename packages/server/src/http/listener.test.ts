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
    const resolveLine = (line: string) => resolve({ line, socket })
    socket.once('data', (data) => resolveLine(data.toString().split('\r\n')[0] ?? ''))
    socket.once('close', () => resolveLine(''))
    socket.once('error', () => resolveLine(''))
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
  const openServer = await openListener(0, '127.0.0.1', { connectionsPerClient: 3 })
  listener = openServer
  const [firstAnswer] = [await ask(openServer), await ask(openServer), await ask(openServer)]
  expect(firstAnswer.line).toBe('HTTP/1.1 200 OK')
  expect((await ask(openServer)).line).toBe('')
  firstAnswer.socket.destroy()
  await expect.poll(async () => (await ask(openServer)).line).toBe('HTTP/1.1 200 OK')
})

describe('a close', () => {
  test('ends the connection of an open request after its answer, and idle connections a little later', async () => {
    const openServer = await openListener(0, '127.0.0.1')
    listener = openServer
    const pendingAnswers: ((body?: string) => void)[] = []
    openServer.use(
      createServer((_request, response) => {
        // The headers of the answer were sent, and allow the client to keep the connection.
        response.flushHeaders()
        pendingAnswers.push(() => response.end('done'))
      }),
    )
    const askingSocket = await ask(openServer)
    const silentSocket = connect(openServer.port, '127.0.0.1')
    sockets.push(silentSocket)
    await once(silentSocket, 'connect')
    await expect.poll(() => countOf(openServer)).toBe(2)
    const closeCall = openServer.close(3_600_000)
    await once(silentSocket.resume(), 'close')
    pendingAnswers[0]?.()
    await closeCall
    await once(askingSocket.socket.resume(), 'close')
  })
})

describe('a request that has arrived before a close', () => {
  const answered = async (socket: Socket): Promise<string> => {
    const [data] = (await once(socket, 'data')) as [Buffer]
    return data.toString().split('\r\n')[0] ?? ''
  }
  const request = 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n'

  test('is answered on a connection that the program has not seen yet', async () => {
    listener = await openListener(0, '127.0.0.1')
    const socket = connect(listener.port, '127.0.0.1')
    sockets.push(socket)
    // The system completes the connection within the tick in which it is opened.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    const closeCall = listener.close(3_600_000)
    socket.write(request)
    expect(await answered(socket)).toBe('HTTP/1.1 200 OK')
    await closeCall
  })

  test('waits until the port has ended, so that its client opens no connection that the end would cut', async () => {
    const openServer = await openListener(0, '127.0.0.1')
    listener = openServer
    const wasListening: boolean[] = []
    openServer.use(
      createServer((_request, response) => {
        wasListening.push(openServer.server.listening)
        response.end()
      }),
    )
    const { socket } = await ask(openServer)
    const closeCall = openServer.close(3_600_000)
    socket.write(request)
    expect(await answered(socket)).toBe('HTTP/1.1 200 OK')
    expect(wasListening).toEqual([true, false])
    await closeCall
  })

  test('is answered on an idle connection although the program was busy', async () => {
    listener = await openListener(0, '127.0.0.1')
    const { line, socket } = await ask(listener)
    expect(line).toBe('HTTP/1.1 200 OK')
    const closeCall = listener.close(3_600_000)
    await expect.poll(() => listener?.server.listening).toBe(false)
    socket.write(request)
    // Nothing is read until the grace of idle connections has passed.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
    expect(await answered(socket)).toBe('HTTP/1.1 200 OK')
    await closeCall
  })
})

describe('behind a proxy', () => {
  const openBehindProxy = () =>
    openListener(0, '127.0.0.1', { connectionsPerClient: 3, trustedProxies: ['127.0.0.0/8'] })
  const forwardedHeader = (client: string) => `x-forwarded-for: ${client}\r\n`

  test('counts the connections of a trusted proxy for no client', async () => {
    listener = await openBehindProxy()
    for (let attempt = 0; attempt < 8; attempt += 1)
      expect((await ask(listener, forwardedHeader(`203.0.113.${attempt}`))).line).toBe('HTTP/1.1 200 OK')
  })

  test('limits the open requests and sockets of each client behind a proxy separately', async () => {
    const openServer = await openBehindProxy()
    listener = openServer
    const pendingAnswers: (() => void)[] = []
    const application = createServer((_request, response) => void pendingAnswers.push(() => response.end()))
    application.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    })
    openServer.use(application)
    const greedyClient = forwardedHeader('203.0.113.1')
    const upgradeHeaders = `${greedyClient}connection: upgrade\r\nupgrade: websocket\r\n`
    const upgradedSocket = await ask(openServer, upgradeHeaders)
    expect(upgradedSocket.line).toBe('HTTP/1.1 101 Switching Protocols')
    const waitingCalls = [ask(openServer, greedyClient), ask(openServer, greedyClient)]
    await expect.poll(() => pendingAnswers.length).toBe(2)
    expect((await ask(openServer, greedyClient)).line).toBe('HTTP/1.1 503 Service Unavailable')
    expect((await ask(openServer, upgradeHeaders)).line).toBe('')
    const otherCall = ask(openServer, forwardedHeader('203.0.113.2'))
    await expect.poll(() => pendingAnswers.length).toBe(3)
    for (const answer of pendingAnswers) answer()
    for (const { line } of await Promise.all([...waitingCalls, otherCall])) expect(line).toBe('HTTP/1.1 200 OK')
    pendingAnswers.length = 0
    const repeatedCall = ask(openServer, greedyClient)
    await expect.poll(() => pendingAnswers.length).toBe(1)
    pendingAnswers[0]?.()
    expect((await repeatedCall).line).toBe('HTTP/1.1 200 OK')
  })

  test('ignores the forwarded address of a client that is not behind the proxy', async () => {
    const openServer = await openListener(0, '127.0.0.1', { connectionsPerClient: 3, trustedProxies: ['10.0.0.0/8'] })
    listener = openServer
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect((await ask(openServer, forwardedHeader(`203.0.113.${attempt}`))).line).toBe('HTTP/1.1 200 OK')
    expect((await ask(openServer, forwardedHeader('203.0.113.9'))).line).toBe('')
  })
})

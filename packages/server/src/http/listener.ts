/** The listening port: bound before anything is touched, answering 503 until the application stands behind it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { fault } from '@dala/model'
import { refuseConnection, writeRefusal } from './errors.ts'

/** Limits of checklist §11. */
const limits = { headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 }
const maxConnectionsPerAddress = 1_000

type Handle = (request: IncomingMessage, response: ServerResponse) => void

export interface Listener {
  readonly server: Server
  readonly port: number
  /** From now on requests and upgrades go to the server of the application, which listens to no port itself. */
  use(application: Server): void
  /** Takes no new connections, lets requests in flight finish for so many milliseconds, then cuts the rest. */
  close(grace: number): Promise<void>
}

const handleStarting: Handle = (request, response) => {
  if (request.url === '/health' || request.url === '/ready') {
    const isReady = request.url === '/ready'
    const body = JSON.stringify({ status: isReady ? 'starting' : 'ok' })
    response.writeHead(isReady ? 503 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    response.end(body)
    return
  }
  writeRefusal(response, fault('server.unavailable', { retryAfter: 2 }))
}

/** Binds the port. Throws the system's error when it is taken or not allowed. `perAddress`: most connections of one address. */
export async function openListener(
  port: number,
  host: string,
  perAddress = maxConnectionsPerAddress,
): Promise<Listener> {
  let handle = handleStarting
  // The server forgets connections that are no HTTP any more, and still waits for their end.
  const upgraded = new Set<Duplex>()
  let isClosing = false
  const server = createServer(limits, (request, response) => {
    // Who comes again and again over one connection would keep it, and the stop with it.
    if (isClosing) response.shouldKeepAlive = false
    handle(request, response)
  })
  server.on('clientError', (error, socket) => refuseConnection(error, socket as Socket))
  limitConnections(server, perAddress)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    server,
    port: (server.address() as AddressInfo).port,
    use: (application) => {
      handle = (request, response) => void application.emit('request', request, response)
      server.on('upgrade', (request, socket, head) => {
        upgraded.add(socket)
        socket.once('close', () => upgraded.delete(socket))
        application.emit('upgrade', request, socket, head)
      })
    },
    close: (grace) => {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const cut = setTimeout(() => {
        server.closeAllConnections()
        for (const socket of upgraded) socket.destroy()
      }, grace)
      return closed.finally(() => clearTimeout(cut))
    },
  }
}

function limitConnections(server: Server, perAddress: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    if (count > perAddress) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}

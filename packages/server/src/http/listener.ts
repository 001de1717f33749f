/** The listening port, which is bound first and answers 503 until the application is ready. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { fault } from '@dala/model'
import { type Clients, trackClients, OpenCounts } from './client-address.ts'
import { refuseConnection, writeRefusal } from './errors.ts'
import { createServer } from './node-http.ts'

/** Time limits of connections to the server (checklist §11). */
const limits = { headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 }
const maxPerClient = 1_000
/**
 * Milliseconds that idle and silent connections stay open in a stop. A proxy sends its next requests on them, and
 * learns from the answers to use them no longer.
 */
const idleGrace = 500

/**
 * Milliseconds of a calm moment in a stop: the time without an arrival, the longest turn of the event loop, and the
 * longest wait for such a moment.
 */
const calm = { quietMs: 25, turnMs: 0.25, limitMs: 250 }

type HandleRequest = (request: IncomingMessage, response: ServerResponse) => void

export interface Listener {
  readonly server: Server
  readonly port: number
  /** Passes requests and upgrades to the server of the application, which listens on no port itself. */
  use(application: Server): void
  /**
   * Stops the listener: accepts no new connections, waits this many milliseconds for open requests, then cuts
   * the rest.
   */
  close(grace: number): Promise<void>
}

/** Returns the path of a request, normalised like in the router of the application. */
const pathOf = ({ url = '' }: IncomingMessage): string => (url.split('?', 1)[0] ?? '').replace(/(.)\/$/, '$1')

const handleStarting: HandleRequest = (request, response) => {
  const path = pathOf(request)
  if (path === '/health' || path === '/ready') {
    const isReady = path === '/ready'
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

export interface ListenerOptions {
  /**
   * The maximum number of connections per address; behind a
   * proxy, of concurrent requests and sockets per client.
   */
  connectionsPerClient?: number
  /**
   * Addresses and ranges of proxies, whose connections are
   * not counted because they carry requests of many clients.
   */
  trustedProxies?: readonly string[]
}

/**
 * Binds the port of the server.
 *
 * @param port - The port; 0 takes a free one.
 * @param host - The address to listen on.
 * @param options - Limits of clients.
 * @returns The listener, which answers 503 until it has an application.
 * @throws The system's error when the port is taken or not allowed.
 */
export async function openListener(
  port: number,
  host: string,
  { connectionsPerClient: perClient = maxPerClient, trustedProxies = [] }: ListenerOptions = {},
): Promise<Listener> {
  const clients = trackClients(trustedProxies)
  const proxiedCounts = new OpenCounts(perClient)
  /** Counts requests of a proxy by client; false when the client has too many open. */
  const admitRequest = (
    request: IncomingMessage,
    end: { once(event: 'close', listener: () => void): unknown },
  ): boolean => {
    if (!clients.isProxy(request.socket.remoteAddress)) return true
    const key = clients.keyOf(request)
    if (!proxiedCounts.hasCapacity(key)) return false
    end.once('close', proxiedCounts.add(key))
    return true
  }
  let handleCall = handleStarting
  // The server no longer tracks upgraded connections, but still waits for their end when it stops.
  const upgradedSockets = new Set<Duplex>()
  let isClosing = false
  let cutsIdleConnections = false
  /** A close of the listener ends incomplete answers, and connections without a request. */
  const answeringResponses = new Set<ServerResponse>()
  const silentSockets = new Set<Socket>()
  /**
   * Requests that arrive in a stop wait until the port has ended: their clients ask nothing more, so that soon
   * nothing arrives any longer.
   */
  let heldRequests: (() => void)[] | undefined
  let lastArrival = 0
  /**
   * Waits for a calm moment. Until then the program reads what has arrived while it was busy: connections that the
   * system has accepted for it, which the end of the port would cut, and requests on connections that only look idle.
   */
  const calmMoment = async (): Promise<void> => {
    const started = performance.now()
    for (let isCalm = false; !isCalm && performance.now() - started < calm.limitMs;) {
      await pause(1)
      const turn = performance.now()
      await nextTurn()
      isCalm = performance.now() - turn < calm.turnMs && turn - Math.max(started, lastArrival) > calm.quietMs
    }
  }
  const passRequest: HandleRequest = (request, response) => {
    if (admitRequest(request, response)) handleCall(request, response)
    else writeRefusal(response, fault('server.busy', { retryAfter: 2 }))
  }
  const server = createServer(limits, (request, response) => {
    lastArrival = performance.now()
    silentSockets.delete(request.socket)
    answeringResponses.add(response)
    response.once('close', () => {
      answeringResponses.delete(response)
      // A connection that is kept alive would delay the stop until its timeout.
      if (cutsIdleConnections) setImmediate(() => server.closeIdleConnections())
    })
    // A client that sends request after request on one connection would delay the stop.
    if (isClosing) response.shouldKeepAlive = false
    if (heldRequests) heldRequests.push(() => passRequest(request, response))
    else passRequest(request, response)
  })
  server.on('connection', (socket) => {
    lastArrival = performance.now()
    silentSockets.add(socket)
    socket.once('close', () => silentSockets.delete(socket))
  })
  server.on('clientError', (error, socket) => refuseConnection(error, socket as Socket))
  limitConnections(server, clients, perClient)
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
      handleCall = (request, response) => void application.emit('request', request, response)
      server.on('upgrade', (request, socket, head) => {
        if (!admitRequest(request, socket)) return socket.destroy()
        silentSockets.delete(socket as Socket)
        upgradedSockets.add(socket)
        socket.once('close', () => upgradedSockets.delete(socket))
        application.emit('upgrade', request, socket, head)
      })
    },
    close: async (grace) => {
      isClosing = true
      for (const response of answeringResponses) response.shouldKeepAlive = false
      const held: (() => void)[] = []
      heldRequests = held
      await calmMoment()
      // The method of the HTTP server would cut idle connections, on which a proxy may just have sent a request.
      const closedSignal = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      heldRequests = undefined
      for (const pass of held) pass()
      const cutIdleConnections = () => {
        cutsIdleConnections = true
        server.closeIdleConnections()
        for (const socket of silentSockets) if (socket.bytesRead === 0) socket.destroy()
      }
      const idleTimer = setTimeout(() => void calmMoment().then(cutIdleConnections), idleGrace)
      const closeTimer = setTimeout(() => {
        server.closeAllConnections()
        for (const socket of upgradedSockets) socket.destroy()
      }, grace)
      return closedSignal.finally(() => {
        clearTimeout(idleTimer)
        clearTimeout(closeTimer)
      })
    },
  }
}

function limitConnections(server: Server, clients: Clients, perClient: number): void {
  const connectionCounts = new OpenCounts(perClient)
  server.on('connection', (socket) => {
    if (clients.isProxy(socket.remoteAddress)) return
    const key = socket.remoteAddress ?? ''
    if (connectionCounts.hasCapacity(key)) socket.once('close', connectionCounts.add(key))
    else socket.destroy()
  })
}

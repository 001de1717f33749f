/** Handshakes of sockets: allowed origins, tokens, and limits of packets (checklist §1, §8). */
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { type Caller, Fault, toErrorBody } from '@dala/model'
import type { Database } from '../../db/database.ts'
import { type Clients, trackClients, OpenCounts } from '../../http/client-address.ts'
import { addressKey, countFailure, type FailureLimit } from '../accounts/throttle.ts'

const maxPackets = 20

export interface HandshakeSettings {
  publicUrl: string
  corsOrigins: readonly string[]
  trustedProxies: readonly string[]
  addressThrottle: FailureLimit
}

interface Handshake {
  handshake: { auth: Readonly<Record<string, unknown>> }
  request: IncomingMessage
}

/** Converts a refusal to the format of Socket.IO clients. */
export function refusalOf(error: Fault): Error {
  return Object.assign(new Error(error.message), { data: toErrorBody(error).error })
}

/** Whether a client may connect: our own page, a listed origin, or a program without an origin. */
export function isKnownOrigin({ headers }: IncomingMessage, { publicUrl, corsOrigins }: HandshakeSettings): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  return origin === publicUrl || corsOrigins.includes(origin) || URL.parse(origin)?.host === host
}

/** The maximum number of unauthenticated sockets of one client behind a proxy. */
const maxUnknownSockets = 50

/** A socket connection, before and after its client is authenticated. */
export interface TransportConnection {
  request: IncomingMessage
  once(event: 'close', listener: () => void): unknown
}

/**
 * Limits the unauthenticated sockets of a client behind a proxy. Without a proxy the port's limit of
 * connections has the same effect: a stranger can only use up their own.
 */
export class UnknownSockets {
  readonly #clients: Clients
  readonly #open = new OpenCounts(maxUnknownSockets)
  readonly #ends = new WeakMap<TransportConnection, () => void>()

  /**
   * Creates the limit of unauthenticated sockets, without any counted.
   *
   * @param trustedProxies - Addresses and ranges of the proxies in front of this server.
   */
  constructor(trustedProxies: readonly string[]) {
    this.#clients = trackClients(trustedProxies)
  }

  /** Tells whether the client of a request may open one more socket. */
  hasCapacity(request: IncomingMessage): boolean {
    return !this.#clients.isProxy(request.socket.remoteAddress) || this.#open.hasCapacity(this.#clients.keyOf(request))
  }

  /** Counts a socket until it ends or is authenticated. */
  add(connection: TransportConnection): void {
    const end = this.#open.add(this.#clients.keyOf(connection.request))
    this.#ends.set(connection, end)
    connection.once('close', end)
  }

  /** Stops counting an authenticated socket. */
  settle(connection: TransportConnection): void {
    this.#ends.get(connection)?.()
  }
}

interface Connection {
  on(event: 'packet', listener: () => void): void
  close(): void
}

/** Cuts a socket connection that sends too many packets, before they are read. */
export function limitPackets(connection: Connection): void {
  let [windowStart, count] = [0, 0]
  connection.on('packet', () => {
    const now = performance.now()
    if (now - windowStart >= 1_000) [windowStart, count] = [now, 0]
    count += 1
    if (count > maxPackets) connection.close()
  })
}

interface HandshakeContext {
  database: Database
  settings: HandshakeSettings
  /** Returns the caller of a token; throws 401. */
  callerOfToken: (token: unknown) => Promise<Caller>
}

/**
 * Returns the caller of a socket's handshake. Wrong tokens count against their address, like wrong passwords
 * (checklist §1); a valid token is always accepted.
 *
 * @throws 401, and 429 for an address with too many wrong tokens.
 */
export async function callerOf(
  { handshake, request }: Handshake,
  { callerOfToken: callerWith, database, settings }: HandshakeContext,
) {
  const { token } = handshake.auth
  try {
    return await callerWith(token)
  } catch (error) {
    const isGuessedToken = error instanceof Fault && error.status === 401 && token !== undefined && token !== ''
    const address = proxyAddress(request, [...settings.trustedProxies])
    const countedKeys = [{ key: `socket-${addressKey(address)}`, limit: settings.addressThrottle }]
    if (isGuessedToken) await countFailure(database, countedKeys, () => Promise.resolve())
    throw error
  }
}

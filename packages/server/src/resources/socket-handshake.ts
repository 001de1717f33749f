/** Who may connect a socket: its origin, its token, and how much it may send (checklist §1, §8). */
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { type Caller, Fault, toErrorBody } from '@dala/model'
import type { Database } from '../db/database.ts'
import { addressKey, countFailure, type Limit } from './throttle.ts'

const maxPackets = 20

export interface HandshakeSettings {
  publicUrl: string
  corsOrigins: readonly string[]
  trustedProxies: readonly string[]
  addressThrottle: Limit
}

interface Handshake {
  handshake: { auth: Readonly<Record<string, unknown>> }
  request: IncomingMessage
}

/** A refusal as clients of Socket.IO get it. */
export function refusalOf(error: Fault): Error {
  return Object.assign(new Error(error.message), { data: toErrorBody(error).error })
}

/** Whether a page may connect: ours, a listed one, or a program that is no page. */
export function isKnownOrigin({ headers }: IncomingMessage, { publicUrl, corsOrigins }: HandshakeSettings): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  return origin === publicUrl || corsOrigins.includes(origin) || URL.parse(origin)?.host === host
}

interface Connection {
  on(event: 'packet', listener: () => void): void
  close(): void
}

/** Cuts a connection that sends more than its share, before anything is read of it. */
export function limitPackets(connection: Connection): void {
  let [since, count] = [0, 0]
  connection.on('packet', () => {
    const now = Date.now()
    if (now - since >= 1_000) [since, count] = [now, 0]
    count += 1
    if (count > maxPackets) connection.close()
  })
}

interface Known {
  database: Database
  settings: HandshakeSettings
  /** The caller of a token; throws 401. */
  callerWith: (token: unknown) => Promise<Caller>
}

/**
 * The caller of a handshake. Guesses at tokens count against their address, as guesses at passwords do (checklist
 * §1); a token that holds always comes in. Throws 401, and 429 for an address that has guessed too often.
 */
export async function callerOf({ handshake, request }: Handshake, { callerWith, database, settings }: Known) {
  const { token } = handshake.auth
  try {
    return await callerWith(token)
  } catch (error) {
    const isGuess = error instanceof Fault && error.status === 401 && token !== undefined && token !== ''
    const address = proxyAddress(request, [...settings.trustedProxies])
    const counted = [{ key: `socket-${addressKey(address)}`, limit: settings.addressThrottle }]
    if (isGuess) await countFailure(database, counted, () => Promise.resolve())
    throw error
  }
}

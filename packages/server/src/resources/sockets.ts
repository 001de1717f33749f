/** Sockets: who may connect, what a client may say, and when a connection ends (contract §11, checklist §8). */
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { type Caller, Fault, fault, type Locale, toErrorBody } from '@dala/model'
import type { FastifyBaseLogger } from 'fastify'
import { type DefaultEventsMap, Server, type Socket as AnySocket } from 'socket.io'
import type { Database } from '../db/database.ts'
import { type Cluster, joinCluster } from './socket-adapter.ts'
import { addressKey, countFailure, type Limit } from './throttle.ts'

const maxPayload = 65_536
const maxPackets = 20
const maxPerUser = 5
const connectTimeout = 10_000
/** Sessions also end without news of it, by time; the promise is 5 s. */
const checkEvery = 3_000

/** Somebody who has a record open in a form, as the others are told of him. */
export interface Editor {
  id: number
  name: string
  /** The language he writes in; null where the record has none. */
  locale: Locale | null
}

/** What is sent, by event. */
interface ServerEvents {
  /** A message of a room (contract §11). */
  update: (event: Readonly<Record<string, unknown>>) => void
  /** Resources with changed records, by wire name. */
  changed: (news: { resources: readonly string[] }) => void
  /** Who else has the record open, by the id the listener opened it with. */
  editors: (news: { resource: string; id: number; people: readonly Editor[] }) => void
}

interface SocketData {
  caller: Caller
  editing?: { channel: string; resource: string; id: number; editor: Editor }
}
export type Socket = AnySocket<DefaultEventsMap, ServerEvents, DefaultEventsMap, SocketData>
export type SocketServer = Server<DefaultEventsMap, ServerEvents, DefaultEventsMap, SocketData>

/** What a client may say beside being there. In: its socket and what it said; a throw is a refusal. Out: the answer. */
export type Hear = (socket: Socket, said: unknown) => Promise<unknown>

export interface SocketParts {
  server: HttpServer
  database: Database
  settings: {
    publicUrl: string
    corsOrigins: readonly string[]
    databaseUrl: string | undefined
    trustedProxies: readonly string[]
    addressThrottle: Limit
  }
  log: FastifyBaseLogger
  /** The caller of a token; throws 401. */
  callerWith: (token: unknown) => Promise<Caller>
  /** Who the sessions of these ids belong to now, by id; those that ended are missing. */
  callersOf: (sessions: readonly string[]) => Promise<ReadonlyMap<string, Caller>>
}

/** Channels are named here alone; a client cannot join one. */
export const channelOf = (user: number) => `user:${user}`
/** Who hears of rooms that nobody has yet. */
export const consultants = 'consultants'

function refusalOf(error: Fault): Error {
  return Object.assign(new Error(error.message), { data: toErrorBody(error).error })
}

/** Whether a page may connect: ours, a listed one, or a program that is no page. */
function isKnownOrigin({ headers }: IncomingMessage, { publicUrl, corsOrigins }: SocketParts['settings']): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  return origin === publicUrl || corsOrigins.includes(origin) || URL.parse(origin)?.host === host
}

interface Connection {
  on(event: 'packet', listener: () => void): void
  close(): void
}

/** Cuts a connection that sends more than its share, before anything is read of it. */
function limitPackets(connection: Connection): void {
  let [since, count] = [0, 0]
  connection.on('packet', () => {
    const now = Date.now()
    if (now - since >= 1_000) [since, count] = [now, 0]
    count += 1
    if (count > maxPackets) connection.close()
  })
}

/** Who has another role now joins anew, with what he may hear from here on. */
const isSame = (caller: Caller, now: Caller | undefined): boolean =>
  now?.role === caller.role && now.isConsultant === caller.isConsultant

/** A client may say something without waiting for an answer. */
const isAnswer = (value: unknown): value is (body: object) => void => typeof value === 'function'

export class Sockets {
  /** For who sends. */
  readonly io: SocketServer
  readonly #parts: SocketParts
  readonly #heard = new Map<string, Hear>()
  readonly #partings = new Set<(socket: Socket) => void>()
  readonly #cluster: Cluster | undefined
  readonly #open = new Map<number, Set<string>>()
  readonly #stopHearing: () => void
  readonly #timer: NodeJS.Timeout
  #checking: Promise<void> | undefined
  #checkAgain = false
  #closed: Promise<void> | undefined

  /** Stands beside the application on its server; requests of other paths go on as before. */
  constructor(parts: SocketParts) {
    this.#parts = parts
    const { server, database, settings, log } = parts
    const warn = (error: unknown) => log.warn({ err: error }, 'sockets of other instances are not reached')
    this.#cluster = settings.databaseUrl === undefined ? undefined : joinCluster(settings.databaseUrl, warn)
    this.io = new Server(server, {
      path: '/socket.io',
      serveClient: false,
      maxHttpBufferSize: maxPayload,
      connectTimeout,
      allowRequest: (request, answer) => answer(null, !this.#closed && isKnownOrigin(request, settings)),
      ...(settings.corsOrigins.length > 0 && { cors: { origin: [...settings.corsOrigins] } }),
      ...(this.#cluster && { adapter: this.#cluster.adapter }),
    })
    this.io.engine.use(
      (_request: unknown, response: { setHeader(name: string, value: string): void }, next: () => void) => {
        response.setHeader('x-content-type-options', 'nosniff')
        response.setHeader('cache-control', 'no-store')
        next()
      },
    )
    this.io.engine.on('connection', limitPackets)
    this.io.use((socket, next) => void this.#answer(socket, next))
    this.io.on('connection', (socket) => this.#welcome(socket))
    this.#stopHearing = database.onChange((changes) => {
      if (changes === 'all' || ['users', 'roles', 'sessions'].some((name) => changes.has(name))) this.#check()
    })
    this.#timer = setInterval(() => this.#check(), checkEvery).unref()
  }

  /** Lets clients say `event`; every other word ends the connection. */
  hear(event: string, hear: Hear): void {
    this.#heard.set(event, hear)
  }

  /** Hears of every socket that has gone. */
  onParting(listener: (socket: Socket) => void): void {
    this.#partings.add(listener)
  }

  /** Ends every connection and takes no new ones. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#stopHearing()
    clearInterval(this.#timer)
    const { sockets, adapter } = this.io.of('/')
    for (const socket of sockets.values()) socket.disconnect(true)
    await adapter.close()
    this.io.engine.close()
    await this.#checking
    await this.#cluster?.close().catch((error: unknown) => this.#parts.log.warn({ err: error }, 'sockets left badly'))
  }

  /** Says who may come in, and to the others why not. */
  async #answer(socket: Socket, say: (refusal?: Error) => void): Promise<void> {
    try {
      await this.#admit(socket)
      say()
    } catch (error) {
      if (!(error instanceof Fault)) this.#parts.log.error({ err: error }, 'handshake failed')
      say(refusalOf(error instanceof Fault ? error : fault('server.unavailable')))
    }
  }

  /** Lets somebody in. Throws 401 for a token that does not hold, 429 for one connection too many. */
  async #admit(socket: Socket): Promise<void> {
    const caller = await this.#callerOf(socket)
    // It may have gone while the database was asked; then nobody would ever take it off the list.
    if (this.#closed || socket.conn.readyState !== 'open') throw fault('server.unavailable')
    const own = this.#open.get(caller.id) ?? new Set()
    if (own.size >= maxPerUser) throw fault('chat.too-many-sockets')
    this.#open.set(caller.id, own.add(socket.id))
    socket.conn.once('close', () => {
      own.delete(socket.id)
      if (own.size === 0 && this.#open.get(caller.id) === own) this.#open.delete(caller.id)
    })
    socket.data.caller = caller
  }

  /**
   * The caller of a handshake. Guesses at tokens count against their address, as guesses at passwords do (checklist
   * §1); a token that holds always comes in. Throws 401, and 429 for an address that has guessed too often.
   */
  async #callerOf({ handshake, request }: Socket): Promise<Caller> {
    const { callerWith, database, settings } = this.#parts
    const token: unknown = handshake.auth.token
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

  #welcome(socket: Socket): void {
    const { caller } = socket.data
    const log = this.#parts.log.child({ user: caller.id })
    socket.on('error', (error) => log.info({ err: error }, 'unreadable packet on a socket'))
    // Writing is for HTTP: a client may only say what somebody hears.
    socket.onAny((event: string) => {
      if (this.#heard.has(event)) return
      log.info('unknown event on a socket')
      socket.disconnect(true)
    })
    for (const [event, hear] of this.#heard) {
      socket.on(event, (said: unknown, answer: unknown) => void this.#answerTo(socket, hear, said, answer))
    }
    socket.on('disconnect', () => {
      for (const listener of this.#partings) listener(socket)
    })
    void socket.join(caller.isConsultant ? [channelOf(caller.id), consultants] : channelOf(caller.id))
  }

  async #answerTo(socket: Socket, hear: Hear, said: unknown, answer: unknown): Promise<void> {
    const say = (body: object) => void (isAnswer(answer) && answer(body))
    try {
      // Between two looks of the timer a session may have ended (checklist §8).
      if (!(await this.#stands(socket))) return void socket.disconnect(true)
      say({ data: (await hear(socket, said)) ?? null })
    } catch (error) {
      const refusal = error instanceof Fault ? error : fault('server.internal')
      if (refusal !== error) this.#parts.log.error({ err: error }, 'a word on a socket failed')
      say({ data: null, error: toErrorBody(refusal).error })
    }
  }

  /** Whether a socket is still of somebody with the rights that he came with. */
  async #stands({ data: { caller } }: Socket): Promise<boolean> {
    return isSame(caller, (await this.#parts.callersOf([caller.sessionId])).get(caller.sessionId))
  }

  /** Looks again whose sockets these are; news that come meanwhile are looked at afterwards. */
  #check(): void {
    this.#checkAgain = true
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined
    })
  }

  async #checkAll(): Promise<void> {
    while (this.#checkAgain && !this.#closed) {
      this.#checkAgain = false
      const sockets = [...this.io.of('/').sockets.values()]
      if (sockets.length === 0) return
      try {
        const callers = await this.#parts.callersOf(sockets.map(({ data }) => data.caller.sessionId))
        for (const socket of sockets) {
          const { caller } = socket.data
          if (!isSame(caller, callers.get(caller.sessionId))) socket.disconnect(true)
        }
      } catch (error) {
        this.#parts.log.error({ err: error }, 'check of sockets failed')
      }
    }
  }
}

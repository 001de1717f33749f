/** Sockets: who may connect, what a client may say, and when a connection ends (contract §11, checklist §8). */
import type { Server as HttpServer } from 'node:http'
import {
  type Caller,
  type ChatEvents,
  Fault,
  fault,
  type Locale,
  type ModerationNews,
  rankOf,
  toErrorBody,
} from '@dala/model'
import type { FastifyBaseLogger } from 'fastify'
import { type DefaultEventsMap, Server, type Socket as AnySocket } from 'socket.io'
import type { Database } from '../../db/database.ts'
import { type Cluster, joinCluster } from './socket-adapter.ts'
import {
  type Arriving,
  callerOf,
  type HandshakeSettings,
  isKnownOrigin,
  limitPackets,
  refusalOf,
  UnknownSockets,
} from './socket-handshake.ts'

const maxPayload = 65_536
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
  /** The part of the record he writes in, as the page names it; absent where it names none. */
  part?: string
}

/** What is sent, by event: of rooms what the model says, and what else open pages hear. */
interface ServerEvents extends ChatEvents {
  /** Resources with changed records, by wire name. */
  changed: (news: { resources: readonly string[] }) => void
  /** What changes in the queue of trading posts: the state of one, and how many each tab holds. */
  'moderation:changed': (news: ModerationNews) => void
  /** Who else has the record open, by the id the listener opened it with. */
  editors: (news: { resource: string; id: number; people: readonly Editor[] }) => void
}

interface SocketData {
  caller: Caller
  /** The rooms whose revisions it is told from time to time. */
  rooms?: Set<number>
  editing?: { channel: string; resource: string; id: number; editor: Editor }
}
export type Socket = AnySocket<DefaultEventsMap, ServerEvents, DefaultEventsMap, SocketData>
export type SocketServer = Server<DefaultEventsMap, ServerEvents, DefaultEventsMap, SocketData>

/** What a client may say beside being there. In: its socket and what it said; a throw is a refusal. Out: the answer. */
export type Hear = (socket: Socket, said: unknown) => Promise<unknown>

/** How a word is answered: with the body that it has come to, or with what was refused. */
interface Manner {
  answer: (body: unknown) => object
  refusal: (refused: Fault) => object
}
const likeHttp: Manner = {
  answer: (body) => ({ data: body ?? null }),
  refusal: (refused) => ({ data: null, error: toErrorBody(refused).error }),
}

export interface SocketParts {
  server: HttpServer
  database: Database
  settings: HandshakeSettings & { databaseUrl: string | undefined }
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
/** All who answer, and those above them. */
export const desk = 'desk'
/** Those who decide on trading posts. */
export const moderators = 'moderators'
/** Staff who look into a room. */
export const watchersOf = (room: number) => `watch:${room}`

/** Consultants and staff: those who hear of one another. */
export const isOfDesk = ({ isConsultant, role }: Caller): boolean => isConsultant || rankOf(role) >= rankOf('admin')

/** Who has another role now joins anew, with what he may hear from here on. */
const isSame = (caller: Caller, now: Caller | undefined): boolean =>
  now?.role === caller.role && now.isConsultant === caller.isConsultant

/** A client may say something without waiting for an answer. */
const isAnswer = (value: unknown): value is (body: object) => void => typeof value === 'function'

export class Sockets {
  /** For who sends. */
  readonly io: SocketServer
  readonly #parts: SocketParts
  readonly #heard = new Map<string, { hear: Hear; manner: Manner }>()
  readonly #arrivals = new Set<(socket: Socket) => void>()
  readonly #partings = new Set<(socket: Socket) => void>()
  readonly #cluster: Cluster | undefined
  readonly #open = new Map<number, Set<string>>()
  readonly #unknown: UnknownSockets
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
    this.#unknown = new UnknownSockets(settings.trustedProxies)
    this.io = new Server(server, {
      path: '/socket.io',
      serveClient: false,
      maxHttpBufferSize: maxPayload,
      connectTimeout,
      allowRequest: (request, answer) =>
        answer(null, !this.#closed && isKnownOrigin(request, settings) && this.#unknown.hasRoom(request)),
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
    this.io.engine.on('connection', (connection: Arriving) => this.#unknown.add(connection))
    this.io.use((socket, next) => void this.#answer(socket, next))
    this.io.on('connection', (socket) => this.#welcome(socket))
    this.#stopHearing = database.onChange((changes) => {
      if (changes === 'all' || ['users', 'roles', 'sessions'].some((name) => changes.has(name))) this.#check()
    })
    this.#timer = setInterval(() => this.#check(), checkEvery).unref()
  }

  /** Lets clients say `event`; every other word ends the connection. */
  hear(event: string, hear: Hear, manner: Manner = likeHttp): void {
    this.#heard.set(event, { hear, manner })
  }

  /** Who is to be told something. Without channels it is nobody, where Socket.IO itself would tell everybody. */
  to(channels: readonly string[], except: readonly string[] = []) {
    return this.io.to(channels.length > 0 ? [...channels] : 'nobody').except([...except])
  }

  /** Hears of every socket that has come in. */
  onArrival(listener: (socket: Socket) => void): void {
    this.#arrivals.add(listener)
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
    const caller = await callerOf(socket, this.#parts)
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
    this.#unknown.settle(socket.conn)
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
    for (const event of this.#heard.keys()) {
      socket.on(event, (said: unknown, answer: unknown) => void this.#answerTo(socket, event, said, answer))
    }
    socket.on('disconnect', () => {
      for (const listener of this.#partings) listener(socket)
    })
    void socket.join([
      channelOf(caller.id),
      ...(caller.isConsultant ? [consultants] : []),
      ...(rankOf(caller.role) >= rankOf('admin') ? [moderators] : []),
      ...(isOfDesk(caller) ? [desk] : []),
    ])
    for (const listener of this.#arrivals) listener(socket)
  }

  async #answerTo(socket: Socket, event: string, said: unknown, answer: unknown): Promise<void> {
    const { hear, manner = likeHttp } = this.#heard.get(event) ?? {}
    const say = (body: object) => void (isAnswer(answer) && answer(body))
    try {
      // Between two looks of the timer a session may have ended (checklist §8).
      if (!(await this.#stands(socket))) return
      say(manner.answer(await hear?.(socket, said)))
    } catch (error) {
      const refusal = error instanceof Fault ? error : fault('server.internal')
      if (refusal !== error) this.#parts.log.error({ err: error }, 'a word on a socket failed')
      say(manner.refusal(refusal))
    }
  }

  /** Whether a socket is still of somebody with the rights that he came with; it ends when it is not. */
  async #stands(socket: Socket): Promise<boolean> {
    const { caller } = socket.data
    return this.#keep(socket, (await this.#parts.callersOf([caller.sessionId])).get(caller.sessionId))
  }

  /** Ends the socket of a session that is over, or whose owner has other rights now, and says so before. */
  #keep(socket: Socket, now: Caller | undefined): boolean {
    if (isSame(socket.data.caller, now)) return true
    socket.emit('session:ended', { reason: now ? 'rights-changed' : 'signed-out' })
    socket.disconnect(true)
    return false
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
        for (const socket of sockets) this.#keep(socket, callers.get(socket.data.caller.sessionId))
      } catch (error) {
        this.#parts.log.error({ err: error }, 'check of sockets failed')
      }
    }
  }
}

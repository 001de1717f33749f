/**
 * Sockets: who may connect, the events a client may send,
 * and when a connection ends (contract §11, checklist §8).
 */
import type { Server as HttpServer } from 'node:http'
import {
  type Caller,
  type ChatEvents,
  Fault,
  fault,
  type Locale,
  type ModerationEvent,
  rankOfRole,
  type ReportsChanged,
  toErrorBody,
} from '@dala/model'
import type { FastifyBaseLogger } from 'fastify'
import { type DefaultEventsMap, Server, type Socket as AnySocket } from 'socket.io'
import type { Database } from '../../db/database.ts'
import { emitSignal } from '../../signals.ts'
import { type Cluster, joinCluster } from './socket-adapter.ts'
import {
  type TransportConnection,
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
/** Sessions also end by time without a notification; a socket must end within 5 s. */
const checkInterval = 3_000

/** A user who has a record open in a form, as other users see them. */
export interface Editor {
  id: number
  name: string
  /** Language that the user edits; null where the record has none. */
  locale: Locale | null
  /** Part of the record that the user edits, as the page names it; absent without a name. */
  part?: string
}

/** Events to clients: those of chat rooms as the model declares them, and other updates of open pages. */
interface ServerEvents extends ChatEvents {
  /** Update with the wire names of resources whose records changed. */
  changed: (update: { resources: readonly string[] }) => void
  /** A change in the queue of trading posts: the state of one, and the count of each tab. */
  'moderation:changed': (update: ModerationEvent) => void
  /** The inbox of the socket's user has a new notice, or notices were marked as read elsewhere. */
  'notices:changed': () => void
  /** The figures of some reports may have changed until a time. */
  'statistics:changed': (update: ReportsChanged) => void
  /** Other users who have a record open, by the id with which the listener opened it. */
  editors: (update: { resource: string; id: number; people: readonly Editor[] }) => void
}

interface SocketData {
  caller: Caller
  /** Rooms whose revisions the socket receives periodically. */
  rooms?: Set<number>
  editedRecord?: { channel: string; resource: string; id: number; editor: Editor }
}
export type Socket = AnySocket<DefaultEventsMap, ServerEvents, DefaultEventsMap, SocketData>
export type SocketServer = Server<DefaultEventsMap, ServerEvents, DefaultEventsMap, SocketData>

/**
 * Handles a socket event of a client.
 *
 * @returns The answer; a throw is a refusal.
 */
export type EventHandler = (socket: Socket, payload: unknown) => Promise<unknown>

/** Builders of answers to an event: with a body, or with a refusal. */
interface AnswerFormat {
  answer: (body: unknown) => object
  refusal: (refusalFault: Fault) => object
}
const httpAnswerFormat: AnswerFormat = {
  answer: (body) => ({ data: body ?? null }),
  refusal: (refusedError) => ({ data: null, error: toErrorBody(refusedError).error }),
}

export interface SocketParts {
  server: HttpServer
  database: Database
  settings: HandshakeSettings & { databaseUrl: string | undefined }
  log: FastifyBaseLogger
  /** Returns the caller of a token; throws 401. */
  callerOfToken: (token: unknown) => Promise<Caller>
  /** Returns the present callers of sessions by id, without ended sessions. */
  callersOf: (sessions: readonly string[]) => Promise<ReadonlyMap<string, Caller>>
}

/** Channel of a user. Only the functions of this module name socket channels; no client joins one itself. */
export const channelOf = (user: number) => `user:${user}`
/** Channel with updates of unassigned chat rooms. */
export const consultants = 'consultants'
/** Channel of all consultants and staff. */
export const desk = 'desk'
/** Channel of users who decide on trading posts. */
export const moderators = 'moderators'
/** Channel of staff who observe a chat room. */
export const watchersOf = (room: number) => `watch:${room}`

/** Tells whether the caller is a consultant or staff, who receive updates about each other. */
export const belongsToDesk = ({ isConsultant, role }: Caller): boolean =>
  isConsultant || rankOfRole(role) >= rankOfRole('admin')

/** A user whose role has changed must reconnect, to join the channels of the new role. */
const isSame = (caller: Caller, now: Caller | undefined): boolean =>
  now?.role === caller.role && now.isConsultant === caller.isConsultant

/** Tells whether a client waits for the answer to its event. */
const isAnswer = (value: unknown): value is (body: object) => void => typeof value === 'function'

export class Sockets {
  /** Socket server for code that sends events. */
  readonly io: SocketServer
  readonly #parts: SocketParts
  readonly #handlers = new Map<string, { handle: EventHandler; format: AnswerFormat }>()
  readonly #arrivals = new Set<(socket: Socket) => void>()
  readonly #partings = new Set<(socket: Socket) => void>()
  readonly #cluster: Cluster | undefined
  readonly #open = new Map<number, Set<string>>()
  readonly #unknown: UnknownSockets
  readonly #stopListening: () => void
  readonly #timer: NodeJS.Timeout
  #checking: Promise<void> | undefined
  #checkAgain = false
  #closed: Promise<void> | undefined

  /**
   * Attaches the socket server to the HTTP server of the application; requests to other paths are not
   * affected.
   */
  constructor(parts: SocketParts) {
    this.#parts = parts
    const { server, database, settings, log } = parts
    const logWarning = (error: unknown) => log.warn({ err: error }, 'sockets of other instances are not reached')
    this.#cluster = settings.databaseUrl === undefined ? undefined : joinCluster(settings.databaseUrl, logWarning)
    this.#unknown = new UnknownSockets(settings.trustedProxies)
    this.io = new Server(server, {
      path: '/socket.io',
      serveClient: false,
      maxHttpBufferSize: maxPayload,
      connectTimeout,
      allowRequest: (request, answer) =>
        answer(null, !this.#closed && isKnownOrigin(request, settings) && this.#unknown.hasCapacity(request)),
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
    this.io.engine.on('connection', (connection: TransportConnection) => this.#unknown.add(connection))
    this.io.use((socket, next) => void this.#answer(socket, next))
    this.io.on('connection', (socket) => {
      emitSignal('socket', { change: 1 })
      socket.once('disconnect', () => emitSignal('socket', { change: -1 }))
      this.#welcome(socket)
    })
    this.#stopListening = database.onChange((changes) => {
      if (changes === 'all' || ['users', 'roles', 'sessions'].some((name) => changes.has(name))) this.#check()
    })
    this.#timer = setInterval(() => this.#check(), checkInterval).unref()
  }

  /** Lets clients send `event`; every unknown event ends the connection. */
  onEvent(event: string, handle: EventHandler, format: AnswerFormat = httpAnswerFormat): void {
    this.#handlers.set(event, { handle, format })
  }

  /**
   * Selects the receivers of an event. Without channels there
   * are none, where Socket.IO itself would select everybody.
   */
  to(channels: readonly string[], except: readonly string[] = []) {
    return this.io.to(channels.length > 0 ? [...channels] : 'nobody').except([...except])
  }

  /** Subscribes to new sockets. */
  onArrival(listener: (socket: Socket) => void): void {
    this.#arrivals.add(listener)
  }

  /** Subscribes to sockets that end. */
  onParting(listener: (socket: Socket) => void): void {
    this.#partings.add(listener)
  }

  /** Ends every socket connection and accepts no new ones. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#stopListening()
    clearInterval(this.#timer)
    const { sockets, adapter } = this.io.of('/')
    for (const socket of sockets.values()) socket.disconnect(true)
    await adapter.close()
    this.io.engine.close()
    await this.#checking
    await this.#cluster?.close().catch((error: unknown) => this.#parts.log.warn({ err: error }, 'sockets left badly'))
  }

  /** Accepts or refuses the handshake of a socket. */
  async #answer(socket: Socket, respond: (refusal?: Error) => void): Promise<void> {
    try {
      await this.#admit(socket)
      respond()
    } catch (error) {
      if (!(error instanceof Fault)) this.#parts.log.error({ err: error }, 'handshake failed')
      respond(refusalOf(error instanceof Fault ? error : fault('server.unavailable')))
    }
  }

  /**
   * Accepts a socket and adds it to its channels.
   *
   * @throws 401 for an invalid token, 429 for one connection too many.
   */
  async #admit(socket: Socket): Promise<void> {
    const caller = await callerOf(socket, this.#parts)
    // The connection may have closed during the query; its socket would never be removed from the list.
    if (this.#closed || socket.conn.readyState !== 'open') throw fault('server.unavailable')
    const openSockets = this.#open.get(caller.id) ?? new Set()
    if (openSockets.size >= maxPerUser) throw fault('chat.too-many-sockets')
    this.#open.set(caller.id, openSockets.add(socket.id))
    socket.conn.once('close', () => {
      openSockets.delete(socket.id)
      if (openSockets.size === 0 && this.#open.get(caller.id) === openSockets) this.#open.delete(caller.id)
    })
    socket.data.caller = caller
    this.#unknown.settle(socket.conn)
  }

  #welcome(socket: Socket): void {
    const { caller } = socket.data
    const log = this.#parts.log.child({ user: caller.id })
    socket.on('error', (error) => log.info({ err: error }, 'unreadable packet on a socket'))
    // Writes use HTTP: a client may only send events that have a handler.
    socket.onAny((event: string) => {
      if (this.#handlers.has(event)) return
      log.info('unknown event on a socket')
      socket.disconnect(true)
    })
    for (const event of this.#handlers.keys()) {
      socket.on(event, (payload: unknown, answer: unknown) => void this.#answerTo(socket, event, payload, answer))
    }
    socket.on('disconnect', () => {
      for (const listener of this.#partings) listener(socket)
    })
    void socket.join([
      channelOf(caller.id),
      ...(caller.isConsultant ? [consultants] : []),
      ...(rankOfRole(caller.role) >= rankOfRole('admin') ? [moderators] : []),
      ...(belongsToDesk(caller) ? [desk] : []),
    ])
    for (const listener of this.#arrivals) listener(socket)
  }

  async #answerTo(socket: Socket, event: string, payload: unknown, answer: unknown): Promise<void> {
    const { handle, format = httpAnswerFormat } = this.#handlers.get(event) ?? {}
    const sendResponse = (body: object) => void (isAnswer(answer) && answer(body))
    try {
      // A session may have ended between two checks of sessions (checklist §8).
      if (!(await this.#hasSameRights(socket))) return
      sendResponse(format.answer(await handle?.(socket, payload)))
    } catch (error) {
      const refusal = error instanceof Fault ? error : fault('server.internal')
      if (refusal !== error) this.#parts.log.error({ err: error }, 'a word on a socket failed')
      sendResponse(format.refusal(refusal))
    }
  }

  /** Whether the user of a socket still has the same rights; otherwise the socket ends. */
  async #hasSameRights(socket: Socket): Promise<boolean> {
    const { caller } = socket.data
    return this.#keep(socket, (await this.#parts.callersOf([caller.sessionId])).get(caller.sessionId))
  }

  /** Ends the socket of an ended session or of a user with other rights, after an event with the reason. */
  #keep(socket: Socket, now: Caller | undefined): boolean {
    if (isSame(socket.data.caller, now)) return true
    socket.emit('session:ended', { reason: now ? 'rights-changed' : 'signed-out' })
    socket.disconnect(true)
    return false
  }

  /** Checks the sessions of all sockets; a check that is requested during another one runs afterwards. */
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

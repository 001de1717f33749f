/**
 * The socket of one simulated client. This socket reconnects by itself, sends no faster than the server
 * allows, and can lose events on purpose.
 */
import type { ChatAnswer, ChatEvents, ClientEvents } from '@dala/model'
import { io, type Socket } from 'socket.io-client'
import { setTimeout as pause } from 'node:timers/promises'

/** Fate of a socket event on its way to the client: delivered, lost or repeated. */
export type EventFate = 'passes' | 'is lost' | 'comes twice'

/**
 * Milliseconds between two events. The server cuts clients that send more than twenty packets a second,
 * including packets of the connection itself.
 */
const typingInterval = 100
const retryAfter = 500

export interface SocketOptions {
  url: string
  token: string
  /** Decides the fate of every socket event; without this function all events pass. */
  chooseFate?: (() => EventFate) | undefined
}

export class ClientSocket {
  readonly #socket: Socket<ChatEvents, ClientEvents>
  readonly #fate: (() => EventFate) | undefined
  #words: Promise<unknown> = Promise.resolve()
  #isClosed = false
  #isAway = false
  /** Number of lost socket connections, whichever side ended them. */
  losses = 0

  constructor({ url, token, chooseFate: drawFate }: SocketOptions) {
    this.#fate = drawFate
    this.#socket = io(url, {
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
      autoConnect: false,
      reconnectionDelay: 100,
      reconnectionDelayMax: 1_000,
    })
    // Socket.IO reconnects by itself after a lost network, but not after a refusal.
    const repeatEvent = () => {
      if (!this.#isClosed && !this.#isAway && !this.#socket.active) setTimeout(() => this.open(), retryAfter)
    }
    this.#socket.on('connect_error', repeatEvent)
    this.#socket.on('disconnect', () => {
      this.losses += 1
      repeatEvent()
    })
  }

  on<Name extends keyof ChatEvents>(event: Name, listener: (payload: Parameters<ChatEvents[Name]>[0]) => void): void {
    const unreliableListener = (payload: Parameters<ChatEvents[Name]>[0]) => {
      const eventFate = this.#fate?.() ?? 'passes'
      if (eventFate === 'is lost') return
      listener(payload)
      if (eventFate === 'comes twice') setImmediate(listener, payload)
    }
    // Socket.IO types its listeners by the whole map of events; this listener belongs to a single event.
    this.#socket.on(event, unreliableListener as never)
  }

  onConnect(listener: () => void): void {
    this.#socket.on('connect', listener)
  }

  get isConnected(): boolean {
    return this.#socket.connected
  }

  open(): void {
    this.#isAway = false
    if (!this.#isClosed) this.#socket.connect()
  }

  /**
   * Breaks the socket's connection as a lost network does; the library reconnects by itself.
   *
   * @returns Whether there was a connection.
   */
  cut(): boolean {
    if (!this.#socket.connected) return false
    this.#socket.io.engine.close()
    return true
  }

  /** Disconnects the socket until its method `open` is called. */
  leave(): void {
    this.#isAway = true
    this.#socket.disconnect()
  }

  close(): void {
    this.#isClosed = true
    this.#socket.disconnect()
  }

  /** Emits an event and waits for its acknowledgement; undefined when the connection was lost meanwhile. */
  emit<Word extends keyof ClientEvents>(
    eventName: Word,
    payload: Parameters<ClientEvents[Word]>[0],
  ): Promise<ChatAnswer | undefined> {
    const turn = this.#words.then(async () => {
      if (!this.#socket.connected) return undefined
      await pause(typingInterval)
      return await this.#ask(eventName, payload)
    })
    // The next socket event waits for its turn, not for the acknowledgement of the present event.
    this.#words = this.#words.then(() => pause(typingInterval))
    return turn
  }

  async #ask(eventName: string, payload: object): Promise<ChatAnswer | undefined> {
    try {
      const socket: Socket = this.#socket
      return (await socket.timeout(10_000).emitWithAck(eventName, payload)) as ChatAnswer
    } catch {
      // Error for a socket that is disconnected, or too busy to answer: the caller repeats the request after
      // the next connection.
      return undefined
    }
  }
}

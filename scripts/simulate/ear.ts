/** The socket of one client: it comes back by itself, speaks no faster than the server allows, and may be made deaf. */
import type { ChatAnswer, ChatEvents, ChatWords } from '@dala/model'
import { io, type Socket } from 'socket.io-client'
import { setTimeout as pause } from 'node:timers/promises'

/** What becomes of an event on its way to the client. */
export type Fate = 'passes' | 'is lost' | 'comes twice'

/** The server cuts who sends more than twenty packets a second; those of the connection itself count too. */
const betweenWords = 100
const retryAfter = 500

export interface EarOptions {
  url: string
  token: string
  /** Asked for every event; absent: all pass. */
  fate?: (() => Fate) | undefined
}

export class Ear {
  readonly #socket: Socket<ChatEvents, ChatWords>
  readonly #fate: (() => Fate) | undefined
  #words: Promise<unknown> = Promise.resolve()
  #isClosed = false
  #isAway = false
  /** Times that the connection was lost, whoever ended it. */
  losses = 0

  constructor({ url, token, fate }: EarOptions) {
    this.#fate = fate
    this.#socket = io(url, {
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
      autoConnect: false,
      reconnectionDelay: 100,
      reconnectionDelayMax: 1_000,
    })
    // The library comes back from a lost network, not from a refusal.
    const again = () => {
      if (!this.#isClosed && !this.#isAway && !this.#socket.active) setTimeout(() => this.open(), retryAfter)
    }
    this.#socket.on('connect_error', again)
    this.#socket.on('disconnect', () => {
      this.losses += 1
      again()
    })
  }

  on<Name extends keyof ChatEvents>(event: Name, hear: (news: Parameters<ChatEvents[Name]>[0]) => void): void {
    const listener = (news: Parameters<ChatEvents[Name]>[0]) => {
      const fate = this.#fate?.() ?? 'passes'
      if (fate === 'is lost') return
      hear(news)
      if (fate === 'comes twice') setImmediate(hear, news)
    }
    // The library types its listeners by the whole map of events; ours is one entry of it.
    this.#socket.on(event, listener as never)
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

  /** Breaks the connection as a lost network does; the library comes back by itself. Out: whether there was one. */
  cut(): boolean {
    if (!this.#socket.connected) return false
    this.#socket.io.engine.close()
    return true
  }

  /** Goes away until it is opened again. */
  leave(): void {
    this.#isAway = true
    this.#socket.disconnect()
  }

  close(): void {
    this.#isClosed = true
    this.#socket.disconnect()
  }

  /** Says something and waits for the answer; undefined when the connection went meanwhile. */
  say<Word extends keyof ChatWords>(word: Word, said: Parameters<ChatWords[Word]>[0]): Promise<ChatAnswer | undefined> {
    const turn = this.#words.then(async () => {
      if (!this.#socket.connected) return undefined
      await pause(betweenWords)
      return await this.#ask(word, said)
    })
    // The next word waits for its turn, not for the answer to this one.
    this.#words = this.#words.then(() => pause(betweenWords))
    return turn
  }

  async #ask(word: string, said: object): Promise<ChatAnswer | undefined> {
    try {
      const socket: Socket = this.#socket
      return (await socket.timeout(10_000).emitWithAck(word, said)) as ChatAnswer
    } catch {
      // Gone, or too busy to answer: whoever asked asks again after the next connection.
      return undefined
    }
  }
}

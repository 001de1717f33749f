/** Hears what other programs on the same PostgreSQL server changed, over one connection that comes back by itself. */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

const channel = 'dala_changes'
const firstDelay = 200
const longestDelay = 5_000

/** How often the connection is asked whether it is still one, and how long it may take to answer. */
export interface Probing {
  everyMs: number
  limitMs: number
}
/** How long a stop waits for the server to take note of it. */
const farewell = 500
const usualProbing: Probing = { everyMs: 15_000, limitMs: 3_000 }

type Listener = (names: ReadonlySet<string> | 'all') => void

interface Message {
  from: string
  names: readonly string[]
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || !('from' in value) || !('names' in value)) return false
  return typeof value.from === 'string' && Array.isArray(value.names)
}

function read(payload: string | undefined): Message | undefined {
  try {
    const value: unknown = JSON.parse(payload ?? '')
    return isMessage(value) ? value : undefined
  } catch {
    return undefined
  }
}

export class Announcements {
  readonly #connect: () => pg.Client
  readonly #self: string
  readonly #probing: Probing
  readonly #stopped = new AbortController()
  #client: pg.Client | undefined
  #listener: Listener = () => {}
  #running: Promise<void> = Promise.resolve()

  /**
   * @param connect Makes a client that is not connected yet.
   * @param self The name of this instance, whose own announcements are not heard.
   * @param probing How a connection is noticed that was cut without a word.
   */
  constructor(connect: () => pg.Client, self: string, probing = usualProbing) {
    this.#connect = connect
    this.#self = self
    this.#probing = probing
  }

  /**
   * The announcement of changes, to be sent behind their commit. Inside the transaction every commit would wait for the
   * one before it, because the server puts announcements in the order of commits; it does not wait for the disk here.
   *
   * @param from - The name of the instance that announces.
   * @param names - What changed.
   * @returns The statement as the driver takes it.
   */
  static message(from: string, names: readonly string[]): pg.QueryConfig {
    return {
      text: `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`,
      values: [channel, JSON.stringify({ from, names } satisfies Message)],
      name: 'announce',
    }
  }

  /** Starts to listen; resolves once the first connection stands, and keeps itself connected from then on. */
  async start(listener: Listener): Promise<void> {
    this.#listener = listener
    const lost = await this.#open()
    this.#running = this.#keep(lost)
  }

  /** Connects. Out: a promise that resolves when this connection is gone. */
  async #open(): Promise<{ gone: Promise<void> }> {
    const client = this.#connect()
    const gone = new Promise<void>((resolve) => {
      client.once('end', () => resolve())
      client.on('error', () => resolve())
    })
    client.on('notification', ({ payload }) => {
      const message = read(payload)
      if (message === undefined) this.#listener('all')
      else if (message.from !== this.#self) this.#listener(new Set(message.names))
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    this.#client = client
    if (this.#stopped.signal.aborted) await this.#close(client)
    let isAsked = false
    const ask = async () => {
      if (isAsked) return
      isAsked = true
      await this.#probe(client)
      isAsked = false
    }
    const probe = setInterval(() => void ask(), this.#probing.everyMs)
    probe.unref()
    return { gone: gone.finally(() => clearInterval(probe)) }
  }

  /** Asks for a sign of life; a connection that gives none is cut, which is heard like any other end of it. */
  async #probe(client: pg.Client): Promise<void> {
    const answer = client.query('select 1').then(
      () => true,
      () => false,
    )
    const limit = wait(this.#probing.limitMs, false, { ref: false })
    // With a statement under way, `end` cuts the connection instead of taking leave of a server that may not be there.
    if (!(await Promise.race([answer, limit]))) await client.end().catch(() => {})
  }

  /** Takes leave of the server; one that does not answer is left at once. */
  async #close(client: pg.Client): Promise<void> {
    const limit = wait(farewell, undefined, { ref: false })
    await Promise.race([client.end().catch(() => {}), limit])
  }

  async #keep({ gone }: { gone: Promise<void> }): Promise<void> {
    await gone
    let delay = firstDelay
    while (!this.#stopped.signal.aborted) {
      // Whatever was announced while nobody listened is unknown: everything may have changed.
      this.#listener('all')
      try {
        const next = await this.#open()
        this.#listener('all')
        delay = firstDelay
        await next.gone
      } catch {
        await wait(delay, undefined, { signal: this.#stopped.signal }).catch(() => {})
        delay = Math.min(delay * 2, longestDelay)
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    if (this.#client) await this.#close(this.#client)
    // The end of a connection that nobody answers on may never be heard of.
    await Promise.race([this.#running, wait(farewell, undefined, { ref: false })])
  }
}

/** Hears what other programs on the same PostgreSQL server changed, over one connection that comes back by itself. */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

const channel = 'dala_changes'
const firstDelay = 200
const longestDelay = 5_000

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
  readonly #stopped = new AbortController()
  #client: pg.Client | undefined
  #listener: Listener = () => {}
  #running: Promise<void> = Promise.resolve()

  constructor(connect: () => pg.Client, self: string) {
    this.#connect = connect
    this.#self = self
  }

  /** Channel and text of an announcement, to be sent inside the transaction that made the change. */
  static message(from: string, names: readonly string[]): [string, string] {
    return [channel, JSON.stringify({ from, names } satisfies Message)]
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
    return { gone }
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
    await this.#client?.end().catch(() => {})
    await this.#running
  }
}

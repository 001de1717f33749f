/**
 * Receives changes of other programs on the same PostgreSQL
 * server, over one connection that reconnects by itself.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

const channel = 'dala_changes'
const firstReconnectDelay = 200
const maxReconnectDelay = 5_000

/** Interval of checks of the listening connection, and the time limit of the connection's answer. */
export interface ConnectionProbing {
  intervalMs: number
  limitMs: number
}
/** Milliseconds that a stop waits for the server to close the connection. */
const closeTimeout = 500
const usualProbing: ConnectionProbing = { intervalMs: 15_000, limitMs: 3_000 }

type Listener = (names: ReadonlySet<string> | 'all') => void

interface Message {
  from: string
  names: readonly string[]
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || !('from' in value) || !('names' in value)) return false
  return typeof value.from === 'string' && Array.isArray(value.names)
}

function readMessage(payload: string | undefined): Message | undefined {
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
  readonly #probing: ConnectionProbing
  readonly #stopped = new AbortController()
  #client: pg.Client | undefined
  #listener: Listener = () => {}
  #running: Promise<void> = Promise.resolve()

  /**
   * Creates the receiver and sender of announcements between instances.
   *
   * @param connect - Makes a client that is not connected yet.
   * @param self - The name of this instance, whose own announcements are ignored.
   * @param probing - The checks that detect a connection that was lost silently.
   */
  constructor(connect: () => pg.Client, self: string, probing = usualProbing) {
    this.#connect = connect
    this.#self = self
    this.#probing = probing
  }

  /**
   * Makes the announcement of changed resources to other instances, which is sent after their commit. Inside
   * the transaction every commit would wait for the previous one, because the server orders announcements by
   * commits. Outside it does not wait for the disk.
   *
   * @param senderId - The name of the announcing instance.
   * @param names - The changes.
   * @returns The statement for the driver.
   */
  static message(senderId: string, names: readonly string[]): pg.QueryConfig {
    return {
      text: `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`,
      values: [channel, JSON.stringify({ from: senderId, names } satisfies Message)],
      name: 'announce',
    }
  }

  /** Starts to listen; resolves after the first connection, and reconnects from then on. */
  async start(listener: Listener): Promise<void> {
    this.#listener = listener
    const lostConnection = await this.#open()
    this.#running = this.#keep(lostConnection)
  }

  /**
   * Connects the listening client.
   *
   * @returns A promise that resolves when this connection is lost.
   */
  async #open(): Promise<{ gone: Promise<void> }> {
    const client = this.#connect()
    const closeSignal = new Promise<void>((resolve) => {
      client.once('end', () => resolve())
      client.on('error', () => resolve())
    })
    client.on('notification', ({ payload }) => {
      const message = readMessage(payload)
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
    let isProbing = false
    const ask = async () => {
      if (isProbing) return
      isProbing = true
      await this.#probe(client)
      isProbing = false
    }
    const probeTimer = setInterval(() => void ask(), this.#probing.intervalMs)
    probeTimer.unref()
    return { gone: closeSignal.finally(() => clearInterval(probeTimer)) }
  }

  /**
   * Checks the listening connection. One that does not answer is closed, and its end is handled like any
   * other.
   */
  async #probe(client: pg.Client): Promise<void> {
    const answer = client.query('select 1').then(
      () => true,
      () => false,
    )
    const limit = wait(this.#probing.limitMs, false, { ref: false })
    // While a statement runs, `end` cuts the connection instead of waiting for a server that may not respond.
    if (!(await Promise.race([answer, limit]))) await client.end().catch(() => {})
  }

  /** Closes the listening connection; a connection that does not answer is abandoned. */
  async #close(client: pg.Client): Promise<void> {
    const limit = wait(closeTimeout, undefined, { ref: false })
    await Promise.race([client.end().catch(() => {}), limit])
  }

  async #keep({ gone }: { gone: Promise<void> }): Promise<void> {
    await gone
    let delay = firstReconnectDelay
    while (!this.#stopped.signal.aborted) {
      // Announcements during the lost connection are missing, so everything may have changed.
      this.#listener('all')
      try {
        const nextConnection = await this.#open()
        this.#listener('all')
        delay = firstReconnectDelay
        await nextConnection.gone
      } catch {
        await wait(delay, undefined, { signal: this.#stopped.signal }).catch(() => {})
        delay = Math.min(delay * 2, maxReconnectDelay)
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    if (this.#client) await this.#close(this.#client)
    // The database server may never confirm the end of a broken connection.
    await Promise.race([this.#running, wait(closeTimeout, undefined, { ref: false })])
  }
}

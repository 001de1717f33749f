/** Sends events to the sockets of other programs on the same PostgreSQL server. */
import { createAdapter } from '@socket.io/postgres-adapter'
import pg from 'pg'

/** One connection listens and one sends: a single sender keeps the order of events. */
const limits = { max: 2, connectionTimeoutMillis: 3_000, query_timeout: 3_000 }

// The adapter never cleans its table of long events, because all of our events are short.
const cleanupInterval = 2_147_483_647

type ConnectCallback = Parameters<pg.Pool['connect']>[0]

/**
 * A pool that gives the adapter at most one listening client. The adapter requests another client after each
 * failure and releases none, so that its listening clients would leave no connection to send.
 */
class AdapterPool extends pg.Pool {
  #listeningClient: pg.PoolClient | undefined

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    // Queries of the database pool call its `connect` with a callback.
    return callback ? super.connect(callback) : this.#connectListeningClient()
  }

  override end(): Promise<void> {
    this.#endListeningClient()
    return super.end()
  }

  async #connectListeningClient(): Promise<pg.PoolClient> {
    const client = await super.connect().catch((error: unknown) => {
      if (!this.ending) throw error
    })
    this.#endListeningClient()
    if (!client || this.ending) {
      client?.release(true)
      // The adapter would repeat a refused request for ever.
      return new Promise(() => {})
    }
    const release = client.release.bind(client)
    client.release = (failure) => {
      if (this.#listeningClient === client) this.#listeningClient = undefined
      release(failure)
    }
    client.once('end', () => {
      if (this.#listeningClient === client) client.release(true)
    })
    this.#listeningClient = client
    return client
  }

  /** Ends the connection of the listening client, without another request of the adapter for it. */
  #endListeningClient(): void {
    this.#listeningClient?.removeAllListeners('notification').removeAllListeners('end').release(true)
  }
}

export interface Cluster {
  adapter: ReturnType<typeof createAdapter>
  /** Closes the pool after the adapter has been closed. */
  close(): Promise<void>
}

/**
 * Joins the socket servers of the other programs. A connection that fails or breaks is retried; failures are
 * passed to `warn`.
 */
export function joinCluster(url: string, warn: (error: unknown) => void): Cluster {
  const pool = new AdapterPool({ connectionString: url, application_name: 'dala-sockets', keepAlive: true, ...limits })
  pool.on('error', warn)
  // An unhandled error of a broken connection would end the process.
  pool.on('connect', (client) => client.on('error', warn))
  return { adapter: createAdapter(pool, { cleanupInterval, errorHandler: warn }), close: () => pool.end() }
}

/** Sends events to the sockets of other programs on the same PostgreSQL server. */
import { createAdapter } from '@socket.io/postgres-adapter'
import pg from 'pg'

/** One connection listens and one sends: a single sender keeps the order of events. */
const limits = { max: 2, connectionTimeoutMillis: 3_000, query_timeout: 3_000 }

// The adapter never cleans its table of long events, because all of our events are short.
const cleanupInterval = 2_147_483_647

type ConnectCallback = Parameters<pg.Pool['connect']>[0]

/**
 * A pool that releases the listening client when its
 * connection is lost; the adapter only requests another one.
 */
class AdapterPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    // Queries of the database pool call its `connect` with a callback.
    if (callback) return super.connect(callback)
    return super.connect().then((client) => {
      client.once('end', () => client.release(true))
      return client
    })
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

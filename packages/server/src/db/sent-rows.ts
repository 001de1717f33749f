/** Statements of the PostgreSQL driver whose rows are read as they are sent. */
import { EventEmitter } from 'node:events'
import pg from 'pg'
import { RowSplitter, type SentRow } from './sent-row.ts'

// Members of the PostgreSQL driver that its types omit.
declare module 'pg' {
  interface Connection {
    attachListeners(stream: EventEmitter): void
  }
  interface Query {
    callback: (error: Error | null) => void
    prepare(connection: Connection): void
    handleDataRow(row: SentRow): void
    handleError(error: Error, connection: Connection): void
    handleReadyForQuery(connection: Connection): void
  }
}

/** A client that separates rows from other messages before the driver's parser makes strings of them. */
export class RowClient extends pg.Client {
  constructor(configuration?: pg.ClientConfig) {
    super(configuration)
    const { connection } = this
    const attachListeners = connection.attachListeners.bind(connection)
    connection.attachListeners = (stream) => {
      const otherListeners = new EventEmitter()
      attachListeners(otherListeners)
      const splitter = new RowSplitter(
        (row) => connection.emit('dataRow', row),
        (bytes) => otherListeners.emit('data', bytes),
      )
      stream.on('data', (chunk: Buffer) => splitter.push(chunk))
    }
  }
}

/** Wrapped connections for statements that need no description of their columns. */
const plainConnections = new WeakMap<pg.Connection, pg.Connection>()

function withoutDescription(connection: pg.Connection): pg.Connection {
  const cachedConnection = plainConnections.get(connection)
  if (cachedConnection) return cachedConnection
  const silentConnection = Object.create(connection, { describe: { value: () => {} } }) as pg.Connection
  plainConnections.set(connection, silentConnection)
  return silentConnection
}

/** One statement of the PostgreSQL driver whose rows are passed on one by one. */
class SentRows extends pg.Query {
  readonly #take: (row: SentRow) => void
  #failure: Error | undefined

  constructor(query: pg.QueryConfig, take: (row: SentRow) => void, onEnd: (error: Error | null) => void) {
    super({ ...query, values: query.values ?? [] }, (error) => onEnd(error ?? null))
    this.#take = take
  }
  /** A statement without values is prepared too, because a simple one would be described. */
  requiresPreparation(): boolean {
    return true
  }
  override prepare(connection: pg.Connection): void {
    super.prepare(withoutDescription(connection))
  }
  override handleDataRow(row: SentRow): void {
    if (this.#failure) return
    try {
      this.#take(row)
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
    }
  }
  override handleReadyForQuery(connection: pg.Connection): void {
    if (this.#failure) this.handleError(this.#failure, connection)
    else super.handleReadyForQuery(connection)
  }
}

/**
 * Runs a statement and gives its rows to `take` as they arrive.
 *
 * @param client - The client of a pool that is free, or that a transaction has.
 * @param query - The statement.
 * @param takeSentRow - Receives each row, whose bytes are reused after the return.
 */
export function sendRowQuery(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  takeSentRow: (row: SentRow) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new SentRows(query, takeSentRow, (error) => (error ? reject(error) : resolve())))
  })
}

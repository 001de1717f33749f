/** A PostgreSQL server: a pool of connections for work, and one connection that listens. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { Announcements } from './announcements.ts'
import {
  type Answer,
  type Connection,
  type Driver,
  type TransactionOutcome,
  RolledBackError,
  type RowMode,
  type Statement,
} from './driver.ts'
import { JoinedSocket } from './joined-socket.ts'
import { RowClient, sendRowQuery } from './sent-rows.ts'
import { statementNames } from './statement-names.ts'
import { decoders, encodeValue } from './values.ts'

// Time limits of checklist §3 for database sessions.
const limits = {
  connectionTimeoutMillis: 3_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 30_000,
  max: 10,
}

/**
 * Idle connections stay open for a while: a new one knows no table and has planned no statement, so its first request
 * takes several times as long. The system asks whether the other end of an idle one is still there.
 */
const idleLimits = { idleTimeoutMillis: 300_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

const lists = { int8: 1016, others: new Set([1007, 1009, 1015]) }

/** The driver's own parser for lists of a built-in type. */
const parserOf = (id: number) => pg.types.getTypeParser(id, 'text') as (text: string) => unknown[]

/** Decoders of PostgreSQL values by the number of their type; the server sends all values as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number): ((text: string) => unknown) => {
    if (lists.others.has(id)) return parserOf(id)
    if (id === lists.int8) return (text) => parserOf(id)(text).map(Number)
    return decoders[id] ?? String
  },
}

/**
 * Statements that begin and commit a transaction have names, because the driver sends unnamed ones
 * immediately, in their own message.
 */
const transactionStatements = { begin: { name: 'begin', text: 'begin' }, commit: { name: 'commit', text: 'commit' } }

const writingCommands = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Runs statements on one client, or each on any free client. */
function connectionOn(poolOrClient: pg.Pool | pg.PoolClient, nameOf: (sql: string) => string | undefined): Connection {
  const queryOf = ({ sql, parameters, mustReplan, isRecurring }: Statement, isNamed: boolean) => {
    const name = mustReplan || !(isNamed || isRecurring) ? undefined : nameOf(sql)
    return { text: sql, values: parameters.map(encodeValue), ...(name !== undefined && { name }) }
  }
  return {
    async run(statement: Statement, mode: RowMode): Promise<Answer> {
      const query = queryOf(statement, mode === 'array')
      const { rows, rowCount, command } =
        mode === 'object'
          ? await poolOrClient.query<object>(query)
          : await poolOrClient.query<unknown[]>({ ...query, rowMode: 'array' })
      return { rows, affectedCount: writingCommands.has(command) ? (rowCount ?? 0) : undefined }
    },
    async forEachRow(statement, take) {
      const query = queryOf(statement, true)
      if (!(poolOrClient instanceof pg.Pool)) return sendRowQuery(poolOrClient, query, take)
      const client = await poolOrClient.connect()
      let failure: unknown
      try {
        await sendRowQuery(client, query, take)
      } catch (error) {
        failure = error
        throw error
      } finally {
        client.release(failure !== undefined)
      }
    },
    async script(sql) {
      // For a text with several statements the PostgreSQL driver returns a list.
      const queryAnswer: pg.QueryResult<object> | pg.QueryResult<object>[] = await poolOrClient.query(sql)
      return [queryAnswer].flat().flatMap(({ rows }) => rows)
    },
  }
}

/** Opens the pool and the listening connection; throws when the server cannot be reached or is too old. */
export async function openServer(url: string): Promise<Driver> {
  const configuration = {
    connectionString: url,
    application_name: 'dala',
    // Statements of the program are short: compiling one costs more than it saves, 20 ms where estimates are
    // high.
    options: '-c timezone=UTC -c datestyle=ISO -c jit=off',
    types,
  }
  // Statements of a transaction may be sent together; each is answered separately.
  const pool = new pg.Pool({
    ...configuration,
    ...limits,
    ...idleLimits,
    pipeline: true,
    Client: RowClient,
    stream: () => new JoinedSocket(),
  })
  // A connection that breaks while idle would otherwise end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const nameOf = statementNames()
  const connection = connectionOn(pool, nameOf)
  const ownId = randomUUID()
  const announcements = new Announcements(
    () => new pg.Client({ ...configuration, keepAlive: true, connectionTimeoutMillis: limits.connectionTimeoutMillis }),
    ownId,
  )

  async function session<T>(runTask: (connection: Connection, client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let isBroken = true
    try {
      const result = await runTask(connectionOn(client, nameOf), client)
      isBroken = false
      return result
    } finally {
      client.release(isBroken)
    }
  }

  /**
   * Announces changes to other instances and never fails: an instance that misses this treats everything as
   * changed when it reconnects.
   */
  async function announceChanges(sender: pg.Pool | pg.PoolClient, names: readonly string[]): Promise<boolean> {
    return sender.query(Announcements.message(ownId, names)).then(
      () => true,
      () => false,
    )
  }

  async function transaction<T>(runTask: (connection: Connection) => Promise<TransactionOutcome<T>>): Promise<T> {
    const client = await pool.connect()
    let isBroken = true
    let unannouncedNames: readonly string[] = []
    try {
      // The statement `begin` is sent with the first statement of the work, and answered before it.
      const beginCall = client.query(transactionStatements.begin)
      beginCall.catch(() => {})
      const { result, changed } = await runTask(connectionOn(client, nameOf))
      // A connection that breaks after the commit was sent may have stored the change without announcing it.
      unannouncedNames = changed
      const commitCall = client.query(transactionStatements.commit)
      // The announcement is sent after the transaction, because transactions that announce wait for each
      // other's commit.
      const announceCall = changed.length > 0 ? announceChanges(client, changed) : true
      // Answers arrive in the order of the statements, so the first failure is the cause of the others.
      const [, answer, { command }, isAnnounced] = await Promise.all([beginCall, result, commitCall, announceCall])
      isBroken = !isAnnounced
      if (!isBroken) unannouncedNames = []
      if (command !== 'COMMIT') throw new RolledBackError('The transaction was rolled back')
      return answer
    } catch (error) {
      if (isBroken) {
        isBroken = await client.query('rollback').then(
          () => false,
          () => true,
        )
        if (!isBroken) unannouncedNames = []
      }
      throw error
    } finally {
      client.release(isBroken)
      if (unannouncedNames.length > 0) void announceChanges(pool, unannouncedNames)
    }
  }

  try {
    const { rows } = await connection.run(
      { sql: `select current_setting('server_version_num')::int, current_setting('server_encoding')`, parameters: [] },
      'array',
    )
    const [version, encoding] = (rows[0] ?? []) as unknown[]
    if (Number(version) < 150_000) throw new Error('PostgreSQL 15 or newer is needed')
    if (encoding !== 'UTF8') throw new Error('The database must be encoded in UTF8')
  } catch (error) {
    await pool.end()
    throw error
  }

  return {
    kind: 'server',
    ...connection,
    transaction,
    session,
    withoutTimeLimit: (runTask) => runTask(),
    subscribe: (listener) => announcements.start(listener),
    snapshot: () => Promise.resolve(undefined),
    load: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      limit: limits.max,
    }),
    close: async () => {
      await announcements.stop()
      await pool.end()
    },
  }
}

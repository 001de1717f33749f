/** A PostgreSQL server: a pool for work and one connection that listens. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { Announcements } from './announcements.ts'
import { type Answer, type Connection, type Driver, RolledBackError, type RowMode, type Statement } from './driver.ts'
import { statementNames } from './statement-names.ts'
import { decoders, encode } from './values.ts'

// Limits of checklist §3.
const limits = {
  connectionTimeoutMillis: 3_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 30_000,
  max: 10,
}

const lists = { int8: 1016, others: new Set([1007, 1009, 1015]) }

/** The driver's own reading of a list of a built-in type. */
const parserOf = (id: number) => pg.types.getTypeParser(id, 'text') as (text: string) => unknown[]

/** Decoders by type number as the driver asks for them; everything is sent as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number): ((text: string) => unknown) => {
    if (lists.others.has(id)) return parserOf(id)
    if (id === lists.int8) return (text) => parserOf(id)(text).map(Number)
    return decoders[id] ?? String
  },
}

const asSent: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

const writing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function connectionOn(client: pg.Pool | pg.PoolClient, nameOf: (sql: string) => string | undefined): Connection {
  return {
    async run({ sql, parameters, replan }: Statement, mode: RowMode): Promise<Answer> {
      const name = mode === 'object' || replan ? undefined : nameOf(sql)
      const query = { text: sql, values: parameters.map(encode), ...(name !== undefined && { name }) }
      const { rows, rowCount, command } =
        mode === 'object'
          ? await client.query<object>(query)
          : await client.query<unknown[]>({ ...query, rowMode: 'array', ...(mode === 'text' && { types: asSent }) })
      return { rows, affected: writing.has(command) ? (rowCount ?? 0) : undefined }
    },
    async script(sql) {
      // The driver answers a text of several statements with a list.
      const answered: pg.QueryResult<object> | pg.QueryResult<object>[] = await client.query(sql)
      return [answered].flat().flatMap(({ rows }) => rows)
    },
  }
}

/** Opens the pool and the listening connection; throws when the server cannot be reached or is too old. */
export async function openServer(url: string): Promise<Driver> {
  const configuration = {
    connectionString: url,
    application_name: 'dala',
    // Our statements are short: machine code for one costs more than it saves, 20 ms where estimates are high.
    options: '-c timezone=UTC -c datestyle=ISO -c jit=off',
    types,
  }
  const pool = new pg.Pool({ ...configuration, ...limits })
  // A connection that breaks while nothing waits on it would otherwise end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const nameOf = statementNames()
  const connection = connectionOn(pool, nameOf)
  const self = randomUUID()
  const announcements = new Announcements(
    () => new pg.Client({ ...configuration, keepAlive: true, connectionTimeoutMillis: limits.connectionTimeoutMillis }),
    self,
  )

  async function session<T>(work: (connection: Connection, client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken = true
    try {
      const result = await work(connectionOn(client, nameOf), client)
      broken = false
      return result
    } finally {
      client.release(broken)
    }
  }

  async function transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken = true
    try {
      await client.query('begin')
      const result = await work(connectionOn(client, nameOf))
      const { command } = await client.query('commit')
      broken = false
      if (command !== 'COMMIT') throw new RolledBackError('The transaction was rolled back')
      return result
    } catch (error) {
      if (broken) {
        broken = await client.query('rollback').then(
          () => false,
          () => true,
        )
      }
      throw error
    } finally {
      client.release(broken)
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
    publish: async (inside, names) => {
      await inside.run({ sql: 'select pg_notify($1, $2)', parameters: Announcements.message(self, names) }, 'object')
    },
    subscribe: (listener) => announcements.start(listener),
    snapshot: () => Promise.resolve(undefined),
    close: async () => {
      await announcements.stop()
      await pool.end()
    },
  }
}

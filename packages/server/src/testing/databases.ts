/** The databases of tests: one for each worker, migrated once and emptied between tests. */
import pg from 'pg'
import { type Database, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'

let opened: Promise<Database> | undefined
let tables: Promise<string> | undefined

/** An empty database that was never migrated, on the kind of this run. Whoever opens it closes it. */
export async function openBareDatabase(name: string): Promise<Database> {
  const url = process.env.TEST_DATABASE_URL
  return openDatabase(url ? { url: await createTestDatabase(url, name) } : { memory: true })
}

export interface TestDatabase {
  database: Database
  /** For the end of a file; the worker's database itself stays open for the next one. */
  close(): Promise<void>
}

/** The worker's migrated database, without rows; the same one for every file of the worker. */
export async function openTestDatabase(): Promise<TestDatabase> {
  opened ??= openMigrated()
  const database = await opened
  await empty(database)
  return { database, close: () => empty(database) }
}

async function empty(database: Database): Promise<void> {
  tables ??= database
    .rows({
      sql: `select string_agg(format('%I', tablename), ', ') from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
      parameters: [],
    })
    .then((rows) => String(rows[0]?.[0]))
  await database.script(`truncate ${await tables} restart identity cascade`)
  // Emptied behind its back: whoever remembers rows must forget them.
  await database.transaction((trx) => {
    for (const name of ['users', 'roles', 'sessions']) trx.changed(name)
    return Promise.resolve()
  })
}

async function openMigrated(): Promise<Database> {
  const database = await openBareDatabase(`worker_${process.env.VITEST_POOL_ID ?? '0'}`)
  await migrate(database)
  return database
}

/** Makes an empty database `dala_test_<title>` beside the one of the address. Out: its address. */
export async function createTestDatabase(url: string, title: string): Promise<string> {
  const name = `dala_test_${title}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`drop database if exists "${name}" with (force)`)
    await client.query(`create database "${name}" encoding 'UTF8' template template0`)
  } finally {
    await client.end()
  }
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

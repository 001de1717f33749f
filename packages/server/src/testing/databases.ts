/** The databases of tests: one for each worker, migrated once and emptied between tests. */
import { sql, type Template } from '../db/sql.ts'
import pg from 'pg'
import { type Database, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'

let opened: Promise<Database> | undefined

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

/**
 * Deletes the rows of those tables that have any, without asking what links to them, and lets all numbers start from 1
 * again: a test fills a few of a hundred tables, and `truncate` takes its time for each, and for all that lead to it.
 */
const emptying = `do $$
declare
  table_name text;
  has_rows bool;
begin
  perform set_config('session_replication_role', 'replica', true);
  for table_name in
    select format('public.%I', tablename) from pg_tables where schemaname = 'public' and tablename <> 'migrations'
  loop
    execute 'select exists (select from ' || table_name || ')' into has_rows;
    if has_rows then execute 'delete from ' || table_name; end if;
  end loop;
  perform setval(format('public.%I', sequencename), 1, false)
    from pg_sequences where schemaname = 'public' and last_value is not null;
end $$`

async function empty(database: Database): Promise<void> {
  await database.script(emptying)
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

/** Runs a statement that the database would refuse: a test may put lines back in time, or forge them. */
export function pastTriggers(database: Database, template: Template<unknown>): Promise<unknown> {
  return database.transaction(async (trx) => {
    await trx.query(sql`set local session_replication_role = replica`)
    return trx.query(template)
  })
}

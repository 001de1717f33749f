/** The databases of tests: one for each worker, migrated once and emptied between tests. */
import { sql, type Template } from '../db/sql.ts'
import pg from 'pg'
import { engineParts } from '../behaviours/index.ts'
import { type Calendar, calendarOf } from '../db/calendar.ts'
import { Database, openDriver } from '../db/database.ts'
import type { Driver } from '../db/driver.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { readSettings } from '../settings.ts'
import { testPassword } from './factories.ts'
import { bareImage, preparedImage } from './prepared-image.ts'

/** Working hours of the desk in tests: always open, so that waits do not depend on the day of the week. */
export const testHours = { WORKING_HOURS: '1-7 00:00-24:00' }

/**
 * The calendar of tests, with another zone where a test needs one.
 *
 * @param timeZone - The name of the zone.
 * @returns The calendar.
 */
export const testCalendar = (timeZone = 'Asia/Tashkent'): Calendar =>
  calendarOf(readSettings({ ...testHours, TIME_ZONE: timeZone }))

let testHash: Promise<string> | undefined
let isTestHashRight: Promise<boolean> | undefined

/**
 * The engine's parts with one hash of the test password for all accounts of a worker, which is compared with
 * that password once: both take 20 ms. Other passwords and other hashes are compared each time.
 */
const testParts: typeof engineParts = {
  ...engineParts,
  hashPassword: (password) =>
    password === testPassword ? (testHash ??= engineParts.hashPassword(password)) : engineParts.hashPassword(password),
  verifyPassword: async (storedHash, password) =>
    password === testPassword && storedHash === (await testHash)
      ? (isTestHashRight ??= engineParts.verifyPassword(storedHash, password))
      : engineParts.verifyPassword(storedHash, password),
}

let openedDatabase: Promise<{ driver: Driver; database: Database }> | undefined

/** Number of tests that have the worker's database open. */
let holders = 0
/** Whether the worker's database is empty, so that the next file does not spend time on emptying it again. */
let isEmpty = false

/** Opens an empty database of this run's kind; an embedded one starts from the image. */
async function openNewDriver(name: string, image: () => Promise<Blob>): Promise<Driver> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return openDriver({ url: await createTestDatabase(url, name) })
  return openDriver({ memory: true, image: await image() })
}

const databaseOn = (driver: Driver, calendar = testCalendar()): Database =>
  new Database(driver, { calendar, parts: testParts })

/**
 * Opens an empty database that was never migrated, on the kind of this run. The test that opens the database
 * closes it.
 */
export const openBareDatabase = async (name: string): Promise<Database> =>
  databaseOn(await openNewDriver(name, bareImage))

export interface TestDatabase {
  database: Database
  /**
   * Closes the database at the end of a test file; the worker's database itself stays open for the next file.
   */
  close(): Promise<void>
}

/**
 * Returns the worker's migrated database, without rows; the same one for every file of the worker.
 *
 * @param calendar - Another calendar than that of tests.
 * @returns The database, and what empties it at the end of a file.
 */
export async function openTestDatabase(calendar?: Calendar): Promise<TestDatabase> {
  const wasEmpty = isEmpty
  holders += 1
  const database = await testDatabaseWith(calendar)
  if (!wasEmpty) await emptyDatabase(database)
  return {
    database,
    close: async () => {
      await emptyDatabase(database)
      holders -= 1
      isEmpty = holders === 0
    },
  }
}

/**
 * Returns the worker's database as an application with another calendar has it: the same rows, and listeners
 * of its own.
 *
 * @param calendar - The calendar; that of tests when absent.
 * @returns The database, as it is.
 */
export async function testDatabaseWith(calendar?: Calendar): Promise<Database> {
  openedDatabase ??= openMigratedDatabase()
  isEmpty = false
  const { driver, database } = await openedDatabase
  return calendar ? databaseOn(driver, calendar) : database
}

/**
 * Deletes the rows of those tables that have any, without asking what links to them, and lets all numbers
 * start again: a test fills a few of a hundred tables, and `truncate` takes its time for each, and for
 * all that lead to it. A table without a page has no row, and is not asked.
 */
const emptyingSql = `do $$
declare
  table_name text;
  has_rows bool;
begin
  perform set_config('session_replication_role', 'replica', true);
  for table_name in
    select format('public.%I', relname) from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'
       and pg_relation_size(oid) > 0
  loop
    execute 'select exists (select from ' || table_name || ')' into has_rows;
    if has_rows then execute 'delete from ' || table_name; end if;
  end loop;
  perform setval(format('public.%I', sequencename), start_value, false)
    from pg_sequences where schemaname = 'public' and last_value is not null;
end $$`

/**
 * Empties a migrated database for the next test or proof; all numbers start again.
 *
 * @param database - The database; its caches of users and sessions are notified.
 */
export async function emptyDatabase(database: Database): Promise<void> {
  await database.script(emptyingSql)
  // The script emptied the tables without announcing a change, so the caches of users and sessions are
  // notified here.
  await database.transaction((trx) => {
    for (const name of ['users', 'roles', 'sessions']) trx.changed(name)
    return Promise.resolve()
  })
}

async function openMigratedDatabase(): Promise<{ driver: Driver; database: Database }> {
  const driver = await openNewDriver(`worker_${process.env.VITEST_POOL_ID ?? '0'}`, preparedImage)
  const database = databaseOn(driver)
  await migrateDatabase(database)
  return { driver, database }
}

/**
 * Creates an empty database `dala_test_<title>` on the server of the address; returns the address of the new
 * one.
 */
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
export function skipTriggers(database: Database, template: Template<unknown>): Promise<unknown> {
  return database.transaction(async (trx) => {
    await trx.query(sql`set local session_replication_role = replica`)
    return trx.query(template)
  })
}

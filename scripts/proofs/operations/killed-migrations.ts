/**
 * Proof that a migration killed at any moment leaves the database before or after it, never between. A program of
 * its own applies a migration of four statements to a table of many rows and is killed with SIGKILL at a random
 * moment; then the database is opened and examined. Both databases.
 * `node scripts/proofs/operations/killed-migrations.ts --kills 20`
 */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '../../../packages/server/src/db/database.ts'
import { lastMigration, migrateDatabase, readMigrations } from '../../../packages/server/src/db/migrate.ts'
import { sql } from '../../../packages/server/src/db/sql.ts'
import { findBinaries, startCluster } from '../../../packages/server/src/testing/postgres-cluster.ts'
import { repositoryRoot } from '../../lib/processes.ts'
import { temporaryFolder } from '../../lib/server-process.ts'

const migrationNumber = lastMigration() + 1
const rowCount = 100_000
/** Moments of the kills, as a share of the time of a whole run: some come after its end, also on a busy machine. */
const spread = 1.5
/** Milliseconds that a database may take to end the connection of a killed program. */
const releaseLimit = 20_000

type Place = { url: string } | { dataDir: string }

const migrationSql = `-- rolling-update: yes
alter table proof_rows add column length integer;
update proof_rows set length = length(content);
create index proof_rows_length_idx on proof_rows (length);
create table proof_totals as select length, count(*)::int as amount from proof_rows group by length;
`

/** The folder of the program's migrations and one more. */
function writeMigrations(folder: string): string {
  const source = join(repositoryRoot, 'packages/server/src/db/migrations')
  mkdirSync(folder)
  for (const name of readdirSync(source).filter((file) => file.endsWith('.sql')))
    copyFileSync(join(source, name), join(folder, name))
  writeFileSync(join(folder, `${String(migrationNumber).padStart(4, '0')}-proof.sql`), migrationSql)
  return folder
}

/** Migrates in this program: the one that is killed. */
async function migrate(place: Place, folder: string): Promise<void> {
  const database = await openDatabase(place)
  process.send?.('opened')
  await database.withoutTimeLimit(() => migrateDatabase(database, readMigrations(folder)))
  await database.close()
}

/**
 * Applies the migration in a program of its own.
 *
 * @param delayMs - Milliseconds from the open database to the kill; the program ends by itself when absent.
 * @returns Milliseconds from the open database to the end.
 */
async function runMigration(place: Place, folder: string, delayMs?: number): Promise<number> {
  const child = spawn(process.execPath, [import.meta.filename, '--migrate', JSON.stringify(place), folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await Promise.race([new Promise((resolve) => child.once('message', resolve)), exit])
  const opened = performance.now()
  if (delayMs !== undefined) {
    await Promise.race([pause(delayMs), exit])
    child.kill('SIGKILL')
  }
  const code = await exit
  if (delayMs === undefined && code !== 0) throw new Error(`The migration ended with code ${code}.`)
  return performance.now() - opened
}

/** State of the database: before the migration, after it, or a mixture. */
async function examine(database: Database): Promise<'before' | 'after' | 'between'> {
  const [found] = await database.query(sql<{
    isRecorded: boolean
    hasColumn: boolean
    hasIndex: boolean
    hasTotals: boolean
  }>`
    select exists (select from migrations where id = ${migrationNumber}::int) as "isRecorded",
           exists (select from information_schema.columns where table_name = 'proof_rows' and column_name = 'length') as "hasColumn",
           to_regclass('proof_rows_length_idx') is not null as "hasIndex",
           to_regclass('proof_totals') is not null as "hasTotals"`)
  const parts = Object.values(found ?? {})
  const [count] = await database.query(sql<{ rows: number }>`select count(*)::int as rows from proof_rows`)
  if (count?.rows !== rowCount) return 'between'
  if (parts.every((isThere) => !isThere)) return 'before'
  if (!parts.every(Boolean)) return 'between'
  const [sums] = await database.query(sql<{ filled: number; total: number }>`
    select (select count(*)::int from proof_rows where length = length(content)) as filled,
           (select sum(amount)::int from proof_totals) as total`)
  return sums?.filled === rowCount && sums.total === rowCount ? 'after' : 'between'
}

/** Waits until a server has ended the sessions of a killed program. */
async function waitForRelease(database: Database, place: Place): Promise<void> {
  if (!('url' in place)) return
  const deadline = Date.now() + releaseLimit
  for (;;) {
    const [others] = await database.query(sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and backend_type = 'client backend'`)
    if (others?.count === 0) return
    if (Date.now() > deadline) throw new Error('The server still runs the statement of a killed program.')
    await pause(50)
  }
}

/** Takes the migration back, so that it can be applied again. */
async function revert(database: Database): Promise<void> {
  await database.session((session) =>
    session.script(`begin; drop table proof_totals; alter table proof_rows drop column length;
      delete from migrations where id = ${migrationNumber}; commit`),
  )
}

async function killOn(name: string, place: Place, folder: string, kills: number): Promise<boolean> {
  const visit = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(place)
    try {
      await waitForRelease(database, place)
      return await database.withoutTimeLimit(() => work(database))
    } finally {
      await database.close()
    }
  }
  await visit(async (database) => {
    await migrateDatabase(database)
    await database.session((session) =>
      session.script(`create table proof_rows as
        select id, repeat(md5(id::text), 1 + id % 5) as content from generate_series(1, ${rowCount}) as id`),
    )
  })
  const wholeMs = await runMigration(place, folder)
  const states = [await visit(examine)]
  for (let turn = 0; turn < kills; turn += 1) {
    if (states.at(-1) === 'after') await visit(revert)
    await runMigration(place, folder, Math.random() * spread * wholeMs)
    states.push(await visit(examine))
  }
  const countOf = (state: string) => states.slice(1).filter((found) => found === state).length
  if (states.at(-1) === 'before') await runMigration(place, folder)
  const isComplete = (await visit(examine)) === 'after'
  console.log(
    `   ${name}: ${kills} kills within ${Math.round(spread * wholeMs)} ms, ${countOf('before')} before, ${countOf('after')} after, ` +
      `${countOf('between')} between; the next run ${isComplete ? 'completes' : 'DOES NOT COMPLETE'} the migration`,
  )
  return states[0] === 'after' && countOf('between') === 0 && isComplete
}

/**
 * Runs the proof and prints its figures.
 *
 * @param kills - Number of kills on each database.
 * @returns Whether no database was left between.
 */
export async function killedMigrations(kills: number): Promise<{ harmless: boolean }> {
  const dataDir = temporaryFolder('migrations')
  const folder = writeMigrations(join(dataDir, 'migrations'))
  const cluster = findBinaries() ? await startCluster({ isDurable: true }) : undefined
  try {
    const results = [await killOn('embedded database', { dataDir: join(dataDir, 'data') }, folder, kills)]
    if (cluster) results.push(await killOn('PostgreSQL server', { url: cluster.url }, folder, kills))
    else console.log('   PostgreSQL is not installed: only the embedded database was examined')
    return { harmless: results.every(Boolean) }
  } finally {
    await cluster?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const [mode, place = '', folder = ''] = process.argv.slice(2)
  if (mode === '--migrate') await migrate(JSON.parse(place) as Place, folder)
  else process.exit((await killedMigrations(mode === '--kills' ? Number(place) : 20)).harmless ? 0 : 1)
}

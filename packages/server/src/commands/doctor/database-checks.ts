/** Checks of the database: reachable, new enough, with its extension, and of this program's schema. */
import type { Database } from '../../db/database.ts'
import { LockError } from '../../db/lock.ts'
import { pendingMigrations, readMigrations, SchemaError, versionOf } from '../../db/migrate.ts'
import type { OpenData } from '../../db/open-data.ts'
import { sql } from '../../db/sql.ts'
import { areClocksApart } from '../../domain/operations/limits.ts'
import { isUnproved, readProvedBackups } from '../../domain/operations/proved-backups.ts'
import type { Settings } from '../../settings.ts'
import { openPresentData } from '../present-data.ts'
import { type Check, failure, type Finding, ok, warning } from './finding.ts'
import { type ReportedState, reportedState } from './running-server.ts'

/** The database as far as the doctor can use it. */
export type Examined =
  | { kind: 'open'; data: OpenData }
  | { kind: 'none' }
  /** The embedded database is in use; only its server can tell its state. */
  | { kind: 'in use'; process: number | undefined; state: ReportedState | undefined }
  | { kind: 'unusable'; message: string }

/**
 * Opens the database of the settings, or asks the server that uses it.
 *
 * @param settings - The settings.
 * @param holder - The process that has locked the data folder.
 * @returns What was found. Never throws.
 */
export async function examineDatabase(settings: Settings, holder: number | undefined): Promise<Examined> {
  const askServer = async () =>
    ({ kind: 'in use', process: holder, state: await reportedState(settings) }) satisfies Examined
  if (settings.databaseUrl === undefined && holder !== undefined) return askServer()
  try {
    const data = await openPresentData(settings)
    return data ? { kind: 'open', data } : { kind: 'none' }
  } catch (error) {
    if (error instanceof LockError) return askServer()
    return { kind: 'unusable', message: error instanceof Error ? error.message : String(error) }
  }
}

/** Tells whether the database can be used. */
async function databaseFinding(examined: Examined): Promise<Finding> {
  switch (examined.kind) {
    case 'open':
      await examined.data.database.ping()
      return ok('The database answers.')
    case 'none':
      return ok('There is no database yet; the first start creates it.')
    case 'unusable':
      return failure(
        examined.message,
        'Check DATABASE_URL, the network and the log of the database; restore a copy of a damaged one.',
      )
    case 'in use':
      return runningFinding(examined)
  }
}

function runningFinding({ process: holder, state }: Extract<Examined, { kind: 'in use' }>): Finding {
  if (state === 'ready') return ok('The running server uses the database, and reports that it is ready.')
  if (state === undefined)
    return warning(
      `The database is in use${holder === undefined ? '' : ` by process ${holder}`}, which does not answer at HOST and PORT.`,
      'Run dala doctor with the settings of the server, or stop the server and run it again.',
    )
  return state === 'unavailable'
    ? failure(
        'The running server reports that it is unavailable.',
        'Read its log: the disk is full, or the database fails.',
      )
    : warning(`The running server is ${state}.`, 'Run dala doctor again in a minute.')
}

/**
 * Runs a check on an open database; otherwise says why it was not examined.
 *
 * @param examined - The database.
 * @param check - The check.
 * @param readyMessage - The finding when a running server that is ready uses the database.
 */
function whenOpen(
  examined: Examined,
  check: (database: Database) => Promise<Finding>,
  readyMessage = 'The running server has applied the migrations of its version.',
): Promise<Finding> | Finding {
  if (examined.kind === 'open') return check(examined.data.database)
  if (examined.kind === 'none') return ok('There is no database to examine yet.')
  if (examined.kind === 'in use') {
    if (examined.state === 'ready') return ok(readyMessage)
    return warning(
      'The database of the running server was not examined.',
      'Follow the advice about the database first.',
    )
  }
  return warning('The database cannot be used, so it was not examined.', 'Follow the advice about the database first.')
}

/**
 * Judges the version of a PostgreSQL server.
 *
 * @param examined - The database.
 * @returns The finding.
 */
export function versionFinding(examined: Examined): Promise<Finding> | Finding {
  // The driver refuses an old server before any statement.
  if (examined.kind === 'unusable' && examined.message.includes('or newer is needed'))
    return failure(
      'The PostgreSQL server is too old: 15 or newer is needed.',
      'Update the server to PostgreSQL 15 or newer.',
    )
  return whenOpen(examined, async (database) => {
    const [row] = await database.query(sql<{ version: string }>`select current_setting('server_version') as version`)
    return ok(`The server is PostgreSQL ${row?.version ?? 'of an unknown version'}.`)
  })
}

async function extensionFinding(database: Database): Promise<Finding> {
  const [row] = await database.query(sql<{ isInstalled: boolean; isAvailable: boolean; mayCreate: boolean }>`
    select exists (select from pg_extension where extname = 'pg_trgm') as "isInstalled",
           exists (select from pg_available_extensions where name = 'pg_trgm') as "isAvailable",
           has_database_privilege(current_database(), 'create') as "mayCreate"`)
  if (row?.isInstalled) return ok('The extension pg_trgm is installed.')
  if (!row?.isAvailable)
    return failure('The server has no extension pg_trgm.', 'Install the additional modules (contrib) of PostgreSQL.')
  return row.mayCreate
    ? ok('The extension pg_trgm is available; the first start installs it.')
    : failure(
        'The extension pg_trgm is not installed, and this user may not install it.',
        'Run create extension pg_trgm as an administrator of the database.',
      )
}

/**
 * Compares the schema of a database with that of the program.
 *
 * @param database - The database.
 * @param migrations - The migrations of the program.
 * @returns The finding, which names pending migrations.
 */
export async function schemaFinding(database: Database, migrations = readMigrations()): Promise<Finding> {
  try {
    const pending = await pendingMigrations(database, migrations)
    const names = pending.map(versionOf)
    const last = migrations.at(-1)
    if (pending.length === 0) return ok(`The schema is that of the program, ${last ? versionOf(last) : 'empty'}.`)
    if (pending.length === migrations.length) return ok('The database is empty; the first start creates the schema.')
    return warning(
      `The database lacks ${pending.length} migrations: ${names.join(', ')}.`,
      'See dala migrate --plan; dala migrate or the next start applies them.',
    )
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    return failure(error.message, 'Use the version of the program that made the database, or a newer one.')
  }
}

/**
 * Judges the age of the last proved backup, as the System page does.
 *
 * @param database - The database.
 * @returns The finding.
 */
export async function proofFinding(database: Database): Promise<Finding> {
  const [row] = await database.query(sql<{ isRecorded: boolean }>`
    select to_regclass('backups') is not null and to_regclass('system_days') is not null as "isRecorded"`)
  if (!row?.isRecorded) return ok('The database has no record of backups yet.')
  const backups = await readProvedBackups(database)
  const advice = 'Open the copies of the System page: take one and prove it, and read why the last one failed.'
  if (backups.failure)
    return warning(
      `The last scheduled backup, of ${backups.failure.at}, ${backups.failure.step === 'backup' ? 'failed' : 'was not proved'}.`,
      advice,
    )
  if (isUnproved(backups)) return warning(`No backup was proved for ${backups.days} days.`, advice)
  return ok(
    backups.proved_at === null ? 'No backup was proved yet.' : `The last proved backup is of ${backups.proved_at}.`,
  )
}

/**
 * Judges the difference between two clocks.
 *
 * @param differenceMs - Milliseconds by which the database is ahead.
 * @returns The finding.
 */
export function clockFinding(differenceMs: number): Finding {
  const seconds = (Math.abs(differenceMs) / 1_000).toFixed(1)
  if (!areClocksApart(differenceMs)) return ok('The clocks of the program and of the database agree.')
  const direction = differenceMs > 0 ? 'ahead of' : 'behind'
  return warning(
    `The clock of the database is ${seconds} seconds ${direction} that of the program.`,
    'Synchronise the clocks of both machines, as with NTP.',
  )
}

async function readClock(database: Database): Promise<Finding> {
  const before = Date.now()
  const [row] = await database.query(
    sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  )
  return clockFinding((row?.now ?? Number.NaN) - (before + Date.now()) / 2)
}

/** Counts the connections of running servers to a PostgreSQL server. */
async function connectionFinding(database: Database): Promise<Finding> {
  const [row] = await database.query(sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
     where application_name = 'dala' and datname = current_database() and pid <> pg_backend_pid()`)
  const count = row?.count ?? 0
  return ok(
    count === 0
      ? 'No server is connected to the database.'
      : `Running servers have ${count} connections to the database.`,
  )
}

/**
 * Returns the checks of the database.
 *
 * @param settings - The settings.
 * @param holder - The process that has locked the data folder.
 * @param examination - The database, opened once for all of them.
 */
export function databaseChecks(
  { databaseUrl }: Settings,
  holder: number | undefined,
  examination: Promise<Examined>,
): Check[] {
  const isEmbedded = databaseUrl === undefined
  const onServer = (check: (database: Database) => Promise<Finding>, embeddedMessage: string) => async () =>
    isEmbedded ? ok(embeddedMessage) : whenOpen(await examination, check)
  const lockMessage =
    holder === undefined
      ? 'No server is running on the data folder.'
      : `A server is running on the data folder (process ${holder}).`
  return [
    { name: 'server', run: onServer(connectionFinding, lockMessage) },
    { name: 'database', run: async () => databaseFinding(await examination) },
    {
      name: 'version',
      run: async () =>
        isEmbedded ? ok('The embedded PostgreSQL comes with the program.') : versionFinding(await examination),
    },
    { name: 'extension', run: onServer(extensionFinding, 'The embedded PostgreSQL has the extension pg_trgm.') },
    { name: 'schema', run: async () => whenOpen(await examination, (database) => schemaFinding(database)) },
    {
      name: 'proof',
      run: async () =>
        whenOpen(
          await examination,
          proofFinding,
          'The System page of the running server judges the proof of its backups.',
        ),
    },
    { name: 'clock', run: onServer(readClock, 'The embedded database has the clock of the program.') },
  ]
}

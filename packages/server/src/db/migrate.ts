/**
 * Migrates the database to this program's schema: every
 * migration in order, each in a transaction with its record.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withAdvisoryLock } from './advisory-lock.ts'
import type { Database } from './database.ts'
import type { Connection } from './driver.ts'

export interface Migration {
  id: number
  name: string
  checksum: string
  sql: string
}

/**
 * Error of a schema that does not fit the program; the message is one sentence for the person who starts it.
 */
export class SchemaError extends Error {
  override name = 'SchemaError'
}

const folder = join(import.meta.dirname, 'migrations')
const fileName = /^(\d{4})-([a-z0-9-]+)\.sql$/
/** Number of the advisory lock for changes of the schema. */
export const migrationLock = 4_711_001
const lockAttempts = 5
/** Number of the first migration that declares whether the former version may run beside it. */
const firstDeclaringMigration = 58
/** Codes of a lock timeout and of a deadlock: the former version may be serving meanwhile. */
const retriedCodes: ReadonlySet<unknown> = new Set(['55P03', '40P01'])

/** Whether the former version of the program may run while and after a migration is applied. */
export type RollingUpdate = { state: 'yes' } | { state: 'no'; reason: string } | { state: 'not declared' }

/**
 * Reads what the first line of a migration declares: `-- rolling-update: yes`, or `-- rolling-update: no,
 * <reason>`.
 *
 * @param migration - The migration.
 * @returns The declaration; migrations before number 58 have none.
 */
export function rollingUpdateOf({ sql }: Pick<Migration, 'sql'>): RollingUpdate {
  const [firstLine = ''] = sql.split('\n', 1)
  if (/^-- rolling-update: yes$/.test(firstLine)) return { state: 'yes' }
  const reason = /^-- rolling-update: no, (\S.*)$/.exec(firstLine)?.[1]
  return reason === undefined ? { state: 'not declared' } : { state: 'no', reason }
}

/** Lists the migrations of a folder without their texts. */
function listMigrations(migrationFolder: string): { id: number; name: string; title: string }[] {
  const names = readdirSync(migrationFolder).filter((name) => name.endsWith('.sql'))
  return names.map((name) => {
    const [, id, title] = fileName.exec(name) ?? []
    if (id === undefined || title === undefined)
      throw new SchemaError(`The migration ${name} is not named NNNN-name.sql.`)
    return { id: Number(id), name, title }
  })
}

/**
 * Reads the number of the last migration from the file names.
 *
 * @returns The number, 0 when there is no migration.
 * @throws SchemaError when a file is not named like a migration.
 */
export const lastMigration = (): number => Math.max(0, ...listMigrations(folder).map(({ id }) => id))

/**
 * The migrations of a folder in order; file names are `NNNN-name.sql` and nothing else.
 *
 * @throws SchemaError for a wrong name, a number that two have, and a new one without its declaration.
 */
export function readMigrations(migrationFolder: string = folder): Migration[] {
  const migrations = listMigrations(migrationFolder).map(({ id, name, title }) => {
    const sql = readFileSync(join(migrationFolder, name), 'utf8').replaceAll('\r\n', '\n')
    return { id, name: title, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
  migrations.sort((a, b) => a.id - b.id)
  for (const [index, migration] of migrations.entries()) {
    const { id, name } = migration
    if (migrations[index - 1]?.id === id) throw new SchemaError(`Two migrations have the number of ${name}.`)
    if (id >= firstDeclaringMigration && rollingUpdateOf(migration).state === 'not declared')
      throw new SchemaError(
        `The migration ${versionOf(migration)} does not begin with "-- rolling-update: yes" or "-- rolling-update: no, <reason>".`,
      )
  }
  return migrations
}

/**
 * Applies missing migrations, one program at a time.
 *
 * @param database - The database.
 * @param migrations - The migrations of the program.
 * @param prepare - Runs before the first migration of a database that has others already; its failure ends the work.
 * @returns The names of the applied migrations.
 * @throws SchemaError when the database is newer than the program or was made from other migrations; nothing
 *   is changed then (checklist §11).
 */
export function migrateDatabase(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
  prepare?: () => Promise<void>,
): Promise<string[]> {
  return withAdvisoryLock(database, migrationLock, async (session) => {
    await session.script(`create table if not exists migrations (
      id integer primary key, name varchar(255) not null, checksum varchar(64) not null,
      applied_at timestamptz(3) not null default now(), keeps_former boolean not null default false)`)
    await addDeclaration(session)
    const appliedMigrations = await readAppliedMigrations(session)
    const missingMigrations = compareMigrations(migrations, appliedMigrations)
    if (appliedMigrations.length > 0 && missingMigrations.length > 0) await prepare?.()
    for (const migration of missingMigrations) await applyWithRetries(session, migration)
    return missingMigrations.map(({ name }) => name)
  })
}

/**
 * Adds the column of declarations to a database that an earlier version has migrated. The table is locked only then: a
 * backup that reads it would otherwise hold up each start.
 */
async function addDeclaration(session: Connection): Promise<void> {
  const { rows } = await session.run(
    {
      sql: `select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'keeps_former'`,
      parameters: [],
    },
    'object',
  )
  if (rows.length === 0)
    await session.script('alter table migrations add column keeps_former boolean not null default false')
}

/**
 * Whether this program may serve the database: every migration up to its last one is applied, and later ones, of a
 * newer version that runs beside it, declare that it may (checklist §11, /ready).
 */
export async function isMigrated(database: Database, lastMigrationId: number): Promise<boolean> {
  const rows = await database.rows({
    sql: 'select max(id) >= $1 and bool_and(keeps_former or id <= $1) from migrations',
    parameters: [lastMigrationId],
  })
  return rows[0]?.[0] === true
}

/** Returns the name of a migration as people read it, `NNNN-name`. */
export const versionOf = ({ id, name }: Pick<Migration, 'id' | 'name'>) => `${String(id).padStart(4, '0')}-${name}`

/** Throws a SchemaError when a schema version, `NNNN-name`, is unknown to this program. */
export function assertKnownSchema(version: string, migrations: readonly Migration[] = readMigrations()): void {
  if (!migrations.some((migration) => versionOf(migration) === version))
    throw new SchemaError(
      `The data were made by another version of the program (schema ${version}): update the program.`,
    )
}

/**
 * The schema version of a database: its last migration, `NNNN-name`.
 *
 * @throws SchemaError when it was never migrated, or does not belong to this program.
 */
export function schemaVersion(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string> {
  return database.session(async (session) => {
    const foundMigrations = await readMigrationsIn(session)
    compareMigrations(migrations, foundMigrations)
    const lastMigration = foundMigrations.at(-1)
    if (lastMigration === undefined) throw new SchemaError('This is not a database of Dala.')
    return versionOf(lastMigration)
  })
}

/**
 * Returns the migrations that a database lacks; changes nothing.
 *
 * @param database - The database, which may be empty.
 * @param migrations - The migrations of the program.
 * @returns The missing ones in order.
 * @throws SchemaError when the database is newer than the program or was made from other migrations.
 */
export function pendingMigrations(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<Migration[]> {
  return database.session(async (session) => compareMigrations(migrations, await readMigrationsIn(session)))
}

/** The applied migrations of a database; none when it was never migrated. */
async function readMigrationsIn(session: Connection): Promise<{ id: number; name: string; checksum: string }[]> {
  const { rows } = await session.run({ sql: `select to_regclass('migrations') is not null`, parameters: [] }, 'array')
  return (rows[0] as unknown[])[0] === true ? readAppliedMigrations(session) : []
}

async function readAppliedMigrations(session: Connection): Promise<{ id: number; name: string; checksum: string }[]> {
  const { rows } = await session.run(
    { sql: 'select id, name, checksum from migrations order by id', parameters: [] },
    'object',
  )
  return rows as { id: number; name: string; checksum: string }[]
}

function compareMigrations(
  knownMigrations: readonly Migration[],
  foundMigrations: readonly { id: number; name: string; checksum: string }[],
): Migration[] {
  const migrationsById = new Map(knownMigrations.map((migration) => [migration.id, migration]))
  for (const { id, name, checksum } of foundMigrations) {
    const migration = migrationsById.get(id)
    if (!migration) {
      throw new SchemaError(
        `The database was made by a newer version of the program (it has the migration ${id}-${name}): update the program.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new SchemaError(`The migration ${id}-${name} was changed after it had been applied to this database.`)
    }
  }
  const appliedIds = new Set(foundMigrations.map(({ id }) => id))
  return knownMigrations.filter(({ id }) => !appliedIds.has(id))
}

async function applyWithRetries(session: Connection, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyMigration(session, migration)
    } catch (error) {
      await session.script('rollback')
      const isLocked = error instanceof Error && 'code' in error && retriedCodes.has(error.code)
      if (!isLocked || attempt === lockAttempts) throw error
    }
  }
}

async function applyMigration(session: Connection, migration: Migration): Promise<void> {
  const { id, name, checksum, sql } = migration
  await session.script('begin')
  await session.script(`set local lock_timeout = '5s'`)
  await session.script(sql)
  await session.run(
    {
      sql: 'insert into migrations (id, name, checksum, keeps_former) values ($1, $2, $3, $4)',
      parameters: [id, name, checksum, rollingUpdateOf(migration).state === 'yes'],
    },
    'object',
  )
  await session.script('commit')
}

/** Observes which tables the pending migrations of a database lock, in a scratch database in memory. */
import { type Database, openDatabase } from '../db/database.ts'
import type { Connection } from '../db/driver.ts'
import {
  type RollingUpdate,
  rollingUpdateOf,
  migrateDatabase,
  type Migration,
  pendingMigrations,
  readMigrations,
  versionOf,
} from '../db/migrate.ts'
import { sql } from '../db/sql.ts'

/** The modes of table locks from the weakest, as `pg_locks` names them, and who waits for each. */
const lockModes = {
  AccessShareLock: ['ACCESS SHARE', 'nothing'],
  RowShareLock: ['ROW SHARE', 'writes of the same rows'],
  RowExclusiveLock: ['ROW EXCLUSIVE', 'writes of the same rows'],
  ShareUpdateExclusiveLock: ['SHARE UPDATE EXCLUSIVE', 'nothing'],
  ShareLock: ['SHARE', 'writes'],
  ShareRowExclusiveLock: ['SHARE ROW EXCLUSIVE', 'writes'],
  ExclusiveLock: ['EXCLUSIVE', 'writes'],
  AccessExclusiveLock: ['ACCESS EXCLUSIVE', 'reads and writes'],
} as const satisfies Record<
  string,
  readonly [lock: string, waits: 'nothing' | 'writes of the same rows' | 'writes' | 'reads and writes']
>
type Mode = keyof typeof lockModes
const modesFromWeakest = Object.keys(lockModes) as Mode[]

/** The strongest lock of a migration on a table that existed before it. */
export interface TableLock {
  table: string
  lock: (typeof lockModes)[Mode][0]
  /** Work of other sessions that waits until the end of the migration. */
  waits: (typeof lockModes)[Mode][1]
  /** Estimated rows of the table in the real database; null when a migration before this one creates it. */
  rows: number | null
}

export interface MigrationPlan {
  /** Last applied migration of the database; null when it is empty. */
  schema: string | null
  pending: { migration: string; rollingUpdate: RollingUpdate; locks: TableLock[] }[]
}

/** Most rows that are counted where the database has no estimate of a table. */
const mostCounted = 100_000

/**
 * Describes the pending migrations of a database, which stays as it is. Each of them is run in a transaction
 * on an empty database of the same schema, whose locks are read before the commit. Locks that depend on rows,
 * as of a migration that changes what it finds, are not seen.
 *
 * @param database - The database.
 * @param migrations - The migrations of the program.
 * @returns The plan.
 * @throws SchemaError when the database is newer than the program.
 */
export async function planMigrations(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<MigrationPlan> {
  const pending = await pendingMigrations(database, migrations)
  const pendingIds = new Set(pending.map(({ id }) => id))
  const applied = migrations.filter(({ id }) => !pendingIds.has(id))
  const lastApplied = applied.at(-1)
  const plan: MigrationPlan = { schema: lastApplied ? versionOf(lastApplied) : null, pending: [] }
  if (pending.length === 0) return plan
  const scratch = await openDatabase({ memory: true })
  try {
    await migrateDatabase(scratch, applied)
    for (const migration of pending) {
      const modes = await scratch.session((session) => observeLocks(session, migration))
      const locks: TableLock[] = []
      for (const [table, mode] of modes) {
        const [lock, waits] = lockModes[mode]
        locks.push({ table, lock, waits, rows: await estimateRows(database, table) })
      }
      plan.pending.push({ migration: versionOf(migration), rollingUpdate: rollingUpdateOf(migration), locks })
    }
    return plan
  } finally {
    await scratch.close()
  }
}

/** Applies a migration and returns the strongest lock mode of each table that existed before, by table. */
async function observeLocks(session: Connection, { sql: text }: Migration): Promise<Map<string, Mode>> {
  const { rows: tables } = await session.run(
    {
      sql: `select oid::int as id, relname as name from pg_class
             where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by relname`,
      parameters: [],
    },
    'object',
  )
  await session.script('begin')
  await session.script(text)
  const { rows: locks } = await session.run(
    {
      sql: `select relation::int as id, mode from pg_locks
             where pid = pg_backend_pid() and locktype = 'relation' and granted
               and database = (select oid from pg_database where datname = current_database())`,
      parameters: [],
    },
    'object',
  )
  await session.script('commit')
  const modes = new Map<string, Mode>()
  for (const { id, name } of tables as { id: number; name: string }[]) {
    const heldModes = (locks as { id: number; mode: Mode }[]).filter((lock) => lock.id === id).map(({ mode }) => mode)
    const strongestMode = modesFromWeakest.findLast((mode) => heldModes.includes(mode))
    if (strongestMode !== undefined) modes.set(name, strongestMode)
  }
  return modes
}

/**
 * The rows of a table as the database estimates them, or counted up to a limit; null for an unknown table.
 */
async function estimateRows(database: Database, table: string): Promise<number | null> {
  const [found] = await database.query(sql<{ estimate: number }>`
    select reltuples::float8 as estimate from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname = ${table}::text`)
  if (!found) return null
  if (found.estimate >= 0) return found.estimate
  const [counted] = await database.query(sql<{ count: number }>`
    select count(*)::int as count from (select from ${sql.table(table)} limit ${sql.lit(mostCounted)}) as first_rows`)
  return counted?.count ?? null
}

/**
 * Runs a proof against an application on the embedded database, or on a PostgreSQL server of the installed
 * binaries.
 */
import { rmSync } from 'node:fs'
import { buildApp } from '../../packages/server/src/app.ts'
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { calendarOf } from '../../packages/server/src/db/calendar.ts'
import { Database, openDriver } from '../../packages/server/src/db/database.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { placePreparedFolder } from '../../packages/server/src/db/prepared.ts'
import { WorkQueue } from '../../packages/server/src/db/work-queue.ts'
import { readSettings } from '../../packages/server/src/settings.ts'
import { emptyDatabase } from '../../packages/server/src/testing/databases.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { wideBudgets } from '../../packages/server/src/testing/wide-budgets.ts'
import { temporaryFolder } from '../lib/server-process.ts'
import { failedTally, passedTally, skippedTally, type CountTally } from '../lib/step.ts'

/** Location of a proof's records: the embedded database, or a PostgreSQL server of the installed binaries. */
export type DatabasePlace = 'embedded' | 'server'

/** An application that a proof calls, and its database. */
export interface ProofApp {
  app: Awaited<ReturnType<typeof buildApp>>
  database: Database
}

/** An open, migrated database that proofs use one after another. */
interface OpenPlace {
  driver: Awaited<ReturnType<typeof openDriver>>
  close: () => Promise<void>
}

/** Databases that stay open for the next proof of this program; absent when each proof opens its own. */
let keptPlaces: Map<DatabasePlace, OpenPlace> | undefined

/** Lets the proofs of this program share one database of each kind, which is emptied between two proofs. */
export function keepPlaces(): void {
  keptPlaces ??= new Map()
}

/** Closes the databases that stayed open. */
export async function closePlaces(): Promise<void> {
  for (const { close } of keptPlaces?.values() ?? []) await close()
  keptPlaces = undefined
}

async function openPlace(databaseKind: DatabasePlace): Promise<OpenPlace> {
  const folder = temporaryFolder('place')
  const cluster = databaseKind === 'server' ? await startCluster() : undefined
  let driver: OpenPlace['driver'] | undefined
  const closeDatabase = async () => {
    await driver?.close()
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (!cluster) placePreparedFolder(folder)
    driver = await openDriver(cluster ? { url: cluster.url } : { dataDir: folder })
    await migrateDatabase(new Database(driver))
    return { driver, close: closeDatabase }
  } catch (error) {
    await closeDatabase()
    throw error
  }
}

/** Opens the database of the next proof, or empties the one that stayed open. */
async function takePlace(databaseKind: DatabasePlace): Promise<OpenPlace> {
  const keptPlace = keptPlaces?.get(databaseKind)
  if (keptPlace) {
    await emptyDatabase(new Database(keptPlace.driver))
    return keptPlace
  }
  const openedDatabase = await openPlace(databaseKind)
  keptPlaces?.set(databaseKind, openedDatabase)
  return openedDatabase
}

/**
 * Builds an application on an empty, migrated database and runs a proof on it. Working hours are around the
 * clock, so that waits do not depend on the day of the week.
 *
 * @param databaseKind - The database.
 * @param proveApp - The proof; returns whether it holds.
 * @param changedSettings - Settings that differ.
 * @returns One step passed, failed, or skipped without PostgreSQL.
 */
export async function runOnPlace(
  databaseKind: DatabasePlace,
  proveApp: (app: ProofApp) => Promise<boolean>,
  changedSettings: Readonly<Record<string, string>> = {},
): Promise<CountTally> {
  if (databaseKind === 'server' && findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedTally
  }
  const { driver, close } = await takePlace(databaseKind)
  const dataDir = temporaryFolder('proof')
  try {
    const settings = readSettings({
      DATA_DIR: dataDir,
      NODE_ENV: 'test',
      WORKING_HOURS: '1-7 00:00-24:00',
      ...wideBudgets,
      ...changedSettings,
    })
    const database = new Database(driver, { calendar: calendarOf(settings), parts: engineParts })
    const app = await buildApp({ settings, database, queue: new WorkQueue(database), log: { level: 'silent' } })
    try {
      await app.ready()
      return (await proveApp({ app, database })) ? passedTally : failedTally
    } finally {
      await app.close()
    }
  } finally {
    if (!keptPlaces) await close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Runs a proof on the databases that `--on` names on the command line, on both without it. */
export async function runOnNamedPlaces(prove: (proofDatabase: DatabasePlace) => Promise<CountTally>): Promise<void> {
  const on = optionOf('--on')
  const databaseKinds: DatabasePlace[] = on === 'embedded' || on === 'server' ? [on] : ['embedded', 'server']
  for (const databaseKind of databaseKinds) {
    console.log(databaseKind)
    const { failed } = await prove(databaseKind)
    if (failed > 0) process.exitCode = 1
  }
}

/** Returns the value of an option of the command line. */
export function optionOf(name: string): string | undefined {
  const position = process.argv.indexOf(name)
  return position < 0 ? undefined : process.argv[position + 1]
}

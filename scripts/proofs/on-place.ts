/** Runs a proof on the embedded database, or on a PostgreSQL server of the installed binaries. */
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { type Database, openDatabase } from '../../packages/server/src/db/database.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { failedOne, passedOne, skippedOne, type Tally } from '../lib/step.ts'
import type { Place } from './random-reads.ts'

/**
 * Opens an empty database and runs a proof on it.
 *
 * @param place - The database.
 * @param prove - The proof; returns whether it holds.
 * @returns One step passed, failed, or skipped without PostgreSQL.
 */
export async function onPlace(place: Place, prove: (database: Database) => Promise<boolean>): Promise<Tally> {
  if (place === 'server' && findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedOne
  }
  const cluster = place === 'server' ? await startCluster() : undefined
  try {
    const database = await openDatabase(cluster ? { url: cluster.url } : { memory: true }, { parts: engineParts })
    try {
      return (await prove(database)) ? passedOne : failedOne
    } finally {
      await database.close()
    }
  } finally {
    await cluster?.stop()
  }
}

/** Runs a proof on the databases that `--on` names on the command line, on both without it. */
export async function onNamedPlaces(prove: (place: Place) => Promise<Tally>): Promise<void> {
  const position = process.argv.indexOf('--on')
  const on = position >= 0 ? process.argv[position + 1] : undefined
  const places: Place[] = on === 'embedded' || on === 'server' ? [on] : ['embedded', 'server']
  for (const place of places) {
    console.log(place)
    const { failed } = await prove(place)
    if (failed > 0) process.exitCode = 1
  }
}

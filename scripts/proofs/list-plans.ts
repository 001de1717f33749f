/**
 * Proof that every list has an index for its order: the plan of every order of every long list, on
 * PostgreSQL.
 * `node scripts/proofs/list-plans.ts --rows 100000`
 */
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { fillLists, readListPlans } from '../../packages/server/src/testing/list-plans.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { failedTally, passedTally, skippedTally, type CountTally } from '../lib/step.ts'

/**
 * Fills the tables of all long lists and reads the plans of their first pages.
 *
 * @param rows - Number of rows of each table.
 * @returns One step, passed when no plan scans or sorts more than a thousand rows; skipped without
 *   PostgreSQL.
 */
export async function listPlans(rows: number): Promise<CountTally> {
  if (findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedTally
  }
  const cluster = await startCluster()
  try {
    const database = await openDatabase({ url: cluster.url }, { parts: engineParts })
    try {
      await migrateDatabase(database)
      await fillLists(database, rows)
      const { plans, findings } = await readListPlans(database)
      for (const { query, fault } of findings) console.log(`   ${query}: ${fault}`)
      console.log(`   ${plans} plans read over ${rows} rows a table, ${findings.length} scan or sort too much`)
      return plans > 0 && findings.length === 0 ? passedTally : failedTally
    } finally {
      await database.close()
    }
  } finally {
    await cluster.stop()
  }
}

if (import.meta.main) {
  const position = process.argv.indexOf('--rows')
  const { failed } = await listPlans(Number(position >= 0 ? process.argv[position + 1] : 100_000))
  if (failed > 0) process.exitCode = 1
}

/**
 * Fills a database with many news in four languages, for measuring: seeded, filled and analysed, on PGlite or
 * PostgreSQL.
 */
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { type Database, openDatabase } from '../../packages/server/src/db/database.ts'
import { completeDeskFacts } from '../../packages/server/src/domain/conversations/complete-facts.ts'
import { ChangedTexts } from '../../packages/server/src/features/memory/changed-texts.ts'
import { TableStatistics } from '../../packages/server/src/features/operations/table-statistics.ts'
import { DayRecount } from '../../packages/server/src/features/statistics/by-day/recount.ts'
import { startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { fillSql } from './filled-rows.ts'
import { startServer, temporaryFolder } from './server-process.ts'

/** Returns the value after the option `--name` on the command line. */
export const option = (name: string): string | undefined => {
  const position = process.argv.indexOf(name)
  return position >= 0 ? process.argv[position + 1] : undefined
}

/** Returns the median of some measured values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Does what a server does in the background after its tables were filled, so that none of it runs beside the
 * measured requests: facts of the desk, days of reports, and the translation memory of all texts.
 *
 * @param database - The filled database, without a server.
 */
export async function completeFilled(database: Database): Promise<void> {
  await database.session(async (session) => {
    await session.script('analyze')
  })
  await database.withoutTimeLimit(() => completeDeskFacts(database))
  await database.withoutTimeLimit(() => new ChangedTexts(database).readAll())
  await database.session(async (session) => {
    await session.script('vacuum analyze')
  })
  await database.withoutTimeLimit(() => new DayRecount(database).count())
  await new TableStatistics(database).refresh()
}

/**
 * Starts a server on a filled database: `--on server` uses PostgreSQL, `--rows` sets the number of rows,
 * `--data` names a folder that an earlier run has filled.
 *
 * @param folder - Name of the data folder.
 * @param defaults - The SQL that fills the database, and its number of rows without `--rows`; 100,000 news when
 *   absent.
 * @returns The server's address, its folder, and a function that ends all of it.
 */
export async function startFilledServer(
  folder: string,
  defaults = { rows: 100_000, fill: (rows: number) => fillSql(rows, 1) },
) {
  const rows = Number(option('--rows') ?? defaults.rows)
  const cluster = option('--on') === 'server' ? await startCluster({ isDurable: true }) : undefined
  const filledFolder = option('--data')
  const dataDir = filledFolder ?? temporaryFolder(folder)
  const env = cluster ? { DATABASE_URL: cluster.url } : {}
  if (filledFolder === undefined) {
    const seededServer = await startServer({ seed: 'reference', dataDir, env })
    await seededServer.close()
    const database = await openDatabase(cluster ? { url: cluster.url } : { dataDir }, { parts: engineParts })
    await database.session(async (session) => {
      await session.script(`set statement_timeout = 0; begin; ${defaults.fill(rows)}; commit`)
    })
    await completeFilled(database)
    await database.close()
  }
  const server = await startServer({ seed: 'reference', dataDir, env })
  const closeDatabase = async () => {
    await server.close()
    await cluster?.stop()
  }
  return { rows, dataDir, url: server.url, close: closeDatabase }
}

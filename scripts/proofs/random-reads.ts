/**
 * Proof that a list answers its query: random valid queries, answered by the server and by a plain evaluation
 * over the same records in memory.
 * `node scripts/proofs/random-reads.ts --runs 10000 --on embedded --seed 7`
 */
import { rmSync } from 'node:fs'
import { buildApp } from '../../packages/server/src/app.ts'
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { migrate } from '../../packages/server/src/db/migrate.ts'
import { readSettings } from '../../packages/server/src/settings.ts'
import { tokenOf } from '../../packages/server/src/testing/app.ts'
import { buildUser } from '../../packages/server/src/testing/factories.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { compareRandomReads, type ReadsProof } from '../../packages/server/src/testing/random-reads.ts'
import { temporaryFolder } from '../lib/server-process.ts'
import { failedOne, passedOne, skippedOne, type Tally } from '../lib/step.ts'

/**
 * Location of the records to read: the embedded database, or a PostgreSQL server of the installed binaries.
 */
export type Place = 'embedded' | 'server'

async function proveOn(target: { url: string } | { memory: true }, runs: number, seed?: number): Promise<ReadsProof> {
  const dataDir = temporaryFolder('reads')
  const database = await openDatabase(target, { parts: engineParts })
  try {
    await migrate(database)
    const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test' })
    const app = await buildApp({ settings, database, log: { level: 'silent' } })
    try {
      await app.ready()
      await buildUser(database, 'admin', { username: 'reader' })
      const headers = { authorization: `Bearer ${await tokenOf(app, 'reader')}` }
      const ask = async (url: string) => {
        const answer = await app.inject({ method: 'GET', url: `/api${url}`, headers })
        return { status: answer.statusCode, body: answer.json<unknown>() }
      }
      return await compareRandomReads(database, ask, runs, seed)
    } finally {
      await app.close()
    }
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Runs the proof of random list queries, and prints figures.
 *
 * @param runs - Number of queries.
 * @param place - The database.
 * @param seed - Seed of a run to repeat.
 * @returns One step passed; skipped without PostgreSQL.
 * @throws With the query and the seed when an answer differs.
 */
export async function randomReads(runs: number, place: Place, seed?: number): Promise<Tally> {
  if (place === 'server' && findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedOne
  }
  const cluster = place === 'server' ? await startCluster() : undefined
  try {
    const proof = await proveOn(cluster ? { url: cluster.url } : { memory: true }, runs, seed)
    console.log(
      `   ${proof.queries} queries, ${proof.finding} of them with rows, ${proof.paged} of them page by page; ` +
        `${proof.rows} rows compared, none differs; ${proof.seconds.toFixed(1)} s`,
    )
    return proof.queries === runs && proof.finding > runs / 4 ? passedOne : failedOne
  } finally {
    await cluster?.stop()
  }
}

if (import.meta.main) {
  const option = (name: string): string | undefined => {
    const position = process.argv.indexOf(name)
    return position >= 0 ? process.argv[position + 1] : undefined
  }
  const seed = option('--seed')
  const places: Place[] =
    option('--on') === 'embedded' ? ['embedded'] : option('--on') === 'server' ? ['server'] : ['embedded', 'server']
  for (const place of places) {
    const { failed } = await randomReads(
      Number(option('--runs') ?? 10_000),
      place,
      seed === undefined ? undefined : Number(seed),
    )
    if (failed > 0) process.exitCode = 1
  }
}

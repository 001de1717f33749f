/**
 * Proof that a list answers its query: random valid queries, answered by the server and by a plain evaluation
 * over the same records in memory.
 * `node scripts/proofs/random-reads.ts --runs 10000 --on embedded --seed 7`
 */
import { tokenOf } from '../../packages/server/src/testing/app.ts'
import { buildUser } from '../../packages/server/src/testing/factories.ts'
import { compareRandomReads } from '../../packages/server/src/testing/random-reads.ts'
import type { CountTally } from '../lib/step.ts'
import { runOnNamedPlaces, runOnPlace, optionOf, type DatabasePlace, type ProofApp } from './on-place.ts'

async function runProof({ app, database }: ProofApp, runs: number, seed?: number): Promise<boolean> {
  await buildUser(database, 'admin', { username: 'reader' })
  const headers = { authorization: `Bearer ${await tokenOf(app, 'reader')}` }
  const ask = async (url: string) => {
    const answer = await app.inject({ method: 'GET', url: `/api${url}`, headers })
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }
  const proofOutcome = await compareRandomReads(database, ask, runs, seed)
  console.log(
    `   ${proofOutcome.queries} queries, ${proofOutcome.findingCount} of them with rows, ${proofOutcome.pagedCount} of them page by page; ` +
      `${proofOutcome.rows} rows compared, none differs; ${proofOutcome.seconds.toFixed(1)} s`,
  )
  return proofOutcome.queries === runs && proofOutcome.findingCount > runs / 4
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
export const randomReads = (runs: number, databaseKind: DatabasePlace, seed?: number): Promise<CountTally> =>
  runOnPlace(databaseKind, (app) => runProof(app, runs, seed))

if (import.meta.main) {
  const seed = optionOf('--seed')
  const runs = Number(optionOf('--runs') ?? 10_000)
  await runOnNamedPlaces((databaseKind) =>
    randomReads(runs, databaseKind, seed === undefined ? undefined : Number(seed)),
  )
}

/**
 * Proof that a list answers its query: random valid queries, answered by the server and by a plain evaluation
 * over the same records in memory.
 * `node scripts/proofs/random-reads.ts --runs 10000 --on embedded --seed 7`
 */
import { tokenOf } from '../../packages/server/src/testing/app.ts'
import { buildUser } from '../../packages/server/src/testing/factories.ts'
import { compareRandomReads } from '../../packages/server/src/testing/random-reads.ts'
import type { Tally } from '../lib/step.ts'
import { onNamedPlaces, onPlace, optionOf, type Place, type ProofApp } from './on-place.ts'

async function proveOn({ app, database }: ProofApp, runs: number, seed?: number): Promise<boolean> {
  await buildUser(database, 'admin', { username: 'reader' })
  const headers = { authorization: `Bearer ${await tokenOf(app, 'reader')}` }
  const ask = async (url: string) => {
    const answer = await app.inject({ method: 'GET', url: `/api${url}`, headers })
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }
  const proof = await compareRandomReads(database, ask, runs, seed)
  console.log(
    `   ${proof.queries} queries, ${proof.findingCount} of them with rows, ${proof.pagedCount} of them page by page; ` +
      `${proof.rows} rows compared, none differs; ${proof.seconds.toFixed(1)} s`,
  )
  return proof.queries === runs && proof.findingCount > runs / 4
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
export const randomReads = (runs: number, place: Place, seed?: number): Promise<Tally> =>
  onPlace(place, (app) => proveOn(app, runs, seed))

if (import.meta.main) {
  const seed = optionOf('--seed')
  const runs = Number(optionOf('--runs') ?? 10_000)
  await onNamedPlaces((place) => randomReads(runs, place, seed === undefined ? undefined : Number(seed)))
}

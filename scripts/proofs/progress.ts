/**
 * Proof that progress in courses is right: random histories of watching, repeating, changes of language and
 * publications, compared with a plain recomputation after each step (e-learning §9).
 * `node scripts/proofs/progress.ts --runs 1000 --on embedded --seed 7`
 */
import { tokenOf } from '../../packages/server/src/testing/app.ts'
import { buildUser } from '../../packages/server/src/testing/factories.ts'
import { compareRandomProgress } from '../../packages/server/src/testing/random-progress.ts'
import type { CountTally } from '../lib/step.ts'
import { runOnNamedPlaces, runOnPlace, optionOf, type DatabasePlace, type ProofApp } from './on-place.ts'

async function runProof({ app, database }: ProofApp, runs: number, seed?: number): Promise<boolean> {
  const tokens = new Map<string, string>()
  for (const role of ['admin', 'authenticated'] as const) {
    await buildUser(database, role, { username: role })
    tokens.set(role, await tokenOf(app, role))
  }
  const proofOutcome = await compareRandomProgress(
    database,
    async (method, url, body, role) => {
      const json = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await app.inject({
        method,
        url: `/api${url}`,
        headers: { authorization: `Bearer ${tokens.get(role)}`, ...json },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      return { status: answer.statusCode, body: answer.json<unknown>() }
    },
    runs,
    seed,
  )
  console.log(
    `   ${proofOutcome.histories} histories with ${proofOutcome.calls} calls, ${proofOutcome.completions} of them with a completed course; ` +
      `none differs; ${proofOutcome.seconds.toFixed(1)} s`,
  )
  return proofOutcome.histories === runs
}

/**
 * Runs the proof of random histories, and prints figures.
 *
 * @param runs - Number of histories.
 * @param place - The database.
 * @param seed - Seed of a run to repeat.
 * @returns One step passed; skipped without PostgreSQL.
 * @throws With the history and the seed when a value differs.
 */
export const randomProgress = (runs: number, databaseKind: DatabasePlace, seed?: number): Promise<CountTally> =>
  runOnPlace(databaseKind, (app) => runProof(app, runs, seed))

if (import.meta.main) {
  const seed = optionOf('--seed')
  const runs = Number(optionOf('--runs') ?? 1_000)
  await runOnNamedPlaces((databaseKind) =>
    randomProgress(runs, databaseKind, seed === undefined ? undefined : Number(seed)),
  )
}

/**
 * Proof that progress in courses is right: random histories of watching, repeating, changes of language and
 * publications, compared with a plain recomputation after each step (e-learning §9).
 * `node scripts/proofs/progress.ts --runs 1000 --on embedded --seed 7`
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
import { compareRandomProgress, type ProgressProof } from '../../packages/server/src/testing/random-progress.ts'
import { wideBudgets } from '../../packages/server/src/testing/wide-budgets.ts'
import { temporaryFolder } from '../lib/server-process.ts'
import { failedOne, passedOne, skippedOne, type Tally } from '../lib/step.ts'
import type { Place } from './random-reads.ts'

async function proveOn(
  target: { url: string } | { memory: true },
  runs: number,
  seed: number | undefined,
): Promise<ProgressProof> {
  const dataDir = temporaryFolder('progress')
  const database = await openDatabase(target, { parts: engineParts })
  try {
    await migrate(database)
    const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test', ...wideBudgets })
    const app = await buildApp({ settings, database, log: { level: 'silent' } })
    try {
      await app.ready()
      const tokens = new Map<string, string>()
      for (const role of ['admin', 'authenticated'] as const) {
        await buildUser(database, role, { username: role })
        tokens.set(role, await tokenOf(app, role))
      }
      return await compareRandomProgress(
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
    } finally {
      await app.close()
    }
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
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
export async function randomProgress(runs: number, place: Place, seed?: number): Promise<Tally> {
  if (place === 'server' && findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedOne
  }
  const cluster = place === 'server' ? await startCluster() : undefined
  try {
    const proof = await proveOn(cluster ? { url: cluster.url } : { memory: true }, runs, seed)
    console.log(
      `   ${proof.histories} histories with ${proof.calls} calls, ${proof.completions} of them with a completed course; ` +
        `none differs; ${proof.seconds.toFixed(1)} s`,
    )
    return proof.histories === runs ? passedOne : failedOne
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
    const runs = Number(option('--runs') ?? 1_000)
    const { failed } = await randomProgress(runs, place, seed === undefined ? undefined : Number(seed))
    if (failed > 0) process.exitCode = 1
  }
}

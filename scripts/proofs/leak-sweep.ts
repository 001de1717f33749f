/**
 * Proof that no route leaks. Every route is requested as every caller in a world whose every value is known.
 * No answer may show, find or order by a value that the declarations hide from that caller.
 * `node scripts/proofs/leak-sweep.ts --dose small --on server --seed 7`, `--only companies` for leaks with
 * that word.
 */
import { sweepLeaks, type SweepDose } from '../../packages/server/src/testing/leaks/sweep.ts'
import type { CountTally } from '../lib/step.ts'
import { runOnNamedPlaces, runOnPlace, optionOf, type DatabasePlace, type ProofApp } from './on-place.ts'

export type LeakDose = Pick<SweepDose, 'shareOfWork' | 'records'>

const maxShownLeaks = 40

async function runProof(
  { app, database }: ProofApp,
  dose: LeakDose,
  seed: number,
  leakFilter: string,
): Promise<boolean> {
  const report = await sweepLeaks(app, database, { ...dose, seed })
  const { cells, callers, routeCount, routes, markers, requests, uncoveredRoutes, leaks, seconds, countsByRoute } =
    report
  console.log(
    `   ${cells} cells (${requests} requests), ${callers} callers, ${routeCount} doors on ${routes} routes, ` +
      `${markers} markers, ${leaks.length} leaks, seed ${seed}, ${seconds.toFixed(1)} s`,
  )
  const counts = Object.entries(countsByRoute).filter(([routeName]) => !routeName.startsWith('one '))
  const cellsById = cells - counts.reduce((sum, [, count]) => sum + count, 0)
  console.log(`   by id: ${cellsById}, ${counts.map(([routeName, count]) => `${routeName}: ${count}`).join(', ')}`)
  for (const name of uncoveredRoutes) console.log(`   ${name}`)
  const matchingLeaks = leaks.filter((leak) => JSON.stringify(leak).includes(leakFilter))
  for (const { routeName, caller, question, description } of matchingLeaks.slice(0, maxShownLeaks))
    console.log(`   ${routeName}, ${caller}: ${question}\n      ${description}`)
  return leaks.length === 0 && uncoveredRoutes.length === 0
}

/**
 * Searches one database for leaks of private data, and prints the findings.
 *
 * @param seed - Seed of a run to repeat.
 * @returns One step, passed without leaks and with every route covered; skipped without PostgreSQL.
 */
export const leakSweep = (
  dose: LeakDose,
  databaseKind: DatabasePlace,
  seed = 7,
  leakFilter = '',
): Promise<CountTally> => runOnPlace(databaseKind, (app) => runProof(app, dose, seed, leakFilter))

export const leakDoses: Readonly<Record<'brief' | 'small' | 'full', LeakDose>> = {
  brief: { shareOfWork: 0.0015, records: 4 },
  small: { shareOfWork: 0.003, records: 4 },
  full: { shareOfWork: 0.11, records: 8 },
}

if (import.meta.main) {
  const dose = optionOf('--dose') === 'small' ? leakDoses.small : leakDoses.full
  await runOnNamedPlaces((databaseKind) =>
    leakSweep(dose, databaseKind, Number(optionOf('--seed') ?? 7), optionOf('--only')),
  )
}

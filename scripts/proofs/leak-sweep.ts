/**
 * Proof that no route leaks. Every route is requested as every caller in a world whose every value is known.
 * No answer may show, find or order by a value that the declarations hide from that caller.
 * `node scripts/proofs/leak-sweep.ts --dose small --on server --seed 7`, `--only companies` for leaks with
 * that word.
 */
import { rmSync } from 'node:fs'
import { buildApp } from '../../packages/server/src/app.ts'
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { calendarOf } from '../../packages/server/src/db/calendar.ts'
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { migrate } from '../../packages/server/src/db/migrate.ts'
import { readSettings } from '../../packages/server/src/settings.ts'
import { type Dose, type LeakReport, sweepLeaks } from '../../packages/server/src/testing/leaks/sweep.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { wideBudgets } from '../../packages/server/src/testing/wide-budgets.ts'
import { temporaryFolder } from '../lib/server-process.ts'
import { failedOne, passedOne, skippedOne, type Tally } from '../lib/step.ts'

export type LeakDose = Pick<Dose, 'share' | 'records'>
type Place = 'embedded' | 'server'

const mostShown = 40

async function sweepOn(target: { url: string } | { memory: true }, dose: Dose): Promise<LeakReport> {
  const dataDir = temporaryFolder('leaks')
  const settings = readSettings({
    DATA_DIR: dataDir,
    NODE_ENV: 'test',
    WORKING_HOURS: '1-7 00:00-24:00',
    ...wideBudgets,
  })
  const database = await openDatabase(target, { calendar: calendarOf(settings), parts: engineParts })
  try {
    await migrate(database)
    const app = await buildApp({ settings, database, log: { level: 'silent' } })
    try {
      await app.ready()
      return await sweepLeaks(app, database, dose)
    } finally {
      await app.close()
    }
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Searches one database for leaks of private data, and prints the findings.
 *
 * @param seed - Seed of a run to repeat.
 * @returns One step, passed without leaks and with every route covered; skipped without PostgreSQL.
 */
export async function leakSweep(dose: LeakDose, place: Place, seed = 7, only = ''): Promise<Tally> {
  if (place === 'server' && findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedOne
  }
  const cluster = place === 'server' ? await startCluster() : undefined
  try {
    const report = await sweepOn(cluster ? { url: cluster.url } : { memory: true }, { ...dose, seed })
    const { cells, callers, doors, routes, markers, requests, uncovered, leaks, seconds, byDoor } = report
    console.log(
      `   ${cells} cells (${requests} requests), ${callers} callers, ${doors} doors on ${routes} routes, ` +
        `${markers} markers, ${leaks.length} leaks, seed ${seed}, ${seconds.toFixed(1)} s`,
    )
    const counts = Object.entries(byDoor).filter(([door]) => !door.startsWith('one '))
    const cellsById = cells - counts.reduce((all, [, count]) => all + count, 0)
    console.log(`   by id: ${cellsById}, ${counts.map(([door, count]) => `${door}: ${count}`).join(', ')}`)
    for (const name of uncovered) console.log(`   ${name}`)
    const shown = leaks.filter((leak) => JSON.stringify(leak).includes(only))
    for (const { door, caller, question, what } of shown.slice(0, mostShown))
      console.log(`   ${door}, ${caller}: ${question}\n      ${what}`)
    return leaks.length === 0 && uncovered.length === 0 ? passedOne : failedOne
  } finally {
    await cluster?.stop()
  }
}

export const leakDoses: Readonly<Record<'small' | 'full', LeakDose>> = {
  small: { share: 0.003, records: 4 },
  full: { share: 0.11, records: 8 },
}

if (import.meta.main) {
  const option = (name: string): string | undefined => {
    const position = process.argv.indexOf(name)
    return position >= 0 ? process.argv[position + 1] : undefined
  }
  const dose = option('--dose') === 'small' ? leakDoses.small : leakDoses.full
  const on = option('--on')
  const places: Place[] = on === 'embedded' ? ['embedded'] : on === 'server' ? ['server'] : ['embedded', 'server']
  for (const place of places) {
    const { failed } = await leakSweep(dose, place, Number(option('--seed') ?? 7), option('--only'))
    if (failed > 0) process.exitCode = 1
  }
}

/**
 * `npm run verify`: runs the long proofs at full dose, with figures; `npm test` runs each in a small dose.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chatProofs } from './proofs/chat/proofs.ts'
import { repositoryRoot, run } from './lib/processes.ts'
import { answerNames, ProofProgram } from './lib/proof-program.ts'
import { quickEnvironment } from './lib/quick-start.ts'
import { failedTally, passedTally, type ProofStep, runSteps, skippedTally, type Step } from './lib/step.ts'

export type ProofDose = 'small' | 'full'

const doses = {
  killCycles: { small: 2, full: 20 },
  randomReads: { small: 200, full: 10_000 },
  resumable: { small: 64, full: 1_024 },
  progress: { small: 20, full: 1_000 },
  histories: { small: 120, full: 10_000 },
  reportFigures: { small: 16, full: 500 },
  reportFiles: { small: { runs: 2, screens: 0 }, full: { runs: 50, screens: 6 } },
  routing: { small: 40, full: 1_000 },
  stops: { small: 3, full: 20 },
  nestedReads: {
    small: { runs: 8, news: 200, isJudged: false },
    full: { runs: 200, news: 10_000, isJudged: true },
  },
  notices: { small: 40, full: 1_000 },
  slips: { small: 6, full: 200 },
  bulk: { small: 800, full: 10_000 },
  imports: {
    small: { rows: 900, faults: 180, longSheetRows: 2_500 },
    full: { rows: 10_000, faults: 300, longSheetRows: 50_000 },
  },
  restored: { small: 40, full: 1_000 },
  backups: { small: 1, full: 10 },
  fuzz: { small: 4_000, full: 100_000 },
  hostile: {
    small: { files: 28, streams: 1, megabytes: 50 },
    full: { files: 200, streams: 20, megabytes: 1_024 },
  },
} as const
/** Seed of the random requests, which are the same in every run, so that a flaw is found again. */
const fuzzSeed = 7

const longRoom = 10_000
const killCount = 50
const restartCount = 50
const stopCount = 50
const disturbanceCount = 10
const jumpCount = 3
const soakMinutes = 60
const largeVideo = 1_024
const longList = 100_000

/** Tally of a proof that holds or not. */
const tallyOf = (isFulfilled: boolean) => (isFulfilled ? passedTally : failedTally)

/** Tally of a proof that needs a program which may be absent. */
const outcomeTally = ({ harmless, skipped }: { harmless: boolean; skipped: boolean }) =>
  skipped ? skippedTally : tallyOf(harmless)

/** Returns every long proof in a dose, one step each. */
function proofs(dose: ProofDose): readonly ProofStep[] {
  return [
    {
      name: `Proof: kill -9 during writes, ${doses.killCycles[dose]} cycles`,
      parallel: true,
      run: async () => {
        const { killCycles } = await import('./proofs/kill-cycles.ts')
        // The small dose writes into an empty installation, whose start takes half as long.
        return tallyOf((await killCycles(doses.killCycles[dose], dose === 'small' ? 'none' : 'reference')).isHarmless)
      },
    },
    {
      name: `Proof: an upload of ${doses.resumable[dose]} MB with five cuts and a killed server, and fifty viewers`,
      run: async () => {
        const { resumableUploads } = await import('./proofs/resumable-uploads.ts')
        return tallyOf((await resumableUploads(doses.resumable[dose])).harmless)
      },
    },
    {
      name: `Proof: ${doses.stops[dose]} stops on each database while it starts, each within 2 s`,
      run: async () => {
        const { proveStops } = await import('./proofs/stop-anytime.ts')
        return tallyOf((await proveStops(doses.stops[dose])).harmless)
      },
    },
    {
      name: `Proof: ${doses.randomReads[dose]} random queries on PGlite, against a plain evaluation`,
      parallel: true,
      place: 'embedded',
      run: async () => (await import('./proofs/random-reads.ts')).randomReads(doses.randomReads[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.randomReads[dose]} random queries on PostgreSQL, against a plain evaluation`,
      parallel: true,
      place: 'server',
      run: async () => (await import('./proofs/random-reads.ts')).randomReads(doses.randomReads[dose], 'server'),
    },
    {
      name: `Proof: ${doses.progress[dose]} random histories of learners on PGlite, against a plain recomputation`,
      parallel: true,
      place: 'embedded',
      run: async () => (await import('./proofs/progress.ts')).randomProgress(doses.progress[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.progress[dose]} random histories of learners on PostgreSQL, against a plain recomputation`,
      parallel: true,
      place: 'server',
      run: async () => (await import('./proofs/progress.ts')).randomProgress(doses.progress[dose], 'server'),
    },
    {
      name: `Proof: figures of ${doses.histories[dose]} random histories of the desk on PGlite, against a plain recount`,
      parallel: true,
      repeated: true,
      place: 'embedded',
      run: async () => (await import('./proofs/desk-histories.ts')).deskHistories(doses.histories[dose], 'embedded'),
    },
    {
      name: `Proof: figures of ${doses.histories[dose]} random histories of the desk on PostgreSQL, against a plain recount`,
      parallel: true,
      place: 'server',
      run: async () => (await import('./proofs/desk-histories.ts')).deskHistories(doses.histories[dose], 'server'),
    },
    {
      name: `Proof: ${doses.reportFigures[dose]} random queries of all reports on PGlite, against a plain recount`,
      parallel: true,
      place: 'embedded',
      run: async () =>
        (await import('./proofs/reports/report-figures.ts')).reportFigures(doses.reportFigures[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.reportFigures[dose]} random queries of all reports on PostgreSQL, against a plain recount`,
      parallel: true,
      place: 'server',
      // The small dose has a seed of its own on PostgreSQL, so that the two databases answer different queries.
      run: async () =>
        (await import('./proofs/reports/report-figures.ts')).reportFigures(
          doses.reportFigures[dose],
          'server',
          dose === 'small' ? 8 : 7,
        ),
    },
    {
      name: `Proof: files, shared pages and screens of ${doses.reportFiles[dose].runs} random queries of reports show the same`,
      parallel: true,
      run: async () => {
        const { runs, screens } = doses.reportFiles[dose]
        const { reportFiles } = await import('./proofs/reports/report-files.ts')
        return tallyOf((await reportFiles(runs, screens)).harmless)
      },
    },
    {
      name: `Proof: ${doses.routing[dose]} random questions routed on PGlite, against a plain recomputation`,
      parallel: true,
      place: 'embedded',
      run: async () => (await import('./proofs/routing.ts')).randomRoutes(doses.routing[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.routing[dose]} random questions routed on PostgreSQL, against a plain recomputation`,
      parallel: true,
      repeated: true,
      place: 'server',
      run: async () => (await import('./proofs/routing.ts')).randomRoutes(doses.routing[dose], 'server'),
    },
    {
      name: `Proof: ${doses.nestedReads[dose].runs} nested queries of a farmer on PGlite, each within bounds`,
      parallel: true,
      repeated: true,
      run: async () => (await import('./proofs/nested-reads.ts')).nestedReads(doses.nestedReads[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.nestedReads[dose].runs} nested queries of a farmer on PostgreSQL, each within bounds`,
      parallel: true,
      run: async () => (await import('./proofs/nested-reads.ts')).nestedReads(doses.nestedReads[dose], 'server'),
    },
    {
      name: 'Proof: every door on PGlite asked as every caller, nothing out of sight shown',
      parallel: true,
      place: 'embedded',
      // The brief dose on PGlite has a seed of its own: the two databases answer different samples of requests.
      run: async () => {
        const { leakDoses, leakSweep } = await import('./proofs/leak-sweep.ts')
        return dose === 'small' ? leakSweep(leakDoses.brief, 'embedded', 8) : leakSweep(leakDoses.full, 'embedded')
      },
    },
    {
      name: 'Proof: every door on PostgreSQL asked as every caller, nothing out of sight shown',
      parallel: true,
      place: 'server',
      run: async () => {
        const { leakDoses, leakSweep } = await import('./proofs/leak-sweep.ts')
        return leakSweep(leakDoses[dose], 'server')
      },
    },
    {
      name: `Proof: ${doses.bulk[dose]} records at once, killed in the middle and taken back`,
      parallel: true,
      run: async () => {
        const { bulkProof } = await import('./proofs/bulk.ts')
        return tallyOf((await bulkProof(doses.bulk[dose])).harmless)
      },
    },
    {
      name: `Proof: a sheet of ${doses.imports[dose].rows} prices with ${doses.imports[dose].faults} faults, written and taken back`,
      parallel: true,
      run: async () => {
        const { importProof } = await import('./proofs/imports.ts')
        return tallyOf((await importProof(doses.imports[dose])).harmless)
      },
    },
    {
      name: `Proof: a room of ${doses.restored[dose]} messages comes back row by row, on PGlite`,
      parallel: true,
      repeated: true,
      place: 'embedded',
      run: async () => (await import('./proofs/restored-rooms.ts')).restoredRooms(doses.restored[dose], 'embedded'),
    },
    {
      name: `Proof: a room of ${doses.restored[dose]} messages comes back row by row, on PostgreSQL`,
      parallel: true,
      place: 'server',
      run: async () => (await import('./proofs/restored-rooms.ts')).restoredRooms(doses.restored[dose], 'server'),
    },
    {
      name: `Proof: each of ${doses.backups[dose]} scheduled backups restored and compared on PGlite, a damaged one found`,
      parallel: true,
      run: async () => (await import('./proofs/backups.ts')).scheduledBackups(doses.backups[dose], 'embedded'),
    },
    {
      name: `Proof: each of ${doses.backups[dose]} scheduled backups restored and compared on PostgreSQL, a damaged one found`,
      parallel: true,
      run: async () => (await import('./proofs/backups.ts')).scheduledBackups(doses.backups[dose], 'server'),
    },
    {
      name: `Proof: ${doses.fuzz[dose]} fuzzed requests, no 5xx and no lost memory`,
      parallel: true,
      run: async () => {
        const { fuzz } = await import('./fuzz/fuzz.ts')
        return tallyOf((await fuzz(doses.fuzz[dose], fuzzSeed)).isHarmless)
      },
    },
    {
      name: `Proof: ${doses.hostile[dose].files} hostile files and ${doses.hostile[dose].streams} endless streams, none taken`,
      parallel: true,
      run: async () => {
        const { hostileUploads } = await import('./fuzz/hostile-uploads.ts')
        return tallyOf((await hostileUploads(doses.hostile[dose])).harmless)
      },
    },
    {
      name: `Proof: letters and pushes of ${doses.notices[dose]} notices with a kill -9 in the middle, none lost and none doubled`,
      parallel: true,
      run: async () => {
        const { noticesProof } = await import('./proofs/notices.ts')
        return tallyOf((await noticesProof(doses.notices[dose])).harmless)
      },
    },
    {
      name: `Proof: ${doses.slips[dose]} slips of each kind in a day of prices, stopped or flagged`,
      parallel: true,
      brief: true,
      run: async () => (await import('./proofs/price-slips.ts')).priceSlips(doses.slips[dose]),
    },
    ...chatProofs(dose),
    // The small dose leaves these proofs out: end-to-end tests and tests of the server cover them with fewer
    // rows.
    ...(dose === 'full'
      ? [
          {
            name: `Proof: a room of ${longRoom} messages stays light and still`,
            run: async () => (await import('./proofs/chat/scroll.ts')).chatScroll(longRoom),
          },
          {
            name: `Proof: ${largeVideo} MB uploaded in a form, with five cuts of the connection and a reload`,
            run: async () => {
              const { browserUpload } = await import('./proofs/browser-upload.ts')
              return tallyOf((await browserUpload(largeVideo)).harmless)
            },
          },
          {
            name: `Proof: ${killCount} tabs killed while an author types, each without the last two seconds at most`,
            run: async () => {
              const { killedTabs } = await import('./proofs/killed-tabs.ts')
              return tallyOf((await killedTabs(killCount)).harmless)
            },
          },
          {
            name: 'Proof: an outline of 200 lessons reordered and cut at once on PGlite, each lesson in one place',
            run: async () => (await import('./proofs/course-outline.ts')).courseOutline('embedded'),
          },
          {
            name: 'Proof: an outline of 200 lessons reordered and cut at once on PostgreSQL, each lesson in one place',
            run: async () => (await import('./proofs/course-outline.ts')).courseOutline('server'),
          },
          {
            name: 'Proof: 100 posts decided in one call on PGlite, and taken back',
            run: async () => (await import('./proofs/post-decisions.ts')).postDecisions('embedded'),
          },
          {
            name: 'Proof: 100 posts decided in one call on PostgreSQL, and taken back',
            run: async () => (await import('./proofs/post-decisions.ts')).postDecisions('server'),
          },
          {
            name: 'Proof: the demo of three days on PGlite, each of its weeks, and the same when seeded twice',
            run: async () => (await import('./proofs/demo-dates.ts')).demoDates('embedded'),
          },
          {
            name: 'Proof: the demo of three days on PostgreSQL, each of its weeks, and the same when seeded twice',
            run: async () => (await import('./proofs/demo-dates.ts')).demoDates('server'),
          },
          {
            name: `Proof: no list of ${longList} rows scans or sorts its table in any of its orders`,
            run: async () => (await import('./proofs/list-plans.ts')).listPlans(longList),
          },
          {
            name: `Proof: a migration of 100,000 rows killed ${doses.killCycles[dose]} times, before or after`,
            run: async () => {
              const { killedMigrations } = await import('./proofs/operations/killed-migrations.ts')
              return tallyOf((await killedMigrations(doses.killCycles[dose])).harmless)
            },
          },
          {
            name: 'Proof: each former version beside this one on a migrated database, no request failed',
            run: async () => {
              const { sideBySide } = await import('./proofs/operations/side-by-side.ts')
              return outcomeTally(await sideBySide(15))
            },
          },
          {
            name: `Proof: ${restartCount} rolling restarts of two instances, no request failed`,
            run: async () => {
              const { rollingRestarts } = await import('./proofs/operations/rolling-restarts.ts')
              return outcomeTally(await rollingRestarts(restartCount))
            },
          },
          {
            name: `Proof: ${stopCount} graceful stops under load on each database, no request dropped`,
            run: async () => {
              const { gracefulStops } = await import('./proofs/operations/graceful-stops.ts')
              return tallyOf((await gracefulStops(stopCount)).harmless)
            },
          },
          {
            name: 'Proof: a fail-over of PostgreSQL, no acknowledged write lost',
            run: async () => {
              const { failover } = await import('./proofs/operations/failover.ts')
              return outcomeTally(await failover())
            },
          },
          {
            name: `Proof: the disk full or slow and the database away, ${disturbanceCount} times each, with clear refusals`,
            run: async () => {
              const { disturbances } = await import('./proofs/operations/disturbances.ts')
              return tallyOf((await disturbances(disturbanceCount, 30)).harmless)
            },
          },
          {
            name: `Proof: ${jumpCount} jumps of the clock by an hour and back on each database, nobody signed out`,
            run: async () => {
              const { clockJumps } = await import('./proofs/operations/clock-jumps.ts')
              return outcomeTally(await clockJumps(jumpCount))
            },
          },
          {
            name: `Proof: ${soakMinutes} minutes of mixed load, the memory flat`,
            run: async () => {
              const { soak } = await import('./proofs/operations/soak.ts')
              return tallyOf((await soak(soakMinutes)).harmless)
            },
          },
          {
            name: 'Proof: Prometheus scrapes the metrics, and alerts fire in a rehearsal',
            run: async () => {
              const { watchedByPrometheus } = await import('./proofs/operations/watching.ts')
              return outcomeTally(await watchedByPrometheus())
            },
          },
          {
            name: 'Proof: a release built twice with the same bytes, and run where nothing is installed',
            run: async () =>
              tallyOf((await (await import('./proofs/installations/release.ts')).releaseProof()).harmless),
          },
          {
            name: 'Proof: the container built on a Debian made here, started twice and stopped',
            run: async () => {
              const { containerProof } = await import('./proofs/installations/container.ts')
              return outcomeTally(await containerProof())
            },
          },
        ]
      : []),
  ]
}

/** Exit code of a proof that was skipped, not failed. */
const skippedCode = 3

/**
 * Module loaded before a proof's program: it stores compiled modules, which takes less than compiling them
 * for each proof.
 */
const compileCache = pathToFileURL(join(repositoryRoot, 'packages/server/compile-cache.mjs')).href
const programArgs = ['--import', compileCache, 'scripts/verify.ts', '--dose', 'small']

/** Runs a proof in its own program, so that its lines stay together while another proof runs. */
function toProgramStep({ name }: Step): Step {
  return {
    name,
    independent: true,
    run: async () => {
      const { code, output } = await run(process.execPath, [...programArgs, '--only', name], {
        env: { ...process.env, ...quickEnvironment },
      })
      const tally = code === 0 ? passedTally : code === skippedCode ? skippedTally : failedTally
      return { ...tally, output }
    },
  }
}

/** Runs the proofs of each place in a program of their own, one after another. */
function toPlaceSteps(allProofs: readonly ProofStep[]): Step[] {
  const databaseKinds = [...new Set(allProofs.flatMap(({ place }) => place ?? []))]
  return databaseKinds.flatMap((databaseKind) => {
    const lane = new ProofProgram([...programArgs, '--names'])
    const proofsOfPlace = allProofs.filter((proof) => proof.place === databaseKind)
    return proofsOfPlace.map(({ name }) => ({ name, lane, independent: true, run: () => lane.run(name) }))
  })
}

/**
 * Returns the long proofs in their small dose, for `npm test`: those that run alone first, then the others
 * side by side, the brief ones last. Proofs of an application on the same kind of database share a program and its
 * database.
 */
export const smallProofs = (): readonly Step[] => {
  const allProofs = proofs('small').filter(({ repeated }) => !repeated)
  const programProofs = allProofs.filter(({ parallel, place }) => parallel && place === undefined)
  return [
    ...allProofs.filter(({ parallel }) => !parallel),
    ...toPlaceSteps(allProofs),
    ...programProofs.filter(({ brief }) => !brief).map(toProgramStep),
    ...programProofs.filter(({ brief }) => brief).map(toProgramStep),
  ]
}

/** Returns the value of an option on the command line of the proofs. */
function optionOf(name: string): string | undefined {
  const position = process.argv.indexOf(name)
  return position < 0 ? undefined : process.argv[position + 1]
}

/** Runs one long proof and returns the exit code. */
async function runProofStep(proof: Step): Promise<number> {
  const { failed, skippedCount: omittedCount } = await proof.run()
  return failed > 0 ? 1 : omittedCount > 0 ? skippedCode : 0
}

/** Runs the proofs whose names arrive on the standard input, on databases that they share. */
async function runNamedProofs(dose: ProofDose): Promise<number> {
  const { closePlaces, keepPlaces } = await import('./proofs/on-place.ts')
  const allProofs = proofs(dose)
  keepPlaces()
  await answerNames(async (name) => {
    const proof = allProofs.find((namedProof) => namedProof.name === name)
    if (!proof) throw new Error(`No proof is called "${name}".`)
    return await proof.run()
  })
  await closePlaces()
  return 0
}

if (import.meta.main) {
  const dose = optionOf('--dose') ?? 'full'
  const onlyName = optionOf('--only')
  if (dose !== 'small' && dose !== 'full') {
    console.error('--dose is small or full.')
    process.exit(2)
  }
  if (process.argv.includes('--names')) process.exit(await runNamedProofs(dose))
  const chosenProof = proofs(dose).find(({ name }) => name === onlyName)
  if (onlyName !== undefined && !chosenProof) {
    console.error(`No proof is called "${onlyName}".`)
    process.exit(2)
  }
  process.exit(chosenProof ? await runProofStep(chosenProof) : (await runSteps(proofs(dose))).failed > 0 ? 1 : 0)
}

/**
 * `npm run verify`: runs the long proofs at full dose, with figures; `npm test` runs each in a small dose.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { browserUpload } from './proofs/browser-upload.ts'
import { bulkProof } from './proofs/bulk.ts'
import { chatProofs } from './proofs/chat/proofs.ts'
import { chatScroll } from './proofs/chat/scroll.ts'
import { courseOutline } from './proofs/course-outline.ts'
import { deskHistories } from './proofs/desk-histories.ts'
import { demoDates } from './proofs/demo-dates.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { hostileUploads } from './fuzz/hostile-uploads.ts'
import { importProof } from './proofs/imports.ts'
import { killCycles } from './proofs/kill-cycles.ts'
import { killedTabs } from './proofs/killed-tabs.ts'
import { leakDoses, leakSweep } from './proofs/leak-sweep.ts'
import { listPlans } from './proofs/list-plans.ts'
import { nestedReads } from './proofs/nested-reads.ts'
import { noticesProof } from './proofs/notices.ts'
import { postDecisions } from './proofs/post-decisions.ts'
import { priceSlips } from './proofs/price-slips.ts'
import { randomProgress } from './proofs/progress.ts'
import { randomReads } from './proofs/random-reads.ts'
import { reportFigures } from './proofs/report-figures.ts'
import { reportFiles } from './proofs/report-files.ts'
import { resumableUploads } from './proofs/resumable-uploads.ts'
import { restoredRooms } from './proofs/restored-rooms.ts'
import { randomRoutes } from './proofs/routing.ts'
import { repositoryRoot, run } from './lib/processes.ts'
import { failedTally, passedTally, type ProofStep, runSteps, skippedTally, type Step } from './lib/step.ts'
import { proveStops } from './proofs/stop-anytime.ts'

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
const largeVideo = 1_024
const longList = 100_000

/** Returns every long proof in a dose, one step each. */
function proofs(dose: ProofDose): readonly ProofStep[] {
  return [
    {
      name: `Proof: kill -9 during writes, ${doses.killCycles[dose]} cycles`,
      parallel: true,
      run: async () => ((await killCycles(doses.killCycles[dose])).isHarmless ? passedTally : failedTally),
    },
    {
      name: `Proof: an upload of ${doses.resumable[dose]} MB with five cuts and a killed server, and fifty viewers`,
      run: async () => ((await resumableUploads(doses.resumable[dose])).harmless ? passedTally : failedTally),
    },
    {
      name: `Proof: ${doses.stops[dose]} stops on each database while it starts, each within 2 s`,
      run: async () => ((await proveStops(doses.stops[dose])).harmless ? passedTally : failedTally),
    },
    {
      name: `Proof: ${doses.randomReads[dose]} random queries on PGlite, against a plain evaluation`,
      parallel: true,
      run: () => randomReads(doses.randomReads[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.randomReads[dose]} random queries on PostgreSQL, against a plain evaluation`,
      parallel: true,
      run: () => randomReads(doses.randomReads[dose], 'server'),
    },
    {
      name: `Proof: ${doses.progress[dose]} random histories of learners on PGlite, against a plain recomputation`,
      parallel: true,
      run: () => randomProgress(doses.progress[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.progress[dose]} random histories of learners on PostgreSQL, against a plain recomputation`,
      parallel: true,
      run: () => randomProgress(doses.progress[dose], 'server'),
    },
    {
      name: `Proof: figures of ${doses.histories[dose]} random histories of the desk on PGlite, against a plain recount`,
      parallel: true,
      run: () => deskHistories(doses.histories[dose], 'embedded'),
    },
    {
      name: `Proof: figures of ${doses.histories[dose]} random histories of the desk on PostgreSQL, against a plain recount`,
      parallel: true,
      run: () => deskHistories(doses.histories[dose], 'server'),
    },
    {
      name: `Proof: ${doses.reportFigures[dose]} random queries of all reports on PGlite, against a plain recount`,
      parallel: true,
      run: () => reportFigures(doses.reportFigures[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.reportFigures[dose]} random queries of all reports on PostgreSQL, against a plain recount`,
      parallel: true,
      // The small dose has a seed of its own on PostgreSQL, so that the two databases answer different queries.
      run: () => reportFigures(doses.reportFigures[dose], 'server', dose === 'small' ? 8 : 7),
    },
    {
      name: `Proof: files, shared pages and screens of ${doses.reportFiles[dose].runs} random queries of reports show the same`,
      parallel: true,
      run: async () => {
        const { runs, screens } = doses.reportFiles[dose]
        return (await reportFiles(runs, screens)).harmless ? passedTally : failedTally
      },
    },
    {
      name: `Proof: ${doses.routing[dose]} random questions routed on PGlite, against a plain recomputation`,
      parallel: true,
      run: () => randomRoutes(doses.routing[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.routing[dose]} random questions routed on PostgreSQL, against a plain recomputation`,
      parallel: true,
      run: () => randomRoutes(doses.routing[dose], 'server'),
    },
    {
      name: `Proof: ${doses.nestedReads[dose].runs} nested queries of a farmer on PGlite, each within bounds`,
      parallel: true,
      run: () => nestedReads(doses.nestedReads[dose], 'embedded'),
    },
    {
      name: `Proof: ${doses.nestedReads[dose].runs} nested queries of a farmer on PostgreSQL, each within bounds`,
      parallel: true,
      run: () => nestedReads(doses.nestedReads[dose], 'server'),
    },
    {
      name: 'Proof: every door on PGlite asked as every caller, nothing out of sight shown',
      parallel: true,
      // The brief dose on PGlite has a seed of its own: the two databases answer different samples of requests.
      run: () => (dose === 'small' ? leakSweep(leakDoses.brief, 'embedded', 8) : leakSweep(leakDoses.full, 'embedded')),
    },
    {
      name: 'Proof: every door on PostgreSQL asked as every caller, nothing out of sight shown',
      parallel: true,
      run: () => leakSweep(leakDoses[dose], 'server'),
    },
    {
      name: `Proof: ${doses.bulk[dose]} records at once, killed in the middle and taken back`,
      parallel: true,
      run: async () => ((await bulkProof(doses.bulk[dose])).harmless ? passedTally : failedTally),
    },
    {
      name: `Proof: a sheet of ${doses.imports[dose].rows} prices with ${doses.imports[dose].faults} faults, written and taken back`,
      parallel: true,
      run: async () => ((await importProof(doses.imports[dose])).harmless ? passedTally : failedTally),
    },
    {
      name: `Proof: a room of ${doses.restored[dose]} messages comes back row by row, on PGlite`,
      parallel: true,
      run: () => restoredRooms(doses.restored[dose], 'embedded'),
    },
    {
      name: `Proof: a room of ${doses.restored[dose]} messages comes back row by row, on PostgreSQL`,
      parallel: true,
      run: () => restoredRooms(doses.restored[dose], 'server'),
    },
    {
      name: `Proof: ${doses.fuzz[dose]} fuzzed requests, no 5xx and no lost memory`,
      run: async () => ((await fuzz(doses.fuzz[dose], fuzzSeed)).isHarmless ? passedTally : failedTally),
    },
    {
      name: `Proof: ${doses.hostile[dose].files} hostile files and ${doses.hostile[dose].streams} endless streams, none taken`,
      parallel: true,
      run: async () => ((await hostileUploads(doses.hostile[dose])).harmless ? passedTally : failedTally),
    },
    {
      name: `Proof: letters and pushes of ${doses.notices[dose]} notices with a kill -9 in the middle, none lost and none doubled`,
      parallel: true,
      run: async () => ((await noticesProof(doses.notices[dose])).harmless ? passedTally : failedTally),
    },
    {
      name: `Proof: ${doses.slips[dose]} slips of each kind in a day of prices, stopped or flagged`,
      parallel: true,
      run: () => priceSlips(doses.slips[dose]),
    },
    ...chatProofs(dose),
    // The small dose leaves these proofs out: end-to-end tests and tests of the server cover them with fewer
    // rows.
    ...(dose === 'full'
      ? [
          { name: `Proof: a room of ${longRoom} messages stays light and still`, run: () => chatScroll(longRoom) },
          {
            name: `Proof: ${largeVideo} MB uploaded in a form, with five cuts of the connection and a reload`,
            run: async () => ((await browserUpload(largeVideo)).harmless ? passedTally : failedTally),
          },
          {
            name: `Proof: ${killCount} tabs killed while an author types, each without the last two seconds at most`,
            run: async () => ((await killedTabs(killCount)).harmless ? passedTally : failedTally),
          },
          {
            name: 'Proof: an outline of 200 lessons reordered and cut at once on PGlite, each lesson in one place',
            run: () => courseOutline('embedded'),
          },
          {
            name: 'Proof: an outline of 200 lessons reordered and cut at once on PostgreSQL, each lesson in one place',
            run: () => courseOutline('server'),
          },
          {
            name: 'Proof: 100 posts decided in one call on PGlite, and taken back',
            run: () => postDecisions('embedded'),
          },
          {
            name: 'Proof: 100 posts decided in one call on PostgreSQL, and taken back',
            run: () => postDecisions('server'),
          },
          {
            name: 'Proof: the demo of three days on PGlite, each of its weeks, and the same when seeded twice',
            run: () => demoDates('embedded'),
          },
          {
            name: 'Proof: the demo of three days on PostgreSQL, each of its weeks, and the same when seeded twice',
            run: () => demoDates('server'),
          },
          {
            name: `Proof: no list of ${longList} rows scans or sorts its table in any of its orders`,
            run: () => listPlans(longList),
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

/** Runs a proof in its own program, so that its lines stay together while another proof runs. */
function toProgramStep({ name }: Step, dose: ProofDose): Step {
  return {
    name,
    independent: true,
    run: async () => {
      const args = ['--import', compileCache, 'scripts/verify.ts', '--dose', dose, '--only', name]
      const { code, output } = await run(process.execPath, args)
      const tally = code === 0 ? passedTally : code === skippedCode ? skippedTally : failedTally
      return { ...tally, output }
    },
  }
}

/**
 * Returns every long proof in its small dose, for `npm test`: those that run alone first, then the others
 * side by side.
 */
export const smallProofs = (): readonly Step[] => {
  const all = proofs('small')
  return [
    ...all.filter(({ parallel }) => !parallel),
    ...all.filter(({ parallel }) => parallel).map((proof) => toProgramStep(proof, 'small')),
  ]
}

/** Returns the value of an option on the command line of the proofs. */
function optionOf(name: string): string | undefined {
  const position = process.argv.indexOf(name)
  return position < 0 ? undefined : process.argv[position + 1]
}

/** Runs one long proof and returns the exit code. */
async function runProofStep(proof: Step): Promise<number> {
  const { failed, skippedCount: skipped } = await proof.run()
  return failed > 0 ? 1 : skipped > 0 ? skippedCode : 0
}

if (import.meta.main) {
  const dose = optionOf('--dose') ?? 'full'
  const onlyName = optionOf('--only')
  if (dose !== 'small' && dose !== 'full') {
    console.error('--dose is small or full.')
    process.exit(2)
  }
  const chosen = proofs(dose).find(({ name }) => name === onlyName)
  if (onlyName !== undefined && !chosen) {
    console.error(`No proof is called "${onlyName}".`)
    process.exit(2)
  }
  process.exit(chosen ? await runProofStep(chosen) : (await runSteps(proofs(dose))).failed > 0 ? 1 : 0)
}

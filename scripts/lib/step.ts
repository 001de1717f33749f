/** A named step of a longer run, and how its outcome is counted and shown. */

export interface CountTally {
  passedCount: number
  failed: number
  skippedCount: number
  /** Titles of the step's failed tests, as far as the test runner reports them. */
  failures?: readonly string[]
  /** Seconds of each test file in the step, as far as the test runner reports them. */
  files?: readonly { name: string; seconds: number }[]
  /**
   * Text to show under the heading of the step. Steps that run in parallel return this text instead of
   * printing it.
   */
  output?: string
}

/** Program or database that several independent steps use, one at a time. */
export interface Lane {
  /** Ends what the steps shared; called after the last of them in a batch. */
  close: () => Promise<void>
}

export interface Step {
  name: string
  /** Whether the step prints nothing itself and may run in parallel with neighbouring independent steps. */
  independent?: boolean
  /** Program or database that the step shares with others, if any. */
  lane?: Lane
  run: () => Promise<CountTally>
}

/**
 * Long proof as a step; `parallel` ones judge no time, and no memory but that of a server after its garbage is
 * collected, so another one may run beside them.
 */
export interface ProofStep extends Step {
  parallel?: true
  /** Whether the small dose ends in a few seconds: it starts last, so that no longer one runs alone at the end. */
  brief?: true
  /**
   * Whether it repeats another proof on a kind of database where the server's tests use the same rules: the small
   * dose leaves it out.
   */
  repeated?: true
  /** Kind of the database under the application that the proof builds in its own program. */
  place?: 'embedded' | 'server'
}

export const passedTally: CountTally = { passedCount: 1, failed: 0, skippedCount: 0 }
export const failedTally: CountTally = { passedCount: 0, failed: 1, skippedCount: 0 }
export const skippedTally: CountTally = { passedCount: 0, failed: 0, skippedCount: 1 }

function add(firstTally: CountTally, secondTally: CountTally): CountTally {
  return {
    passedCount: firstTally.passedCount + secondTally.passedCount,
    failed: firstTally.failed + secondTally.failed,
    skippedCount: firstTally.skippedCount + secondTally.skippedCount,
  }
}

/** Returns the tally of a step as `12 passed, 0 failed`, with skipped tests only if there are any. */
function describeTally(tally: CountTally): string {
  return `${tally.passedCount} passed, ${tally.failed} failed${tally.skippedCount > 0 ? `, ${tally.skippedCount} skipped` : ''}`
}

/** Outcome of one step of a check or test run. */
export interface Outcome {
  step: Step
  tally: CountTally
  seconds: number
}

interface RunOptions {
  /**
   * Number of independent steps that run in parallel; 2 by default, because each of the long ones uses
   * several cores.
   */
  parallel?: number
  /** Whether the report ends with the time of each step and the slowest files. */
  times?: boolean
  /** Called with each line of the report on the steps. */
  printLine?: (line: string) => void
}

/**
 * Runs steps in their order and prints the outcome of each under its heading; a failing step does not stop
 * the rest. Neighbouring independent steps run in parallel and are still shown in their order.
 *
 * @returns The sum of all steps. Its failures are printed last, before the sum.
 */
export async function runSteps(
  steps: readonly Step[],
  { parallel = 2, times = false, printLine: print = console.log }: RunOptions = {},
): Promise<CountTally> {
  const stepOutcomes: Outcome[] = []
  const show = ({ step, tally, seconds }: Outcome) => {
    if (step.independent) print(headingOf(step))
    if (tally.output) print(tally.output.trimEnd())
    print(`   ${describeTally(tally)} (${seconds.toFixed(1)} s)`)
  }
  for (const batch of groupIntoBatches(steps)) {
    const startedSteps = runInTurns(batch, parallel)
    for (const [index, step] of batch.entries()) {
      if (!step.independent) print(headingOf(step))
      const outcome = await startedSteps[index]
      if (outcome === undefined) continue
      show(outcome)
      stepOutcomes.push(outcome)
    }
  }
  const total = stepOutcomes.reduce((sum, { tally }) => add(sum, tally), { passedCount: 0, failed: 0, skippedCount: 0 })
  if (times) for (const line of timesOf(stepOutcomes)) print(line)
  for (const { step, tally } of stepOutcomes) {
    if (tally.failed > 0) print(`\nFailed: ${[step.name, ...(tally.failures ?? [])].join('\n  ')}`)
  }
  print(`\n${describeTally(total)}`)
  return total
}

const headingOf = ({ name }: Step) => `\n── ${name} ${'─'.repeat(Math.max(0, 74 - name.length))}`

/** Groups neighbouring independent steps as batches; every other step is a batch of its own. */
function groupIntoBatches(steps: readonly Step[]): Step[][] {
  const batches: Step[][] = []
  for (const step of steps) {
    const lastBatch = batches.at(-1)
    if (step.independent && lastBatch?.[0]?.independent) lastBatch.push(step)
    else batches.push([step])
  }
  return batches
}

/**
 * Starts the steps of a batch in their order, a limited number at a time. A step whose lane is taken lets
 * later steps go first.
 */
function runInTurns(steps: readonly Step[], limit: number): Promise<Outcome>[] {
  const waitingSteps = steps.map((step) => ({ step, ...Promise.withResolvers<Outcome>() }))
  const outcomes = waitingSteps.map(({ promise }) => promise)
  const takenLanes = new Set<Lane>()
  let freeSlots = limit
  const startWaiting = () => {
    while (freeSlots > 0) {
      const index = waitingSteps.findIndex(({ step: { lane } }) => !lane || !takenLanes.has(lane))
      const [nextStep] = index < 0 ? [] : waitingSteps.splice(index, 1)
      if (!nextStep) return
      const { step, resolve } = nextStep
      const { lane } = step
      freeSlots -= 1
      if (lane) takenLanes.add(lane)
      const startMoment = performance.now()
      void outcomeOf(step, waitingSteps.some((waitingStep) => waitingStep.step.lane === lane) ? undefined : lane).then(
        (tally) => {
          resolve({ step, tally, seconds: (performance.now() - startMoment) / 1000 })
          freeSlots += 1
          if (lane) takenLanes.delete(lane)
          startWaiting()
        },
      )
    }
  }
  startWaiting()
  return outcomes
}

/** Runs a step, and then closes the lane that no other step needs any more. */
async function outcomeOf(step: Step, lastLane: Lane | undefined): Promise<CountTally> {
  try {
    try {
      return await step.run()
    } finally {
      await lastLane?.close()
    }
  } catch (error) {
    return { ...failedTally, output: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

const slowestShown = 15

/** Lines with the seconds of each step, in the order of the run, and of the slowest test files. */
export function timesOf(outcomes: readonly Outcome[]): string[] {
  const line = (seconds: number, text: string) => `${seconds.toFixed(1).padStart(8)} s  ${text}`
  const files = outcomes.flatMap(({ step, tally }) =>
    (tally.files ?? []).map(({ name, seconds }) => ({ seconds, text: `${name} (${step.name})` })),
  )
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, slowestShown)
  return [
    '\nTime of each step:',
    ...outcomes.map(({ step, seconds }) => line(seconds, step.name)),
    ...(slowest.length > 0 ? ['\nSlowest files:', ...slowest.map(({ seconds, text }) => line(seconds, text))] : []),
  ]
}

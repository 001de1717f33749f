/** One named step of a longer run, and how its outcome is counted and shown. */

export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** What the failed tests are called, as far as their runner says it. */
  failures?: readonly string[]
}

export interface Step {
  name: string
  run: () => Promise<Tally>
}

export const passedOne: Tally = { passed: 1, failed: 0, skipped: 0 }
export const failedOne: Tally = { passed: 0, failed: 1, skipped: 0 }
export const skippedOne: Tally = { passed: 0, failed: 0, skipped: 1 }

export function add(one: Tally, other: Tally): Tally {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

/** `12 passed, 0 failed`, and what was skipped only if anything was. */
export function inWords(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed${tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''}`
}

/** Runs the steps one after the other, each under its heading; a failing or throwing one does not stop the rest. */
export async function runSteps(steps: readonly Step[]): Promise<Tally> {
  let total: Tally = { passed: 0, failed: 0, skipped: 0 }
  const failures: { step: string; names: readonly string[] }[] = []
  for (const step of steps) {
    console.log(`\n── ${step.name} ${'─'.repeat(Math.max(0, 74 - step.name.length))}`)
    const started = performance.now()
    const tally = await outcomeOf(step)
    if (tally.failed > 0) failures.push({ step: step.name, names: tally.failures ?? [] })
    total = add(total, tally)
    console.log(`   ${inWords(tally)} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  }
  for (const { step, names } of failures) console.log(`\nFailed: ${[step, ...names].join('\n  ')}`)
  console.log(`\n${inWords(total)}`)
  return total
}

async function outcomeOf(step: Step): Promise<Tally> {
  try {
    return await step.run()
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error)
    return failedOne
  }
}

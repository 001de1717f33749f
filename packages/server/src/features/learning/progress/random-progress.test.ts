import { expect, it } from 'vitest'
import { compareRandomProgress } from '../../../testing/random-progress.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'

/** Number of random histories in a test run; `scripts/proofs/progress.ts` runs a thousand. */
const runs = 15

const resourceApp = startResourceApp()

it('computes the same progress as a plain recomputation, for random histories', async () => {
  const { histories, calls } = await compareRandomProgress(
    resourceApp.database,
    (...call) => resourceApp.ask(...call),
    runs,
  )
  expect(histories).toBe(runs)
  expect(calls).toBeGreaterThan(runs)
}, 120_000)

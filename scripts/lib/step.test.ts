import { describe, expect, it } from 'vitest'
import { failedTally, passedTally, runSteps, type Step, timesOf } from './step.ts'

/** Runs steps and returns the lines that they printed. */
async function reportOf(steps: readonly Step[], maxParallel?: number): Promise<string> {
  const lines: string[] = []
  const collectLine = (line: string) => void lines.push(line)
  await runSteps(steps, { printLine: collectLine, ...(maxParallel !== undefined && { parallel: maxParallel }) })
  return lines
    .join('\n')
    .replaceAll(/\d+\.\d s/g, 'n s')
    .replaceAll('─', '')
}

describe('runSteps', () => {
  it('prints parallel steps in their order, each with its own output', async () => {
    const secondStepEnd = Promise.withResolvers<undefined>()
    const steps: Step[] = [
      // The first step of the test ends after the second one.
      {
        name: 'One',
        independent: true,
        run: () => secondStepEnd.promise.then(() => ({ ...passedTally, output: 'of one' })),
      },
      {
        name: 'Two',
        independent: true,
        run: () => {
          secondStepEnd.resolve(undefined)
          return Promise.resolve({ ...passedTally, output: 'of two' })
        },
      },
    ]
    expect(await reportOf(steps)).toBe(
      '\n One \nof one\n   1 passed, 0 failed (n s)\n\n Two \nof two\n   1 passed, 0 failed (n s)\n\n2 passed, 0 failed',
    )
  })

  it('runs no more steps in parallel than allowed', async () => {
    let [now, maxRunning] = [0, 0]
    const run = async () => {
      now += 1
      maxRunning = Math.max(maxRunning, now)
      await Promise.resolve()
      now -= 1
      return passedTally
    }
    await reportOf(
      Array.from({ length: 7 }, (_, index) => ({ name: `${index}`, independent: true, run })),
      3,
    )
    expect(maxRunning).toBe(3)
  })

  it('starts a dependent step after all earlier steps have ended', async () => {
    const events: string[] = []
    const step = (name: string, isIndependent: boolean): Step => ({
      name,
      independent: isIndependent,
      run: async () => {
        events.push(`start ${name}`)
        await Promise.resolve()
        events.push(`end ${name}`)
        return passedTally
      },
    })
    await reportOf([step('a', true), step('b', false), step('c', true)])
    expect(events).toEqual(['start a', 'end a', 'start b', 'end b', 'start c', 'end c'])
  })

  it('runs the steps of a lane one at a time beside others and closes it after the last', async () => {
    const events: string[] = []
    const lane = { close: () => Promise.resolve(void events.push('close')) }
    const outsideStart = Promise.withResolvers<undefined>()
    const inLane = (name: string): Step => ({
      name,
      lane,
      independent: true,
      run: async () => {
        events.push(`start ${name}`)
        // The first step in the lane ends after the step outside it has started.
        if (name === 'a') await outsideStart.promise
        events.push(`end ${name}`)
        if (name === 'b') throw new Error('lost')
        return passedTally
      },
    })
    const outsideStep: Step = {
      name: 'outside',
      independent: true,
      run: () => {
        events.push('outside')
        outsideStart.resolve(undefined)
        return Promise.resolve(passedTally)
      },
    }
    await reportOf([inLane('a'), inLane('b'), outsideStep])
    expect(events).toEqual(['start a', 'outside', 'end a', 'start b', 'end b', 'close'])
  })

  it('fails the last step of a lane that cannot be closed', async () => {
    const lane = { close: () => Promise.reject(new Error('still open')) }
    const step: Step = { name: 'One', lane, independent: true, run: () => Promise.resolve(passedTally) }
    expect(await reportOf([step])).toMatch(/still open[\s\S]*0 passed, 1 failed$/)
  })

  it('continues after a failed step and lists failures before the total', async () => {
    const report = await reportOf([
      { name: 'One', run: () => Promise.resolve({ ...failedTally, failures: ['rejects a price'] }) },
      { name: 'Two', run: () => Promise.reject(new Error('lost')) },
      { name: 'Three', run: () => Promise.resolve(passedTally) },
    ])
    expect(report).toContain('Error: lost')
    expect(report).toMatch(/\n\nFailed: One\n {2}rejects a price\n\nFailed: Two\n\n1 passed, 2 failed$/)
  })
})

describe('timesOf', () => {
  it('lists steps in the order of their run and files by their duration', () => {
    const step = (name: string): Step => ({ name, run: () => Promise.resolve(passedTally) })
    const files = [
      { name: 'quick.test.ts', seconds: 1 },
      { name: 'slow.test.ts', seconds: 20.04 },
    ]
    expect(
      timesOf([
        { step: step('B'), tally: { ...passedTally, files }, seconds: 21 },
        { step: step('A'), tally: passedTally, seconds: 2 },
      ]),
    ).toEqual([
      '\nTime of each step:',
      '    21.0 s  B',
      '     2.0 s  A',
      '\nSlowest files:',
      '    20.0 s  slow.test.ts (B)',
      '     1.0 s  quick.test.ts (B)',
    ])
  })
})

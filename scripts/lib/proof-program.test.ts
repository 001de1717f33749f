import { afterEach, expect, test } from 'vitest'
import { ProofProgram } from './proof-program.ts'

/** Program whose proofs print its process id, and fail, throw or crash by their names. */
const programText = `
  import { answerNames } from ${JSON.stringify(new URL('./proof-program.ts', import.meta.url).href)}
  await answerNames(async (name) => {
    if (name === 'crash') process.exit(3)
    if (name === 'throw') throw new Error('lost')
    console.log(process.pid)
    return { passedCount: name === 'fail' ? 0 : 1, failed: name === 'fail' ? 1 : 0, skippedCount: 0 }
  })`
const program = new ProofProgram(['--input-type=module', '--eval', programText])
afterEach(() => program.close())

test('runs proofs one after another in the same program', async () => {
  const [firstTally, otherTally] = [await program.run('one'), await program.run('other')]
  expect(firstTally).toMatchObject({ passedCount: 1, failed: 0 })
  expect(firstTally.output).toMatch(/^\d+\n$/)
  expect(otherTally.output).toBe(firstTally.output)
})

test('runs the proof after a failed one in a new program', async () => {
  const failedRun = await program.run('fail')
  expect(failedRun).toMatchObject({ passedCount: 0, failed: 1 })
  expect((await program.run('one')).output).not.toBe(failedRun.output)
})

test('counts a proof that throws as failed and shows the error', async () => {
  const { failed, output } = await program.run('throw')
  expect(failed).toBe(1)
  expect(output).toContain('Error: lost')
})

test('counts a proof whose program ends as failed and runs the next one', async () => {
  expect(await program.run('crash')).toMatchObject({ passedCount: 0, failed: 1 })
  expect(await program.run('one')).toMatchObject({ passedCount: 1, failed: 0 })
})

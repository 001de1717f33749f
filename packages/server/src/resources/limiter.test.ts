import { expect, test } from 'vitest'
import { createLimiter, createKeyedQueue } from './limiter.ts'

test('runs work in the order it arrives, limits concurrent work, and refuses the rest', async () => {
  const runLimited = createLimiter({ maxRunning: 2, maxWaiting: 2 })
  const begunNumbers: number[] = []
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<number>())
  const results = gates.map(({ promise }, index) =>
    runLimited(() => {
      begunNumbers.push(index)
      return promise
    }),
  )
  expect(begunNumbers).toEqual([0, 1])
  await expect(runLimited(() => Promise.resolve(0))).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  gates[1]?.reject(new Error('failed'))
  await expect(results[1]).rejects.toThrow('failed')
  gates[0]?.resolve(0)
  await results[0]
  expect(begunNumbers).toEqual([0, 1, 2, 3])
  gates[2]?.resolve(2)
  gates[3]?.resolve(3)
  expect(await Promise.all([results[2], results[3]])).toEqual([2, 3])
  expect(await runLimited(() => Promise.resolve('free again'))).toBe('free again')
})

test('runs one task of a key at a time, and does not delay tasks of other keys', async () => {
  const runInTurn = createKeyedQueue(1)
  const begunNames: string[] = []
  const gate = Promise.withResolvers<string>()
  const firstCall = runInTurn(1, () => {
    begunNames.push('first')
    return gate.promise
  })
  const secondCall = runInTurn(1, () => Promise.resolve(begunNames.push('second')))
  await runInTurn(2, () => Promise.resolve(begunNames.push('other')))
  await expect(runInTurn(1, () => Promise.resolve(0))).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  expect(begunNames).toEqual(['first', 'other'])
  gate.reject(new Error('failed'))
  await expect(firstCall).rejects.toThrow('failed')
  await secondCall
  expect(begunNames).toEqual(['first', 'other', 'second'])
})

import { expect, test } from 'vitest'
import { createLimiter, createKeyedQueue } from './limiter.ts'

test('runs work in the order it arrives, limits concurrent work, and refuses the rest', async () => {
  const bounded = createLimiter({ running: 2, waiting: 2 })
  const begun: number[] = []
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<number>())
  const results = gates.map(({ promise }, index) =>
    bounded(() => {
      begun.push(index)
      return promise
    }),
  )
  expect(begun).toEqual([0, 1])
  await expect(bounded(() => Promise.resolve(0))).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  gates[1]?.reject(new Error('failed'))
  await expect(results[1]).rejects.toThrow('failed')
  gates[0]?.resolve(0)
  await results[0]
  expect(begun).toEqual([0, 1, 2, 3])
  gates[2]?.resolve(2)
  gates[3]?.resolve(3)
  expect(await Promise.all([results[2], results[3]])).toEqual([2, 3])
  expect(await bounded(() => Promise.resolve('free again'))).toBe('free again')
})

test('runs one task of a key at a time, and does not delay tasks of other keys', async () => {
  const inTurn = createKeyedQueue(1)
  const begun: string[] = []
  const gate = Promise.withResolvers<string>()
  const first = inTurn(1, () => {
    begun.push('first')
    return gate.promise
  })
  const second = inTurn(1, () => Promise.resolve(begun.push('second')))
  await inTurn(2, () => Promise.resolve(begun.push('other')))
  await expect(inTurn(1, () => Promise.resolve(0))).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  expect(begun).toEqual(['first', 'other'])
  gate.reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  await second
  expect(begun).toEqual(['first', 'other', 'second'])
})

import { expect, it } from 'vitest'
import { createQueue, createSpeedometer } from './upload-queue.ts'

it('runs three uploads at a time, and starts the next upload when one ends', async () => {
  const takeTurn = createQueue(3)
  const begunUploads: number[] = []
  const endByName = new Map<number, () => void>()
  for (const name of [1, 2, 3, 4, 5]) {
    void takeTurn().then((end) => {
      begunUploads.push(name)
      endByName.set(name, end)
    })
  }
  await new Promise(setImmediate)
  expect(begunUploads).toEqual([1, 2, 3])
  endByName.get(2)?.()
  endByName.get(2)?.()
  await new Promise(setImmediate)
  expect(begunUploads).toEqual([1, 2, 3, 4])
})

it('measures the upload speed of the last seconds, and reports no speed too early', () => {
  const speed = createSpeedometer()
  expect(speed({ at: 0, sent: 0 })).toBeUndefined()
  expect(speed({ at: 100, sent: 9000 })).toBeUndefined()
  expect(speed({ at: 1000, sent: 50_000 })).toBe(50_000)
  expect(speed({ at: 5000, sent: 60_000 })).toBeUndefined()
  expect(speed({ at: 6000, sent: 70_000 })).toBe(10_000)
  expect(speed({ at: 6500, sent: 100 })).toBeUndefined()
})

import { afterEach, expect, it, vi } from 'vitest'
import { nextPaint } from './painted.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('resolves the promise of the next paint after the callbacks of the next frame', async () => {
  const order: string[] = []
  const paintPromise = nextPaint().then(() => order.push('painted'))
  requestAnimationFrame(() => order.push('frame'))
  await paintPromise
  expect(order).toEqual(['frame', 'painted'])
})

it('resolves the promise of the next paint even in a hidden page, which has no frames', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('requestAnimationFrame', () => 0)
  let isDone = false
  const paintPromise = nextPaint().then(() => {
    isDone = true
  })
  await vi.advanceTimersByTimeAsync(100)
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  await paintPromise
})

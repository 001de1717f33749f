import { afterEach, expect, it, vi } from 'vitest'
import { painted } from './painted.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('resolves after the callbacks of the next frame', async () => {
  const order: string[] = []
  const done = painted().then(() => order.push('painted'))
  requestAnimationFrame(() => order.push('frame'))
  await done
  expect(order).toEqual(['frame', 'painted'])
})

it('resolves even in a hidden page, which has no frames', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('requestAnimationFrame', () => 0)
  let isDone = false
  const done = painted().then(() => {
    isDone = true
  })
  await vi.advanceTimersByTimeAsync(100)
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  await done
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageCalls } from './quiet.ts'

/** A count of its own: what other tests have asked for counts in that of the page. */
let quiet: ReturnType<typeof pageCalls>

beforeEach(() => {
  quiet = pageCalls()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A call that ends when the test says so. */
function startCall(): { end: () => void; fail: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  quiet.countAsWork(promise).catch(() => undefined)
  return { end: resolve, fail: () => reject(new Error('no connection')) }
}

/** Starts to wait, and tells whether the page has been found quiet. */
function watch(): () => boolean {
  let isQuiet = false
  void quiet.whenQuiet().then(() => (isQuiet = true))
  return () => isQuiet
}

describe('whenQuiet', () => {
  it('resolves soon when the page asks for nothing', async () => {
    const isQuiet = watch()
    await vi.advanceTimersByTimeAsync(300)
    expect(isQuiet()).toBe(true)
  })

  it('waits until the last call has ended, whether it failed or not', async () => {
    const [first, second] = [startCall(), startCall()]
    const isQuiet = watch()
    first.end()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isQuiet()).toBe(false)
    second.fail()
    await vi.advanceTimersByTimeAsync(300)
    expect(isQuiet()).toBe(true)
  })

  it('waits three seconds and no longer for a call that hangs', async () => {
    startCall()
    const isQuiet = watch()
    await vi.advanceTimersByTimeAsync(2_500)
    expect(isQuiet()).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isQuiet()).toBe(true)
  })

  it('waits for what is asked for right after an answer', async () => {
    const first = startCall()
    const isQuiet = watch()
    first.end()
    await vi.advanceTimersByTimeAsync(90)
    const second = startCall()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isQuiet()).toBe(false)
    second.end()
    await vi.advanceTimersByTimeAsync(300)
    expect(isQuiet()).toBe(true)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageCalls } from './quiet.ts'

/** A separate counter of calls, because that of the page counts the calls of other tests. */
let quietPage: ReturnType<typeof pageCalls>

beforeEach(() => {
  quietPage = pageCalls()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Pending call that the test ends. */
function startCall(): { end: () => void; fail: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  quietPage.trackCall(promise).catch(() => undefined)
  return { end: resolve, fail: () => reject(new Error('no connection')) }
}

/** Starts to wait for a quiet page, and returns a function that tells whether it was found quiet. */
function watchQuiet(): () => boolean {
  let isQuiet = false
  void quietPage.waitForQuiet().then(() => (isQuiet = true))
  return () => isQuiet
}

describe('waitForQuiet', () => {
  it('resolves waitForQuiet soon when the page makes no calls', async () => {
    const isQuiet = watchQuiet()
    await vi.advanceTimersByTimeAsync(300)
    expect(isQuiet()).toBe(true)
  })

  it('waits in waitForQuiet until the last call has ended, successfully or not', async () => {
    const [firstCall, secondCall] = [startCall(), startCall()]
    const isQuiet = watchQuiet()
    firstCall.end()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isQuiet()).toBe(false)
    secondCall.fail()
    await vi.advanceTimersByTimeAsync(300)
    expect(isQuiet()).toBe(true)
  })

  it('waits in waitForQuiet at most three seconds for a call that hangs', async () => {
    startCall()
    const isQuiet = watchQuiet()
    await vi.advanceTimersByTimeAsync(2_500)
    expect(isQuiet()).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isQuiet()).toBe(true)
  })

  it('waits in waitForQuiet for calls made right after a response', async () => {
    const firstCall = startCall()
    const isQuiet = watchQuiet()
    firstCall.end()
    await vi.advanceTimersByTimeAsync(90)
    const secondCall = startCall()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isQuiet()).toBe(false)
    secondCall.end()
    await vi.advanceTimersByTimeAsync(300)
    expect(isQuiet()).toBe(true)
  })
})

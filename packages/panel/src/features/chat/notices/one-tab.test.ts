import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRingElection } from './one-tab.ts'

interface PendingLock {
  release: () => void
  reject: (reason: Error) => void
}

/** Fake lock of a browser with several tabs, which a tab can steal. */
class FakeLock {
  #holder: PendingLock | undefined
  #waiting: (() => void)[] = []

  request(_name: string, { steal = false, signal }: LockOptions, runTask: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const electTab = () => {
        if (signal?.aborted) return this.#next()
        const pendingLock: PendingLock = { release: resolve, reject }
        this.#holder = pendingLock
        void runTask().then(() => {
          if (this.#holder === pendingLock) this.#next()
          resolve()
        })
      }
      if (steal) {
        this.#holder?.reject(new Error('stolen'))
        electTab()
      } else if (this.#holder) this.#waiting.push(electTab)
      else electTab()
    })
  }

  #next(): void {
    this.#holder = undefined
    this.#waiting.shift()?.()
  }
}

beforeEach(() => {
  const lock = new FakeLock()
  const fakeLocks = { request: (...args: Parameters<FakeLock['request']>) => lock.request(...args) }
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks: fakeLocks }))
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
})

// Other test files of the worker use the browser's own locks again.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('rings in the tab that was focused last, and in another tab when that one is closed', async () => {
  const [firstTab, secondTab] = [createRingElection(), createRingElection()]
  const closeByTab = { first: firstTab.joinElection(), second: () => {} }
  const ringingTabs = () => [firstTab.isRinging(), secondTab.isRinging()]
  await vi.waitFor(() => expect(ringingTabs()).toEqual([true, false]))
  // The two tabs of this test share one window: the second tab gets the focus.
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  closeByTab.second = secondTab.joinElection()
  await vi.waitFor(() => expect(ringingTabs()).toEqual([false, true]))
  closeByTab.second()
  await vi.waitFor(() => expect(ringingTabs()).toEqual([true, false]))
  closeByTab.first()
  expect(ringingTabs()).toEqual([false, false])
})

/** Detects when the page has its data and the browser is idle: background loading waits until then. */

/** Longest wait for a single call of the page, in milliseconds: a call may hang. */
const maxCallWait = 3_000
/** The longest wait for a page that never stops making calls, in milliseconds. */
const maxWait = 10_000

const waitForIdle = () =>
  new Promise<void>((resolve) => {
    // Safari lacks `requestIdleCallback`: a time-out replaces it.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: maxCallWait })
    else setTimeout(resolve, 50)
  })

/** Tracks the API calls of a page, and waits until none is running. */
interface PageCalls {
  /**
   * Counts a call to the server as work of the page until it has ended.
   *
   * @param call - The call that was started.
   * @returns The same call.
   */
  trackCall: <T>(call: Promise<T>) => Promise<T>
  /**
   * Waits until no call of the page is under way and the browser is idle.
   *
   * @returns A promise that resolves when the page is quiet, or after ten seconds if the page never stops
   *   asking.
   */
  waitForQuiet: () => Promise<void>
}

/**
 * Counts the unfinished API calls of the open page.
 *
 * @returns A counter that has no calls yet.
 */
export function pageCalls(): PageCalls {
  let runningCalls = 0
  const resolvers = new Set<() => void>()
  const waitForNoCalls = () =>
    runningCalls === 0 ? undefined : new Promise<void>((resolve) => void resolvers.add(() => resolve()))

  return {
    trackCall(call) {
      runningCalls += 1
      let hasEnded = false
      const end = () => {
        if (hasEnded) return
        hasEnded = true
        clearTimeout(timer)
        runningCalls -= 1
        if (runningCalls > 0) return
        for (const resolve of resolvers) resolve()
        resolvers.clear()
      }
      const timer = setTimeout(end, maxCallWait)
      call.then(end, end)
      return call
    },
    async waitForQuiet() {
      const startTime = Date.now()
      do {
        await waitForNoCalls()
        // A component makes its calls after it is drawn, and draws an answer before the next call.
        await new Promise((resolve) => setTimeout(resolve, 100))
        await waitForIdle()
      } while (runningCalls > 0 && Date.now() - startTime < maxWait)
    },
  }
}

export const { trackCall, waitForQuiet } = pageCalls()

/** Detects when the page has its data and the browser is idle: background loading waits until then. */

/** The longest wait for a call that hangs, in milliseconds. */
const callPatience = 3_000
/** The longest wait for a page that never stops making calls, in milliseconds. */
const patience = 10_000

const moment = () =>
  new Promise<void>((resolve) => {
    // Safari lacks this callback.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: callPatience })
    else setTimeout(resolve, 50)
  })

/** The calls of a page, and the wait for their end. */
interface PageCalls {
  /**
   * Counts a call to the server as work of the page until it has ended.
   *
   * @param call - The call that was started.
   * @returns The same call.
   */
  countAsWork: <T>(call: Promise<T>) => Promise<T>
  /**
   * Waits until no call of the page is under way and the browser is idle.
   *
   * @returns A promise that resolves then, or after ten seconds if the page never stops asking.
   */
  whenQuiet: () => Promise<void>
}

/**
 * Counts the calls of one page.
 *
 * @returns A counter without any calls.
 */
export function pageCalls(): PageCalls {
  let underWay = 0
  const waiting = new Set<() => void>()
  const untilNoCall = () =>
    underWay === 0 ? undefined : new Promise<void>((resolve) => void waiting.add(() => resolve()))

  return {
    countAsWork(call) {
      underWay += 1
      let hasEnded = false
      const end = () => {
        if (hasEnded) return
        hasEnded = true
        clearTimeout(timer)
        underWay -= 1
        if (underWay > 0) return
        for (const goOn of waiting) goOn()
        waiting.clear()
      }
      const timer = setTimeout(end, callPatience)
      call.then(end, end)
      return call
    },
    async whenQuiet() {
      const started = Date.now()
      do {
        await untilNoCall()
        // A component makes its calls after it is drawn, and draws an answer before the next call.
        await new Promise((resolve) => setTimeout(resolve, 100))
        await moment()
      } while (underWay > 0 && Date.now() - started < patience)
    },
  }
}

export const { countAsWork, whenQuiet } = pageCalls()

/** Keeps expensive work within bounds: so many pieces at once, so many waiting, and a refusal for the rest. */
import { fault } from '@dala/model'

export interface Bounds {
  /** Pieces that run at once. */
  running: number
  /** Pieces that wait for their turn. */
  waiting: number
}

export type Bounded = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Makes a bound. Out: a function that runs a piece of work when it is its turn, first come first served.
 * It throws 503 with Retry-After when too many wait already (checklist §1, §4).
 */
export function createBound({ running: maxRunning, waiting: maxWaiting }: Bounds): Bounded {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < maxRunning) running += 1
    else {
      if (waiting.length >= maxWaiting) throw fault('server.busy', { retryAfter: 5 })
      // Whoever ends hands over his place: nobody who comes in between can take it.
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Limits expensive work: a maximum of running and of waiting tasks, and a refusal for the rest. */
import { fault } from '@dala/model'

export interface LimiterBounds {
  /** Maximum number of tasks that run concurrently. */
  maxRunning: number
  /** Maximum number of tasks that wait for their turn. */
  maxWaiting: number
}

export type LimitedTask = <T>(runTask: () => Promise<T>) => Promise<T>

/**
 * Makes a limiter of concurrent expensive work.
 *
 * @returns A function that runs a piece of work in its turn, first come first served. It throws 503 with
 *   Retry-After when too many pieces wait already (checklist §1, §4).
 */
export function createLimiter({ maxRunning, maxWaiting }: LimiterBounds): LimitedTask {
  let runningCount = 0
  const waitingCalls: (() => void)[] = []
  return async (runTask) => {
    if (runningCount < maxRunning) runningCount += 1
    else {
      if (waitingCalls.length >= maxWaiting) throw fault('server.busy', { retryAfter: 5 })
      // A task that ends hands its slot to the next task directly, so that no newcomer can take it.
      await new Promise<void>((resolve) => waitingCalls.push(resolve))
    }
    try {
      return await runTask()
    } finally {
      const nextCall = waitingCalls.shift()
      if (nextCall) nextCall()
      else runningCount -= 1
    }
  }
}

/** Runs a piece of work after all earlier pieces of work with the same key. */
export type RunInTurn = <T>(key: number, runTask: () => Promise<T>) => Promise<T>

/**
 * Makes a queue for each key. Work that would lock the same row waits here without a database connection:
 * one busy row cannot take the connections of all other requests.
 *
 * @param maxWaiting - The maximum number of waiting pieces per key.
 * @returns A function that runs a piece in its turn.
 * @throws 503 `server.busy` with Retry-After when too many pieces of its key wait already.
 */
export function createKeyedQueue(maxWaiting: number): RunInTurn {
  const queuedTurns = new Map<number, { bounded: LimitedTask; pieces: number }>()
  return async (key, runTask) => {
    const keyTurn = queuedTurns.get(key) ?? { bounded: createLimiter({ maxRunning: 1, maxWaiting }), pieces: 0 }
    queuedTurns.set(key, keyTurn)
    keyTurn.pieces += 1
    try {
      return await keyTurn.bounded(runTask)
    } finally {
      keyTurn.pieces -= 1
      if (keyTurn.pieces === 0) queuedTurns.delete(key)
    }
  }
}

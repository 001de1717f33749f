/** Limits expensive work: a maximum of running and of waiting tasks, and a refusal for the rest. */
import { fault } from '@dala/model'

export interface LimiterBounds {
  /** Maximum number of tasks that run concurrently. */
  running: number
  /** Maximum number of tasks that wait for their turn. */
  waiting: number
}

export type LimitedTask = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Makes a limiter of concurrent expensive work.
 *
 * @returns A function that runs a piece of work in its turn, first come first served. It throws 503 with
 *   Retry-After when too many pieces wait already (checklist §1, §4).
 */
export function createLimiter({ running: maxRunning, waiting: maxWaiting }: LimiterBounds): LimitedTask {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < maxRunning) running += 1
    else {
      if (waiting.length >= maxWaiting) throw fault('server.busy', { retryAfter: 5 })
      // A task that ends hands its slot to the next task directly, so that no newcomer can take it.
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

/** Runs a piece of work after all earlier pieces of work with the same key. */
export type InTurn = <T>(key: number, work: () => Promise<T>) => Promise<T>

/**
 * Makes a queue for each key. Work that would lock the same row waits here without a database connection:
 * one busy row cannot take the connections of all other requests.
 *
 * @param waiting - The maximum number of waiting pieces per key.
 * @returns A function that runs a piece in its turn.
 * @throws 503 `server.busy` with Retry-After when too many pieces of its key wait already.
 */
export function createKeyedQueue(waiting: number): InTurn {
  const turns = new Map<number, { bounded: LimitedTask; pieces: number }>()
  return async (key, work) => {
    const turn = turns.get(key) ?? { bounded: createLimiter({ running: 1, waiting }), pieces: 0 }
    turns.set(key, turn)
    turn.pieces += 1
    try {
      return await turn.bounded(work)
    } finally {
      turn.pieces -= 1
      if (turn.pieces === 0) turns.delete(key)
    }
  }
}

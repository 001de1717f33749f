/** The counts of a simulation: actions, and the time of a message from its sender to another client. */

/** Returns the value below which the given share of the sorted values lies. */
function quantile(ascendingValues: readonly number[], share: number): number {
  return ascendingValues[Math.min(ascendingValues.length - 1, Math.floor(ascendingValues.length * share))] ?? 0
}

export interface NumberSpread {
  count: number
  p50: number
  p95: number
  max: number
}

export function computeSpread(values: readonly number[]): NumberSpread {
  const sortedValues = values.toSorted((one, other) => one - other)
  return {
    count: sortedValues.length,
    p50: quantile(sortedValues, 0.5),
    p95: quantile(sortedValues, 0.95),
    max: sortedValues.at(-1) ?? 0,
  }
}

/** Formats milliseconds as `12.3 ms`, without a fraction from 100 on. */
export const formatMilliseconds = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`

export type CountedAction =
  | 'message'
  | 'note'
  | 'picture'
  | 'edit'
  | 'delete'
  | 'taken'
  | 'handed over'
  | 'closed'
  | 'asked again'
  | 'resent'
  | 'refused'

export class CountTally {
  readonly deeds = new Map<CountedAction, number>()
  readonly rooms = new Set<number>()
  readonly #sentAt = new Map<string, number>()
  #fresh: number[] = []
  readonly #all: number[] = []

  did(deed: CountedAction): void {
    this.deeds.set(deed, this.count(deed) + 1)
  }

  count(deed: CountedAction): number {
    return this.deeds.get(deed) ?? 0
  }

  /** Records that a chat message leaves its sender. */
  leaves(clientId: string): void {
    this.#sentAt.set(clientId, performance.now())
  }

  /** Records that a chat message reaches another client; only the first time counts. */
  arrives(clientId: string): void {
    const sendTime = this.#sentAt.get(clientId)
    if (sendTime === undefined) return
    this.#sentAt.delete(clientId)
    const elapsedTime = performance.now() - sendTime
    this.#fresh.push(elapsedTime)
    this.#all.push(elapsedTime)
  }

  /** Spread of the durations of messages since the previous call of this function. */
  recent(): NumberSpread {
    const messageSpread = computeSpread(this.#fresh)
    this.#fresh = []
    return messageSpread
  }

  all(): NumberSpread {
    return computeSpread(this.#all)
  }

  summary(): string {
    return [...this.deeds].map(([deed, count]) => `${deed} ${count}`).join(', ')
  }
}

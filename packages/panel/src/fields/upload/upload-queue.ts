/** A queue that limits how many uploads run at once, and a meter of their speed. */

/**
 * Creates a queue that limits how many uploads run at once.
 *
 * @param width - The number of tasks that may run at once.
 * @returns A function that waits for a turn and resolves to the function that ends it. Turns are first come,
 *   first served.
 */
export function createQueue(width: number): () => Promise<() => void> {
  let freeSlots = width
  const resolvers: (() => void)[] = []
  const end = () => {
    const resolveNext = resolvers.shift()
    if (resolveNext) resolveNext()
    else freeSlots += 1
  }
  return async () => {
    if (freeSlots > 0) freeSlots -= 1
    else await new Promise<void>((resolve) => resolvers.push(resolve))
    let hasEnded = false
    return () => {
      if (!hasEnded) end()
      hasEnded = true
    }
  }
}

interface SpeedSample {
  /** Time of a sample of the upload's progress, in milliseconds of any clock. */
  at: number
  sent: number
}

/** Milliseconds over which the upload speed is measured: older samples say nothing about now. */
const speedWindow = 3000

/**
 * Creates a meter of upload speed.
 *
 * @returns A function that takes each progress and returns bytes a second; undefined until there are enough
 *   samples.
 */
export function createSpeedometer(): (sample: SpeedSample) => number | undefined {
  let samples: SpeedSample[] = []
  return (sample) => {
    // The measurement of upload speed starts again with each file.
    if (sample.sent < (samples.at(-1)?.sent ?? 0)) samples = []
    samples = [...samples.filter(({ at }) => sample.at - at <= speedWindow), sample]
    const firstSample = samples[0]
    if (!firstSample || sample.at - firstSample.at < 300) return undefined
    return ((sample.sent - firstSample.sent) * 1000) / (sample.at - firstSample.at)
  }
}

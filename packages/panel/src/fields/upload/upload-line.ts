/** A line in which a few go at a time, and how quickly bytes went lately. */

/** Out: what waits for a turn and gives the way to end it. Turns come in the order in which they were asked for. */
export function createLine(width: number): () => Promise<() => void> {
  let free = width
  const waiting: (() => void)[] = []
  const end = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let ended = false
    return () => {
      if (!ended) end()
      ended = true
    }
  }
}

interface Sample {
  /** Milliseconds of any clock. */
  at: number
  sent: number
}

/** Speed is that of the last seconds: what was quick a minute ago says nothing. */
const lately = 3000

/** Hears how much is sent and says how quickly, in bytes a second; undefined until there is something to say. */
export function createSpeedometer(): (sample: Sample) => number | undefined {
  let samples: Sample[] = []
  return (sample) => {
    // A new file starts from nothing.
    if (sample.sent < (samples.at(-1)?.sent ?? 0)) samples = []
    samples = [...samples.filter(({ at }) => sample.at - at <= lately), sample]
    const first = samples[0]
    if (!first || sample.at - first.at < 300) return undefined
    return ((sample.sent - first.sent) * 1000) / (sample.at - first.at)
  }
}

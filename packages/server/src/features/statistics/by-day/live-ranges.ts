/** Computes which times of a report are counted from the facts when some of its days are counted already. */
import { addDays } from '../days.ts'

/** Range from one local time of the report zone to another; without a start it begins with the first fact. */
export interface LiveRange {
  from: string | null
  until: string
}

/** Range of a report's period or earlier period, in local times. */
interface Span {
  from: string
  until: string
}

/** Number of ranges that one statement reads by index. */
const mostRanges = 24

const startOf = (day: string): string => `${day} 00:00:00`

/** Returns the days that a span covers only in part; they must be counted from the facts. */
const cutDays = (spans: readonly Span[]): Set<string> =>
  new Set(
    spans
      .flatMap(({ from, until }) => [from, until].filter((time) => time !== startOf(time.slice(0, 10))))
      .map((time) => time.slice(0, 10)),
  )

/** Joins ranges that touch or overlap, in order. */
function joinRanges(spans: readonly Span[]): Span[] {
  const joinedSpans: Span[] = []
  for (const span of spans.toSorted((left, right) => (left.from < right.from ? -1 : 1))) {
    const lastSpan = joinedSpans.at(-1)
    if (lastSpan && span.from <= lastSpan.until)
      lastSpan.until = span.until > lastSpan.until ? span.until : lastSpan.until
    else if (span.from < span.until) joinedSpans.push({ ...span })
  }
  return joinedSpans
}

/** Returns the parts of ranges outside of some days. */
function withoutDays(ranges: readonly Span[], days: readonly string[]): LiveRange[] {
  const remainingRanges: LiveRange[] = []
  let dayIndex = 0
  for (const { from, until } of ranges) {
    let start = from
    while (dayIndex < days.length && startOf(days[dayIndex] ?? '') < from) dayIndex += 1
    for (; dayIndex < days.length; dayIndex += 1) {
      const day = days[dayIndex] ?? ''
      if (startOf(day) >= until) break
      if (startOf(day) > start) remainingRanges.push({ from: start, until: startOf(day) })
      start = startOf(addDays(day, 1))
    }
    if (start < until) remainingRanges.push({ from: start, until })
  }
  return remainingRanges
}

/** Counted days that a report uses, and the times that it counts from the facts. */
export interface DividedTime {
  /** Days whose stored counts are used, in order. */
  days: string[]
  /** Times of events that are counted from the facts. */
  flow: LiveRange[]
  /** Times of the changes of levels that are counted from the facts, from the first one on. */
  stock: LiveRange[]
}

/** Returns the days without their shortest runs, so that few ranges are left between them. */
function longestRuns(days: readonly string[]): string[] {
  const runs: string[][] = []
  for (const day of days) {
    const lastRun = runs.at(-1)
    if (lastRun && addDays(lastRun.at(-1) ?? '', 1) === day) lastRun.push(day)
    else runs.push([day])
  }
  const longestDayRuns = new Set(runs.toSorted((left, right) => right.length - left.length).slice(0, mostRanges - 2))
  return runs.filter((run) => longestDayRuns.has(run)).flat()
}

/**
 * Divides the time of a report into counted days and times that are counted from the facts.
 *
 * @param spans - The period and, when it is compared, the earlier one.
 * @param countedDays - The days whose counts are right, in order.
 */
export function divideTime(spans: readonly Span[], countedDays: readonly string[]): DividedTime {
  const partialDays = cutDays(spans)
  const ranges = joinRanges(spans)
  const end =
    spans
      .map(({ until }) => until)
      .toSorted()
      .at(-1) ?? ''
  const days = longestRuns(countedDays.filter((day) => !partialDays.has(day) && startOf(day) < end))
  const [firstDay] = days
  const stockRanges = firstDay === undefined ? [] : withoutDays([{ from: startOf(firstDay), until: end }], days)
  return {
    days,
    flow: withoutDays(ranges, days),
    stock: [{ from: null, until: firstDay === undefined ? end : startOf(firstDay) }, ...stockRanges],
  }
}

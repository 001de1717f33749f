/** Progress of learners: watched intervals, completeness and percentages (e-learning §7). */

/** A watched piece of a video: its first and its last second. */
export type Interval = readonly [from: number, to: number]

/** Maximum number of watched intervals that are stored for a lesson's part. */
export const maxIntervals = 200

/** Returns the index of the smallest gap between neighbouring watched intervals. */
function indexOfSmallestGap(intervals: readonly (readonly [number, number])[]): number {
  let [smallestIndex, smallestGap] = [0, Number.POSITIVE_INFINITY]
  for (let index = 0; index + 1 < intervals.length; index += 1) {
    const gap = (intervals[index + 1]?.[0] ?? 0) - (intervals[index]?.[1] ?? 0)
    if (gap < smallestGap) [smallestIndex, smallestGap] = [index, gap]
  }
  return smallestIndex
}

/**
 * Merges watched intervals: sorts them and joins those that touch or overlap. Above the maximum, neighbours
 * with the smallest gap become one.
 *
 * @param intervals - Intervals in any order; those without a length are left out.
 * @param max - The maximum number of intervals in the result.
 * @returns Disjoint intervals in ascending order.
 * @see e-learning §7
 * @example
 * mergeIntervals([[5, 9], [0, 5], [20, 30]]) // [[0, 9], [20, 30]]
 */
export function mergeIntervals(intervals: readonly Interval[], max: number = maxIntervals): Interval[] {
  const mergedIntervals: [number, number][] = []
  const sortedIntervals = intervals
    .filter(([startSecond, endSecond]) => endSecond > startSecond)
    .toSorted(([one], [other]) => one - other)
  for (const [startSecond, endSecond] of sortedIntervals) {
    const lastInterval = mergedIntervals.at(-1)
    if (lastInterval && startSecond <= lastInterval[1]) lastInterval[1] = Math.max(lastInterval[1], endSecond)
    else mergedIntervals.push([startSecond, endSecond])
  }
  while (mergedIntervals.length > max) {
    const index = indexOfSmallestGap(mergedIntervals)
    const [firstInterval, nextInterval] = [mergedIntervals[index], mergedIntervals[index + 1]]
    if (firstInterval && nextInterval) mergedIntervals.splice(index, 2, [firstInterval[0], nextInterval[1]])
  }
  return mergedIntervals
}

/** Rounds seconds to tenths, the precision of stored progress. */
const roundToTenths = (seconds: number) => Math.round(seconds * 10)

/**
 * Sums up the length of disjoint intervals.
 *
 * @returns Seconds, with one decimal place.
 * @example
 * watchedSeconds([[0, 9], [20, 30]]) // 19
 */
export const watchedSeconds = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, [startSecond, endSecond]) => sum + roundToTenths(endSecond) - roundToTenths(startSecond), 0) /
  10

/** Rule by which a lesson's part counts as completed, and what is known of the part's video. */
export interface CompletionRule {
  completeWhen: 'opened' | 'watched' | 'marked'
  /** Share of the part's video that must be watched, from 0 to 1. */
  watchRatio: number
  hasVideo: boolean
  /** Length of the part's video in seconds; null when it is unknown. */
  length: number | null
}

/** Activity of a learner in a lesson's part. */
export interface PartProgress {
  opened: boolean
  marked: boolean
  /** Number of seconds of the part's video that the learner has watched. */
  watched: number
}

/** Returns the completion rule of a part as it applies: a video without a known length cannot be measured. */
function appliedRule({ completeWhen, hasVideo, length }: CompletionRule): CompletionRule['completeWhen'] {
  if (completeWhen !== 'watched') return completeWhen
  if (!hasVideo) return 'opened'
  return length === null ? 'marked' : 'watched'
}

/**
 * Tells whether a learner has completed a lesson's part. Without a video, `watched` means opened; with a
 * video of unknown length it means marked.
 *
 * @see e-learning §7
 * @example
 * const rule = { completeWhen: 'watched', watchRatio: 0.9, hasVideo: true, length: 100 } as const
 * isPartComplete(rule, { opened: true, marked: false, watched: 90 }) // true
 */
export function isPartComplete(rule: CompletionRule, { opened, marked, watched }: PartProgress): boolean {
  const effectiveRule = appliedRule(rule)
  if (effectiveRule === 'opened') return opened
  if (effectiveRule === 'marked') return marked
  // Percentages are computed with whole numbers, because 0.7 * 10 is not exact.
  return roundToTenths(watched) * 100 >= Math.round(rule.watchRatio * 100) * roundToTenths(rule.length ?? 0)
}

/**
 * Computes a learner's percentage of a lesson's part: how much of the required share of its video was
 * watched, at most 99 before the part is complete.
 *
 * @returns A whole number from 0 to 100.
 * @example
 * const rule = { completeWhen: 'watched', watchRatio: 0.5, hasVideo: true, length: 100 } as const
 * partPercent(rule, { opened: true, marked: false, watched: 20 }) // 40
 */
export function partPercent(rule: CompletionRule, progress: PartProgress): number {
  if (isPartComplete(rule, progress)) return 100
  if (appliedRule(rule) !== 'watched') return 0
  const neededTenths = Math.round(rule.watchRatio * 100) * roundToTenths(rule.length ?? 0)
  return Math.min(99, Math.floor((roundToTenths(progress.watched) * 10_000) / neededTenths))
}

/**
 * Computes the percentage of a lesson. A lesson is complete when each part of one of its languages is.
 *
 * @param languages - The percentages of the parts, for each published language of the lesson.
 * @returns The mean of the best language, rounded down; 100 only when all its parts are complete.
 * @see e-learning §7
 * @example
 * lessonPercent([[100, 50], [0]]) // 75
 */
export function lessonPercent(languages: readonly (readonly number[])[]): number {
  const languagePercents = languages.map((parts) => {
    return parts.length === 0 ? 0 : Math.floor(parts.reduce((sum, percent) => sum + percent, 0) / parts.length)
  })
  return Math.max(0, ...languagePercents)
}

/**
 * Computes the percentage of a course: its completed visible lessons divided by all visible lessons.
 *
 * @returns A whole number, rounded down; 100 only when all lessons are complete, 0 for an empty course.
 * @see e-learning §7
 * @example
 * coursePercent(2, 3) // 66
 */
export const coursePercent = (completedCount: number, lessons: number): number =>
  lessons === 0 ? 0 : Math.floor((completedCount * 100) / lessons)

/** Collects the intervals of a video that were really played, from the events of the video element. */
import { type Interval, mergeIntervals } from '@dala/model'

/** An event of a playing video, with the position of the video in seconds. */
export interface Playback {
  kind: 'play' | 'time' | 'pause' | 'seek'
  at: number
}

export interface WatchedState {
  /** The interval of the video that is being played; undefined while the video is paused or seeks. */
  openInterval: Interval | undefined
  intervals: readonly Interval[]
}

export const unwatchedState: WatchedState = { openInterval: undefined, intervals: [] }

/**
 * Extends the interval that is being watched to a position of the video; an earlier position changes nothing.
 */
const extendInterval = ([intervalStart, intervalEnd]: Interval, endPosition: number): Interval => [
  intervalStart,
  Math.max(intervalEnd, endPosition),
]

const closedIntervals = (intervals: readonly Interval[], unfinishedInterval: Interval | undefined): Interval[] =>
  mergeIntervals(unfinishedInterval ? [...intervals, unfinishedInterval] : intervals)

/**
 * Adds an event of the video to its watched intervals. Playing from one position to the next is an interval
 * at any speed, because positions are seconds of the video; a seek ends the interval where it was last seen
 * playing.
 *
 * @param watched - What was watched before.
 * @param event - The event. The position of a seek is not used: the element already reports its target.
 * @returns What was watched after the event.
 */
export function collectInterval(
  { openInterval: currentInterval, intervals }: WatchedState,
  { kind, at }: Playback,
): WatchedState {
  if (kind === 'play') return { openInterval: currentInterval ?? [at, at], intervals }
  if (kind === 'time') return { openInterval: currentInterval && extendInterval(currentInterval, at), intervals }
  if (kind === 'seek') return { openInterval: undefined, intervals: closedIntervals(intervals, currentInterval) }
  return {
    openInterval: undefined,
    intervals: closedIntervals(intervals, currentInterval && extendInterval(currentInterval, at)),
  }
}

/** Returns all watched intervals so far, merged, with the interval that is being played. */
export const intervalsOf = ({ openInterval: currentInterval, intervals }: WatchedState): Interval[] =>
  closedIntervals(intervals, currentInterval)

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CompletionRule,
  coursePercent,
  type Interval,
  isPartComplete,
  lessonPercent,
  maxIntervals,
  mergeIntervals,
  type PartProgress,
  partPercent,
  watchedSeconds,
} from './progress.ts'

const interval = fc
  .tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 60 }))
  .map(([startSecond, length]): Interval => [startSecond, startSecond + length])
const rule = fc.record<CompletionRule>({
  completeWhen: fc.constantFrom('opened', 'watched', 'marked'),
  watchRatio: fc.integer({ min: 0, max: 100 }).map((share) => share / 100),
  hasVideo: fc.boolean(),
  length: fc.option(fc.integer({ min: 1, max: 6_000 }).map((length) => length / 10)),
})
const progress = fc.record<PartProgress>({
  opened: fc.boolean(),
  marked: fc.boolean(),
  watched: fc.integer({ min: 0, max: 6_000 }).map((tenths) => tenths / 10),
})

/** Returns the whole seconds that watched intervals cover. */
const secondsOf = (intervals: readonly Interval[]) =>
  new Set(
    intervals.flatMap(([startSecond, endSecond]) =>
      Array.from({ length: endSecond - startSecond }, (_, index) => startSecond + index),
    ),
  )

describe('mergeIntervals', () => {
  it('covers the watched seconds with disjoint intervals in order', () => {
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 40 }), (intervals) => {
        const mergedIntervals = mergeIntervals(intervals)
        expect(secondsOf(mergedIntervals)).toEqual(secondsOf(intervals))
        expect(watchedSeconds(mergedIntervals)).toBe(secondsOf(intervals).size)
        expect(
          mergedIntervals.every(([startSecond], index) => startSecond > (mergedIntervals[index - 1]?.[1] ?? -1)),
        ).toBe(true)
      }),
    )
  })
  it('merges watched intervals to the same result in any order, and when some are repeated', () => {
    fc.assert(
      fc.property(
        fc.array(interval, { maxLength: 40 }),
        fc.array(interval, { maxLength: 40 }),
        (firstIntervals, secondIntervals) => {
          const mergedIntervals = mergeIntervals([...firstIntervals, ...secondIntervals])
          expect(mergeIntervals([...secondIntervals, ...firstIntervals])).toEqual(mergedIntervals)
          expect(mergeIntervals([...mergedIntervals, ...secondIntervals])).toEqual(mergedIntervals)
        },
      ),
    )
  })
  it('joins the closest watched intervals above the maximum, and covers all that was watched', () => {
    expect(
      mergeIntervals(
        [
          [0, 1],
          [5, 6],
          [8, 9],
        ],
        2,
      ),
    ).toEqual([
      [0, 1],
      [5, 9],
    ])
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (intervals, max) => {
        const mergedIntervals = mergeIntervals(intervals, max)
        expect(mergedIntervals.length).toBeLessThanOrEqual(max)
        const coveredSeconds = secondsOf(mergedIntervals)
        expect([...secondsOf(intervals)].filter((watchedSecond) => !coveredSeconds.has(watchedSecond))).toEqual([])
      }),
    )
    const manyIntervals = Array.from({ length: 1_000 }, (_, index): Interval => [index * 10, index * 10 + 1])
    expect(mergeIntervals(manyIntervals)).toHaveLength(maxIntervals)
  })
})

describe('isPartComplete', () => {
  const watchedRule = { completeWhen: 'watched', watchRatio: 0.7, hasVideo: true, length: 10 } as const
  it.each<[string, CompletionRule, Partial<PartProgress>, boolean]>([
    ['the exact share', watchedRule, { watched: 7 }, true],
    ['a little less than the share', watchedRule, { opened: true, marked: true, watched: 6.9 }, false],
    ['a part without video that was opened', { ...watchedRule, hasVideo: false, length: null }, { opened: true }, true],
    [
      'a video of unknown length that was watched',
      { ...watchedRule, length: null },
      { opened: true, watched: 99 },
      false,
    ],
    ['a video of unknown length that was marked', { ...watchedRule, length: null }, { marked: true }, true],
    ['a part to open', { ...watchedRule, completeWhen: 'opened' }, { opened: true }, true],
    ['a part to mark that was watched', { ...watchedRule, completeWhen: 'marked' }, { watched: 10 }, false],
  ])('decides whether a part of a lesson is complete: %s', (_what, partRule, partProgress, isDone) => {
    expect(isPartComplete(partRule, { opened: false, marked: false, watched: 0, ...partProgress })).toBe(isDone)
  })
})

describe('percentages', () => {
  it('gives a part 100 percent exactly when it is complete, and never less while more is watched', () => {
    fc.assert(
      fc.property(rule, progress, fc.integer({ min: 0, max: 100 }), (partRule, partProgress, moreSeconds) => {
        const percent = partPercent(partRule, partProgress)
        expect(percent === 100).toBe(isPartComplete(partRule, partProgress))
        expect(Number.isInteger(percent)).toBe(true)
        expect(
          partPercent(partRule, { ...partProgress, watched: partProgress.watched + moreSeconds }),
        ).toBeGreaterThanOrEqual(percent)
      }),
    )
  })
  it('gives a lesson 100 percent exactly when all its parts in one language are complete', () => {
    const parts = fc.array(fc.oneof(fc.constant(100), fc.integer({ min: 0, max: 99 })), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 4 }), (languages) => {
        const isComplete = languages.some((language) => language.every((percent) => percent === 100))
        expect(lessonPercent(languages) === 100).toBe(isComplete)
      }),
    )
  })
  it('gives a course 100 percent exactly when all lessons are complete, and 0 without lessons', () => {
    expect(coursePercent(0, 0)).toBe(0)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 0, max: 2_000 }), (lessons, completedCount) => {
        const percent = coursePercent(Math.min(completedCount, lessons), lessons)
        expect(percent === 100).toBe(completedCount >= lessons)
        expect(percent).toBeLessThanOrEqual(100)
      }),
    )
  })
})

/** Tests of the transition of rows that make space for a dragged row. */
import { expect, it } from 'vitest'
import { transitionOf } from './row-handles.tsx'

it.each([
  // The theme's duration is zero where the user prefers reduced motion.
  ['transform 200ms ease', 'translate var(--dur-2) var(--ease)'],
  ['transform 0ms linear', 'translate 0ms linear'],
  ['', ''],
])('translates the transition "%s" of the library to "%s"', (transition, expected) => {
  expect(transitionOf(transition)).toBe(expected)
})

/** How rows make room for one that is carried. */
import { expect, it } from 'vitest'
import { transitionOf } from './row-handles.tsx'

it.each([
  // The time of the theme is none where less motion is wished for.
  ['transform 200ms ease', 'translate var(--dur-2) var(--ease)'],
  ['transform 0ms linear', 'translate 0ms linear'],
  ['', ''],
])('rows that the library moves by "%s" move by "%s"', (given, meant) => {
  expect(transitionOf(given)).toBe(meant)
})

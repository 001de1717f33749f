import { expect, it } from 'vitest'
import { swipeStep } from './swipe.ts'

it('turns a page after a swipe of 41 pixels, not after 39', () => {
  expect(swipeStep(-39, 0, false)).toBe(0)
  expect(swipeStep(39, 0, false)).toBe(0)
  expect(swipeStep(-41, 0, false)).toBe(1)
  expect(swipeStep(41, 0, false)).toBe(-1)
})

it('reverses the direction of a swipe in right-to-left pages', () => {
  expect(swipeStep(-41, 0, true)).toBe(-1)
  expect(swipeStep(41, 0, true)).toBe(1)
})

it('ignores vertical swipes', () => {
  expect(swipeStep(-60, 80, false)).toBe(0)
})

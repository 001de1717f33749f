import { expect, it } from 'vitest'
import { swipeStep } from './swipe.ts'

it('a swipe needs 41 pixels; 39 are ignored', () => {
  expect(swipeStep(-39, 0, false)).toBe(0)
  expect(swipeStep(39, 0, false)).toBe(0)
  expect(swipeStep(-41, 0, false)).toBe(1)
  expect(swipeStep(41, 0, false)).toBe(-1)
})

it('a swipe is reversed in right-to-left pages', () => {
  expect(swipeStep(-41, 0, true)).toBe(-1)
  expect(swipeStep(41, 0, true)).toBe(1)
})

it('a vertical movement is ignored', () => {
  expect(swipeStep(-60, 80, false)).toBe(0)
})

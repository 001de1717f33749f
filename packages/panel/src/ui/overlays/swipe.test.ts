import { expect, it } from 'vitest'
import { swipeStep } from './swipe.ts'

it('39 pixels stay, 41 move', () => {
  expect(swipeStep(-39, 0, false)).toBe(0)
  expect(swipeStep(39, 0, false)).toBe(0)
  expect(swipeStep(-41, 0, false)).toBe(1)
  expect(swipeStep(41, 0, false)).toBe(-1)
})

it('what runs from the right is turned the other way', () => {
  expect(swipeStep(-41, 0, true)).toBe(-1)
  expect(swipeStep(41, 0, true)).toBe(1)
})

it('a movement up or down turns nothing', () => {
  expect(swipeStep(-60, 80, false)).toBe(0)
})

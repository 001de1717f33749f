import { expect, it } from 'vitest'
import { levelOf, stepsOf } from './steps.ts'

it.each([
  [[], []],
  [[0, 0], []],
  [[7], [[7, 7, 5]]],
  [[4, 4, 4, 0], [[4, 4, 5]]],
  [
    [1, 3],
    [
      [1, 1, 3],
      [3, 3, 5],
    ],
  ],
  [
    [1, 2, 3, 4, 5, 100],
    [
      [1, 5, 3],
      [100, 100, 5],
    ],
  ],
])('divides the values %o into the steps %o', (values, steps) => {
  expect(stepsOf(values).map(({ from, to, level }) => [from, to, level])).toEqual(steps)
})

it('puts every value into one of five steps', () => {
  const values = Array.from({ length: 40 }, (_, index) => index * index)
  const steps = stepsOf(values)
  expect(steps.map(({ level }) => level)).toEqual([1, 2, 3, 4, 5])
  expect(values.filter((value) => levelOf(steps, value) === 0)).toEqual([0])
})

import type { MapTile, ReportBreakdown } from '@dala/model'
import { expect, it } from 'vitest'
import { stepsOf } from '../charts/steps.ts'
import { mapFigures } from './map-figures.ts'

const tile = (id: number, users: number | null = 500): MapTile => ({ id, name: `R${id}`, x: id, y: 0, users })
const table = (values: readonly (readonly [number, number])[], notSet?: number): ReportBreakdown => ({
  dim: 'region',
  metric: 'asked',
  rows: values.map(([id, value]) => ({ id, name: `R${id}`, value, previous: null, n: value })),
  not_set: notSet === undefined ? null : { value: notSet, previous: null, n: notSet },
  team: null,
})

it.each([
  [
    'equal values',
    table([
      [1, 4],
      [2, 4],
    ]),
    [4, 4],
    0,
    1,
  ],
  ['one value', table([[2, 9]], 1), [9, 0], 1, 1],
  ['no value', table([]), [0, 0], 0, 0],
  [
    'an unknown region',
    table(
      [
        [1, 3],
        [77, 5],
      ],
      2,
    ),
    [3, 0],
    7,
    1,
  ],
])('draws a map of %s whose counts add up', (_name, breakdown, values, offCount, steps) => {
  const figures = mapFigures(breakdown, [tile(1), tile(2)], false)
  expect([figures.areas.map(({ value }) => value), figures.off]).toEqual([values, offCount])
  expect(stepsOf(values)).toHaveLength(steps)
})

it('divides the counts of a map by the users of an area', () => {
  const { areas } = mapFigures(
    table([
      [1, 5],
      [2, 5],
      [3, 5],
    ]),
    [tile(1), tile(2, 0), tile(3, 2_000)],
    true,
  )
  expect(areas.map(({ id, value }) => [id, value])).toEqual([
    [1, 10],
    [3, 2.5],
    [2, 0],
  ])
})

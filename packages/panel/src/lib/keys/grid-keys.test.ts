import { describe, expect, it } from 'vitest'
import { cellAfter, gridStep, type GridStep } from './grid-keys.ts'

const makeTable = (direction: 'ltr' | 'rtl') => {
  const table = document.createElement('table')
  table.style.direction = direction
  document.body.append(table)
  return table
}

describe('gridStep', () => {
  it.each([
    ['ArrowUp', [-1, 0], [-1, 0]],
    ['ArrowDown', [1, 0], [1, 0]],
    ['ArrowLeft', [0, -1], [0, 1]],
    ['ArrowRight', [0, 1], [0, -1]],
    ['PageUp', [-10, 0], [-10, 0]],
    ['PageDown', [10, 0], [10, 0]],
    // The key Home leads to the first cell of a row in both text directions.
    ['Home', [0, -Infinity], [0, -Infinity]],
    ['End', [0, Infinity], [0, Infinity]],
    ['Enter', undefined, undefined],
    ['a', undefined, undefined],
  ])('reads the key %s in tables from left to right and from right to left', (key, ltrStep, rtlStep) => {
    expect(gridStep(key, makeTable('ltr'), 10)).toEqual(ltrStep)
    expect(gridStep(key, makeTable('rtl'), 10)).toEqual(rtlStep)
  })
})

describe('cellAfter', () => {
  const rows = ['first', 'second', 'third']
  const columns = ['a', 'b']
  it.each<[readonly [number, number], GridStep, string]>([
    [[0, 0], [1, 0], 'second a'],
    [[0, 0], [0, 1], 'first b'],
    [[2, 1], [1, 1], 'third b'],
    [[0, 0], [-1, -1], 'first a'],
    [[0, 1], [10, 0], 'third b'],
    [[1, 1], [0, -Infinity], 'second a'],
    [[1, 0], [0, Infinity], 'second b'],
  ])('moves from the cell %j by %j, and no further than the edge', (startCell, step, expectedCell) => {
    const cell = cellAfter(rows, columns, startCell, step)
    expect(`${cell?.row} ${cell?.column}`).toBe(expectedCell)
  })

  it('returns no cell for an empty table', () => {
    expect(cellAfter([], ['a'], [0, 0], [1, 0])).toBeUndefined()
    expect(cellAfter(['first'], [], [0, 0], [0, 1])).toBeUndefined()
  })
})

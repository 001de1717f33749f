import { expect, it } from 'vitest'
import { readCells, storeCells } from './cell-draft.ts'
import { keyOf } from './grid.ts'

const key = 'draft/cells/1/tags'
const cell = { place: { id: 5, name: 'color' }, value: 'red', words: 'Red', seen: [{ color: null }] }
const olderDraft = { place: { id: 6, name: 'color' }, value: 'blue', words: 'Blue' }

it('reads the cells that an older panel stored, and drops the useless ones', () => {
  localStorage.setItem(
    key,
    JSON.stringify([cell, olderDraft, { ...cell, words: 7 }, { ...cell, seen: 'red' }, {}, null]),
  )
  expect([...readCells(1, 'tags').values()]).toEqual([cell, olderDraft])
})

it.each(['{}', 'null', '[{', '"cells"'])('reads no edited cells from the stored value %s', (storedText) => {
  localStorage.setItem(key, storedText)
  expect(readCells(1, 'tags').size).toBe(0)
})

it('removes the stored value when there are no edited cells', () => {
  storeCells(1, 'tags', new Map([[keyOf(cell.place), cell]]))
  expect([...readCells(1, 'tags').values()]).toEqual([cell])
  storeCells(1, 'tags', new Map())
  expect(localStorage.getItem(key)).toBeNull()
})

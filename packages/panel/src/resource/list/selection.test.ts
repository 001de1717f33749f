import { describe, expect, it, vi } from 'vitest'
import { createSelection } from './selection.ts'

const page = [1, 2, 3, 4].map((id) => ({ id }))
const nextPage = [5, 6].map((id) => ({ id }))
const [firstRow, , thirdRow, fourthRow] = page
const entry = (listedRow: { id: number } | undefined) => listedRow ?? { id: 0 }

describe('a selection', () => {
  it('keeps selected rows from page to page', () => {
    const selection = createSelection()
    selection.toggleEntry(page, entry(firstRow))
    selection.togglePage(nextPage, true)
    expect([...selection.now().rows.keys()]).toEqual([1, 5, 6])
    selection.toggleEntry(page, entry(firstRow))
    expect(selection.count()).toBe(2)
  })

  it('selects a range from the last selected row, in either direction', () => {
    const selection = createSelection()
    selection.toggleEntry(page, entry(thirdRow))
    selection.toggleEntry(page, entry(firstRow), true)
    expect(selection.count()).toBe(3)
    selection.toggleEntry(page, entry(fourthRow), true)
    expect(selection.count()).toBe(4)
  })

  it('selects only one row when the last selected row is on another page', () => {
    const selection = createSelection()
    selection.toggleEntry(page, entry(thirdRow))
    selection.toggleEntry(nextPage, entry(nextPage[1]), true)
    expect([...selection.now().rows.keys()]).toEqual([3, 6])
  })

  it('covers the whole filter with a selection until one row is cleared', () => {
    const selection = createSelection()
    selection.togglePage(page, true)
    selection.selectAllRows(248)
    expect([selection.count(), selection.has(99)]).toEqual([248, true])
    selection.toggleEntry(page, entry(thirdRow))
    expect([...selection.now().rows.keys()]).toEqual([1, 2, 4])
    expect(selection.has(99)).toBe(false)
  })

  it('notifies the listeners of a selection of changes', () => {
    const selection = createSelection()
    const listener = vi.fn<() => void>()
    const end = selection.subscribe(listener)
    selection.toggleEntry(page, entry(firstRow))
    selection.clear()
    end()
    selection.togglePage(page, true)
    expect(listener).toHaveBeenCalledTimes(2)
  })
})

/**
 * Tests that a colleague's change never moves a row of a list; such a change is recorded, and shown on
 * request.
 */
import type { Entry } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { patchPage } from './page.ts'

const row = (id: number, name: string): Entry => ({ id, name })
const page = (...entries: Entry[]) => ({ entries, total: entries.length })
const shownPage = page(row(1, 'Wheat'), row(2, 'Rice'), row(3, 'Maize'))

describe('a page with changes of a colleague', () => {
  it('keeps the identity of a page and its rows when nothing has changed', () => {
    const patchedPage = patchPage(shownPage, page(row(1, 'Wheat'), row(2, 'Rice'), row(3, 'Maize')))
    expect(patchedPage).toMatchObject({ changed: [], isMoved: false })
    expect(patchedPage.page.entries.every((entry, index) => entry === shownPage.entries[index])).toBe(true)
  })

  it('takes the new values of a row whose position has not changed', () => {
    const patchedPage = patchPage(shownPage, page(row(1, 'Wheat'), row(2, 'Brown rice'), row(3, 'Maize')))
    expect(patchedPage).toMatchObject({ changed: [2], isMoved: false })
    expect(patchedPage.page.entries[1]).toEqual(row(2, 'Brown rice'))
  })

  it.each([
    ['another row was added in front', page(row(4, 'Barley'), row(1, 'Wheat'), row(2, 'Rice'))],
    ['a row was removed', page(row(1, 'Wheat'), row(3, 'Maize'))],
    ['two rows were swapped', page(row(2, 'Rice'), row(1, 'Wheat'), row(3, 'Maize'))],
    ['there are more on other pages', { ...shownPage, total: 4 }],
  ])('keeps the rows of a page in their positions when %s', (_what, freshPage) => {
    const patchedPage = patchPage(shownPage, freshPage)
    expect(patchedPage.isMoved).toBe(true)
    expect(patchedPage.page.entries.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(patchedPage.page.total).toBe(3)
  })

  it('updates the values of rows that are going to move', () => {
    const patchedPage = patchPage(shownPage, page(row(3, 'Sweet maize'), row(1, 'Wheat'), row(2, 'Rice')))
    expect(patchedPage.page.entries).toEqual([row(1, 'Wheat'), row(2, 'Rice'), row(3, 'Sweet maize')])
    expect(patchedPage.changed).toEqual([3])
  })
})

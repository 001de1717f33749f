/** A colleague's change never moves a row; what it did is known, so that it can be shown when asked for. */
import type { Entry } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { patchPage } from './page.ts'

const row = (id: number, name: string): Entry => ({ id, name })
const page = (...entries: Entry[]) => ({ entries, total: entries.length })
const shown = page(row(1, 'Wheat'), row(2, 'Rice'), row(3, 'Maize'))

describe('a page', () => {
  it('stays as it is when nothing of it has changed, down to its rows', () => {
    const patched = patchPage(shown, page(row(1, 'Wheat'), row(2, 'Rice'), row(3, 'Maize')))
    expect(patched).toMatchObject({ changed: [], isMoved: false })
    expect(patched.page.entries.every((entry, index) => entry === shown.entries[index])).toBe(true)
  })

  it('takes over the values of a row that stands where it stood', () => {
    const patched = patchPage(shown, page(row(1, 'Wheat'), row(2, 'Brown rice'), row(3, 'Maize')))
    expect(patched).toMatchObject({ changed: [2], isMoved: false })
    expect(patched.page.entries[1]).toEqual(row(2, 'Brown rice'))
  })

  it.each([
    ['another row came in front', page(row(4, 'Barley'), row(1, 'Wheat'), row(2, 'Rice'))],
    ['a row went', page(row(1, 'Wheat'), row(3, 'Maize'))],
    ['two rows changed places', page(row(2, 'Rice'), row(1, 'Wheat'), row(3, 'Maize'))],
    ['there are more on other pages', { ...shown, total: 4 }],
  ])('keeps its rows in their places when %s', (_what, fresh) => {
    const patched = patchPage(shown, fresh)
    expect(patched.isMoved).toBe(true)
    expect(patched.page.entries.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(patched.page.total).toBe(3)
  })

  it('renews the values of rows that are to move', () => {
    const patched = patchPage(shown, page(row(3, 'Sweet maize'), row(1, 'Wheat'), row(2, 'Rice')))
    expect(patched.page.entries).toEqual([row(1, 'Wheat'), row(2, 'Rice'), row(3, 'Sweet maize')])
    expect(patched.changed).toEqual([3])
  })
})

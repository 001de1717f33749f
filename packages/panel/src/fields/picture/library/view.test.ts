import { expect, it } from 'vitest'
import { noFolder, queryOf, searchOf, viewOf, wholeLibrary } from './view.ts'

it('preserves the view of the library in the address', () => {
  const address = { q: 'rice', folder: 'A/B', type: 'webp', size: '1000', unused: 'true', missing: 'kaa', page: '3' }
  const view = viewOf(address)
  expect(searchOf(view)).toEqual({ ...address, sort: undefined })
  expect(Object.values(searchOf(wholeLibrary)).every((value) => value === undefined)).toBe(true)
})

it('drops values that the address of the library cannot have', () => {
  expect(viewOf({ type: 'svg', size: '7', missing: 'fr', sort: 'colour', page: '-2', unused: 'yes' })).toEqual(
    wholeLibrary,
  )
})

it('queries a folder with its subfolders, and files without a folder', () => {
  expect(queryOf({ ...wholeLibrary, folder: 'A' })['filters']).toEqual({
    $or: [{ folder: { $eq: 'A' } }, { folder: { $startsWith: 'A/' } }],
    mime: { $startsWith: 'image/' },
  })
  expect(queryOf({ ...wholeLibrary, folder: noFolder })['filters']).toEqual({
    folder: { $null: true },
    mime: { $startsWith: 'image/' },
  })
})

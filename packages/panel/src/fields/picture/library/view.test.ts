import { expect, it } from 'vitest'
import { noFolder, queryOf, searchOf, viewOf, wholeLibrary } from './view.ts'

it('is the same after a way through the address', () => {
  const address = { q: 'rice', folder: 'A/B', type: 'webp', size: '1000', unused: 'true', missing: 'kaa', page: '3' }
  const view = viewOf(address)
  expect(searchOf(view)).toEqual({ ...address, sort: undefined })
  expect(Object.values(searchOf(wholeLibrary)).every((value) => value === undefined)).toBe(true)
})

it('leaves out what an address cannot mean', () => {
  expect(viewOf({ type: 'svg', size: '7', missing: 'fr', sort: 'colour', page: '-2', unused: 'yes' })).toEqual(
    wholeLibrary,
  )
})

it('asks for a folder with what lies inside it, and for none', () => {
  expect(queryOf({ ...wholeLibrary, folder: 'A' })['filters']).toEqual({
    $or: [{ folder: { $eq: 'A' } }, { folder: { $startsWith: 'A/' } }],
  })
  expect(queryOf({ ...wholeLibrary, folder: noFolder })['filters']).toEqual({ folder: { $null: true } })
})

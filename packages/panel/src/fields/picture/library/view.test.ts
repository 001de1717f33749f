import { expect, it } from 'vitest'
import { noFolder, queryOf, searchOf, viewOf, wholeLibraryView } from './view.ts'

it('preserves the view of the library in the address', () => {
  const folderSearch = { q: 'rice', folder: 'A/B', page: '3' }
  const address = { ...folderSearch, type: 'webp', size: '1000', unused: 'true', missing: 'kaa' }
  const view = viewOf(address)
  expect(searchOf(view)).toEqual({ ...address, kind: undefined, sort: undefined })
  expect(Object.values(searchOf(wholeLibraryView)).every((value) => value === undefined)).toBe(true)
})

it('drops values that the address of the library cannot have', () => {
  expect(viewOf({ type: 'svg', size: '7', missing: 'fr', sort: 'colour', page: '-2', unused: 'yes' })).toEqual(
    wholeLibraryView,
  )
})

it('queries a folder with its subfolders, and files without a folder', () => {
  expect(queryOf({ ...wholeLibraryView, folder: 'A' })['filters']).toEqual({
    $or: [{ folder: { $eq: 'A' } }, { folder: { $startsWith: 'A/' } }],
    mime: { $startsWith: 'image/' },
  })
  expect(queryOf({ ...wholeLibraryView, folder: noFolder })['filters']).toEqual({
    folder: { $null: true },
    mime: { $startsWith: 'image/' },
  })
})

it('queries one kind of files at a time', () => {
  const filtersOf = (kind: string) => queryOf(viewOf({ kind }))['filters']
  expect([filtersOf('videos'), filtersOf('subtitles')]).toEqual([
    { mime: { $startsWith: 'video/' } },
    { mime: { $eq: 'text/vtt' } },
  ])
  expect(filtersOf('documents')).toMatchObject({ ext: { $in: expect.arrayContaining(['.pdf', '.csv']) as unknown } })
  expect(filtersOf('films')).toEqual(filtersOf('pictures'))
  expect(searchOf(viewOf({ kind: 'documents' })).kind).toBe('documents')
})

import { expect, it } from 'vitest'
import { changesOf, infoOf } from './file-draft.ts'

const file = { id: 1, name: 'a.jpg', alt: { ru: 'Поле', en: 'Field' }, folder: 'A', focal: null }

it('sends only changed fields of a file', () => {
  expect(changesOf(file, { name: 'a.jpg', alt: { en: 'Field', ru: 'Поле' }, focal: null })).toEqual({})
  expect(changesOf(file, { name: 'b.jpg', alt: { en: 'Field' } })).toEqual({ name: 'b.jpg', alt: { en: 'Field' } })
})

it('sends null for an emptied field of a file', () => {
  expect(infoOf({ alt: {}, folder: '', focal: null })).toEqual({ alt: null, folder: null, focal: null })
})

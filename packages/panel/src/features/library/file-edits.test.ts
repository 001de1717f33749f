import { describe, expect, it } from 'vitest'
import { readEdits, storeEdits } from './file-edits.ts'

const key = 'draft/file/1/7'
const edits = { name: 'cotton.jpg', alt: { en: 'Cotton', uz: 'Paxta' }, folder: 'Fields', focal: null }

describe('unsaved edits of a file', () => {
  it.each([
    ['an older panel stored', edits, edits],
    ['has texts of an unknown language', { name: 'cotton.jpg', alt: { xx: 'Cotton' } }, { name: 'cotton.jpg' }],
    ['has parts of another kind', { name: 7, folder: 'Fields', focal: { x: 'left' } }, { folder: 'Fields' }],
    ['is a list', ['cotton.jpg'], {}],
  ])('reads the valid parts of the draft of a file that %s', (_what, storedEdits, expected) => {
    localStorage.setItem(key, JSON.stringify(storedEdits))
    expect(readEdits(1, 7)).toEqual(expected)
  })

  it('stores no draft of a file in the browser when the draft is empty', () => {
    storeEdits(1, 7, { folder: 'Fields' })
    expect(readEdits(1, 7)).toEqual({ folder: 'Fields' })
    storeEdits(1, 7, {})
    expect(localStorage.getItem(key)).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { fileTitleOf } from '../picture-value.ts'
import { groupCrops } from './group-crops.ts'

const field = { id: 1, name: 'field-a.jpg', original: null, original_name: null }
const cut = (id: number, original: number) => ({ id, name: '1920x1080.jpg', original, original_name: 'field-a.jpg' })

describe('cropped copies in the library', () => {
  it('are grouped under their original in the order of the page, wherever they are on it', () => {
    expect(groupCrops([cut(3, 1), field, cut(2, 1)])).toEqual([{ entry: field, crops: [cut(3, 1), cut(2, 1)] }])
  })

  it('are shown on their own when their original is on another page', () => {
    expect(groupCrops([cut(3, 9), field]).map(({ entry }) => entry.id)).toEqual([3, 1])
  })

  it('are named after their original and their size, unless they have a name of their own', () => {
    expect(fileTitleOf(cut(2, 1))).toBe('field-a · 1920×1080')
    expect(fileTitleOf(field)).toBe('field-a.jpg')
    expect(fileTitleOf({ ...cut(2, 1), name: 'Field at noon.jpg' })).toBe('Field at noon.jpg')
    expect(fileTitleOf({ ...cut(2, 1), original_name: null })).toBe('1920x1080.jpg')
  })
})

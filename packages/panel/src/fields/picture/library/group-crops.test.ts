import { describe, expect, it } from 'vitest'
import { fileTitleOf } from '../picture-value.ts'
import { groupCrops } from './group-crops.ts'

const field = { id: 1, name: 'field-a.jpg', original: null, original_name: null }
const makeCrop = (id: number, original: number) => ({
  id,
  name: '1920x1080.jpg',
  original,
  original_name: 'field-a.jpg',
})

describe('cropped copies in the library', () => {
  it('groups cropped copies under their original in the order of the page, in any position', () => {
    expect(groupCrops([makeCrop(3, 1), field, makeCrop(2, 1)])).toEqual([
      { entry: field, crops: [makeCrop(3, 1), makeCrop(2, 1)] },
    ])
  })

  it('shows a cropped copy separately when its original is on another page', () => {
    expect(groupCrops([makeCrop(3, 9), field]).map(({ entry }) => entry.id)).toEqual([3, 1])
  })

  it('names a cropped copy by its original and its size, unless the copy has a name', () => {
    expect(fileTitleOf(makeCrop(2, 1))).toBe('field-a · 1920×1080')
    expect(fileTitleOf(field)).toBe('field-a.jpg')
    expect(fileTitleOf({ ...makeCrop(2, 1), name: 'Field at noon.jpg' })).toBe('Field at noon.jpg')
    expect(fileTitleOf({ ...makeCrop(2, 1), original_name: null })).toBe('1920x1080.jpg')
  })
})

import { describe, expect, it } from 'vitest'
import { isTooSmall, matrixOf, parseCrop, widestArea, zoomOf } from './cut.ts'

const image = { width: 400, height: 200 }
const noFlip = { horizontal: false, vertical: false }

/** Maps a point of the picture to its position in the cropped file. */
function projectCorner(pictureCrop: Parameters<typeof matrixOf>[1], size: [number, number], [x, y]: [number, number]) {
  const [a, b, c, d, e, f] = matrixOf(image, pictureCrop, size)
  return [a * x + c * y + e, b * x + d * y + f].map((value) => Math.round(value) || 0)
}

describe('a pixel of the picture', () => {
  it('scales a pixel of the picture into the file', () => {
    const pictureCrop = { rotate: 0, flip: noFlip, area: { left: 100, top: 50, width: 200, height: 100 } }
    expect(projectCorner(pictureCrop, [400, 200], [100, 50])).toEqual([0, 0])
    expect(projectCorner(pictureCrop, [400, 200], [300, 150])).toEqual([400, 200])
  })

  it('rotates a pixel to the right, to the left and upside down', () => {
    const area = { left: 0, top: 0, width: 200, height: 400 }
    expect(projectCorner({ rotate: 90, flip: noFlip, area }, [200, 400], [0, 0])).toEqual([200, 0])
    expect(projectCorner({ rotate: -90, flip: noFlip, area }, [200, 400], [0, 0])).toEqual([0, 400])
    const wholeArea = { left: 0, top: 0, ...image }
    expect(projectCorner({ rotate: 180, flip: noFlip, area: wholeArea }, [400, 200], [0, 0])).toEqual([400, 200])
  })

  it('mirrors a pixel before rotating it', () => {
    const wholeArea = { left: 0, top: 0, ...image }
    expect(
      projectCorner({ rotate: 0, flip: { horizontal: true, vertical: false }, area: wholeArea }, [400, 200], [0, 0]),
    ).toEqual([400, 0])
    const area = { left: 0, top: 0, width: 200, height: 400 }
    const flip = { horizontal: false, vertical: true }
    expect(projectCorner({ rotate: 90, flip, area }, [200, 400], [0, 0])).toEqual([0, 0])
  })
})

it('returns a zoom of one for the widest crop, in a rotated picture too', () => {
  expect(zoomOf(image, { rotate: 0, area: { left: 0, top: 0, width: 200, height: 200 } })).toBe(1)
  expect(zoomOf(image, { rotate: 90, area: { left: 0, top: 0, width: 100, height: 100 } })).toBe(2)
})

it('centres the widest crop and lets it touch two edges', () => {
  expect(widestArea(image, [1080, 1080])).toEqual({ left: 100, top: 0, width: 200, height: 200 })
  expect(widestArea(image, [400, 100])).toEqual({ left: 0, top: 50, width: 400, height: 100 })
})

it('calls a crop too small when it has fewer pixels than the file, except for rounding', () => {
  expect(isTooSmall({ width: 1079.6, height: 1080 }, [1080, 1080])).toBe(false)
  expect(isTooSmall({ width: 1079, height: 1080 }, [1080, 1080])).toBe(true)
})

it('reads a stored crop back, and rejects any other value', () => {
  const pictureCrop = { preset: 'image', rotate: -90, flip: noFlip, area: { left: 0, top: 0, width: 4, height: 3 } }
  expect(parseCrop(JSON.parse(JSON.stringify(pictureCrop)))).toEqual(pictureCrop)
  expect(parseCrop({ ...pictureCrop, rotate: 45 })).toBeUndefined()
  expect(parseCrop({ ...pictureCrop, preset: 'poster' })).toBeUndefined()
  expect(parseCrop({ ...pictureCrop, area: { left: 0, top: 0, width: 0, height: 3 } })).toBeUndefined()
  expect(parseCrop(null)).toBeUndefined()
})

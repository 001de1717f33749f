import { expect, it } from 'vitest'
import { pictureOf } from './picture.ts'

const copy = (name: string, width: number, extraFields: object = {}) => ({
  url: `/uploads/${name}.jpg`,
  width,
  ...extraFields,
})

it('offers the copies of a picture by their width, as WebP where that has fewer bytes', () => {
  const webp = { url: '/uploads/small.webp' }
  const formats = { small: copy('small', 500, { webp }), thumbnail: copy('thumbnail', 245) }
  expect(pictureOf({ ...copy('a', 1920), formats })).toMatchObject({
    src: '/uploads/thumbnail.jpg',
    srcSet: '/uploads/thumbnail.jpg 245w, /uploads/small.webp 500w, /uploads/a.jpg 1920w',
  })
})

it('keeps the focal point of a picture visible, or its centre without one', () => {
  expect(pictureOf({ ...copy('a', 9), focal: { x: 0.25, y: 1 } })?.position).toBe('25% 100%')
  expect(pictureOf(copy('a', 9))?.position).toBe('50% 50%')
  expect(pictureOf({ ...copy('a', 9), focal: { x: '1' } })?.position).toBe('50% 50%')
})

it('returns no picture without a file', () => {
  expect([pictureOf(null), pictureOf({ url: 3 }), pictureOf([])]).toEqual([undefined, undefined, undefined])
})

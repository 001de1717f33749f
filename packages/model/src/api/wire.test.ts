import { describe, expect, it } from 'vitest'
import { fromWire, pageCountOf } from './wire.ts'

const region = {
  id: 3,
  attributes: { name: 'Navoiy', districts: { data: [{ id: 8, attributes: { name: 'Karmana' } }] } },
}

describe('fromWire', () => {
  it('flattens a record and its links at every depth', () => {
    const wire = {
      id: 1,
      attributes: { title: 'A', views: 0, region: { data: region }, image: { data: null }, tags: { data: [] } },
    }
    expect(fromWire(wire)).toEqual({
      id: 1,
      title: 'A',
      views: 0,
      region: { id: 3, name: 'Navoiy', districts: [{ id: 8, name: 'Karmana' }] },
      image: null,
      tags: [],
    })
  })
  it('returns structured values of a record unchanged', () => {
    const attributes = { name: { en: 'kg', ru: 'кг' }, focal: { data: 1, x: 2 }, list: [1, 2], nothing: null }
    expect(fromWire({ id: 1, attributes })).toEqual({ id: 1, ...attributes })
  })
})

describe('pageCountOf', () => {
  it.each([
    [0, 15, 0],
    [1, 15, 1],
    [15, 15, 1],
    [16, 15, 2],
  ])('divides %i rows with %i rows a page into %i pages', (total, size, pages) => {
    expect(pageCountOf(total, size)).toBe(pages)
  })
})

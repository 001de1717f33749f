import { expect, it } from 'vitest'
import { isInCountry, problemOf, placeOf, roundMapPlace } from './place.ts'

it.each([
  ['Nukus', 42.46, 59.61],
  ['Tashkent', 41.311, 69.24],
  ['Andijan', 40.783, 72.344],
  ['the exclave Sokh', 39.95, 71.1],
])('finds the point %s in the country', (_, lat, lng) => {
  expect(isInCountry({ lat, lng })).toBe(true)
})

it.each([
  ['Almaty', 43.24, 76.9],
  ['Osh', 40.53, 72.8],
  ['Dushanbe', 38.56, 68.78],
  ['the corner of zeros', 0, 0],
])('finds the point %s outside the country', (_, lat, lng) => {
  expect(problemOf({ lat, lng })).toBe('outside')
})

it('recognises swapped latitude and longitude', () => {
  expect(problemOf({ lat: 69.24, lng: 41.311 })).toBe('swapped')
})

it('returns no point while a coordinate is missing or impossible', () => {
  expect(placeOf(null, 69)).toBeNull()
  expect(placeOf(Number.NaN, 69)).toBeNull()
  expect(placeOf(91, 69)).toBeNull()
  expect(placeOf(41, 69)).toEqual({ lat: 41, lng: 69 })
})

it('rounds coordinates to six digits', () => {
  expect(roundMapPlace({ lat: 41.31108199, lng: 69.2405621 })).toEqual({ lat: 41.311082, lng: 69.240562 })
})

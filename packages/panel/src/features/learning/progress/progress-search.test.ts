import { expect, it } from 'vitest'
import { readProgressSearch, writeProgressSearch } from './progress-search.ts'

it.each([
  { language: 'kaa', region: '5', video: '12.a', q: 'Ay', page: '3', sort: 'percent:asc' },
  { sort: 'name:desc' },
  {},
])('reads and writes the address %o of a page of progress', (address) => {
  expect(writeProgressSearch(readProgressSearch(address))).toEqual(address)
})

it('drops invalid values of the address of a page of progress', () => {
  const address = { language: 'de', region: 'x', page: '-1', sort: 'phone:asc', q: 4 }
  expect(writeProgressSearch(readProgressSearch(address))).toEqual({})
  expect(readProgressSearch({ sort: 'name' }).sort).toEqual({ column: 'last_activity', descending: true })
})

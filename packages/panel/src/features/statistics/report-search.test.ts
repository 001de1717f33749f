import { expect, it } from 'vitest'
import { readReportSearch, reportQueryOf, withFilter, writeReportSearch } from './report-search.ts'

it.each([
  { period: 'last_month', compare: 'none', interval: 'week', hours: 'wall', 'f.region': '5', 'f.consultant': '7' },
  { from: '2026-01-01', to: '2026-02-01', 'f.category': '12', 'f.type': '3', saved: '1004' },
  { 'f.region': '5', 'f.district': '9', 'f.locale': 'kaa' },
  {},
])('reads and writes the address %o of a report', (address) => {
  expect(writeReportSearch(readReportSearch(address))).toEqual(address)
})

it('drops invalid values of a report’s address', () => {
  const parsedSearch = readReportSearch({
    period: 'century',
    from: '1.1.2026',
    to: '2026-02-01',
    compare: 'x',
    hours: 'office',
    'f.region': 'a',
    'f.district': 'ru',
    'f.locale': '1',
    saved: '12',
    'f.x': '1',
  })
  expect(writeReportSearch(parsedSearch)).toEqual({})
})

it('prefers custom days of a report to a period', () => {
  const parsedSearch = readReportSearch({ period: 'year', from: '2026-01-01', to: '2026-02-01', saved: '1004' })
  expect(reportQueryOf(parsedSearch, 'kaa')).toEqual({ from: '2026-01-01', to: '2026-02-01', locale: 'kaa' })
})

it('takes the chosen district away with its region, and no other filter', () => {
  const filters = { region: '5', district: '9', locale: 'ru' }
  expect(withFilter(filters, 'region', '6')).toEqual({ region: '6', locale: 'ru' })
  expect(withFilter(filters, 'region', undefined)).toEqual({ locale: 'ru' })
  expect(withFilter(filters, 'locale', 'uz')).toEqual({ region: '5', district: '9', locale: 'uz' })
})

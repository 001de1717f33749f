import { expect, it } from 'vitest'
import { readReportSearch, reportQueryOf, writeReportSearch } from './report-search.ts'

it.each([
  { period: 'last_month', compare: 'none', interval: 'week', hours: 'wall', 'f.region': '5', 'f.consultant': '7' },
  { from: '2026-01-01', to: '2026-02-01', 'f.category': '12', saved: '1004' },
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
    saved: '12',
    'f.x': '1',
  })
  expect(writeReportSearch(parsedSearch)).toEqual({})
})

it('prefers custom days of a report to a period', () => {
  const parsedSearch = readReportSearch({ period: 'year', from: '2026-01-01', to: '2026-02-01', saved: '1004' })
  expect(reportQueryOf(parsedSearch, 'kaa')).toEqual({ from: '2026-01-01', to: '2026-02-01', locale: 'kaa' })
})

import type { ChangedProduct, PricePoint } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { bulletinOf, maxProducts } from './bulletin.ts'
import { chartRows, chooseInterval, isLonePoint } from './chart-rows.ts'
import { readOutlookSearch, writeOutlookSearch } from './outlook-search.ts'
import { changeText, intervalText, priceText } from './price-text.ts'

describe('the address of the outlook', () => {
  it('keeps valid values of the outlook’s address and drops the rest', () => {
    const search = {
      product: '4',
      region: 'x',
      districts: '1-2-x-3-4-5-6-7',
      market: 'wholesale',
      window: '30',
      span: '12',
      measure: 'max',
      interval: 'hour',
      date: '2026-3-1',
    }
    expect(writeOutlookSearch(readOutlookSearch(search))).toEqual({
      product: '4',
      districts: '1-2-3-4-5-6',
      market: 'wholesale',
      window: '30',
      measure: 'max',
    })
    expect(writeOutlookSearch(readOutlookSearch({}))).toEqual({})
  })
})

describe('the days of a chart in the address', () => {
  const days = (search: object) => {
    const { from, to, first, last } = readOutlookSearch({ ...search })
    return [from, to, first, last]
  }
  it.each([
    [{ from: '2026-01-01', to: '2026-02-01' }, '2026-01-01', '2026-02-01'],
    [{ from: '2026-02-01', to: '2026-02-01' }, '2026-02-01', '2026-02-01'],
    [{ from: '2016-02-29', to: '2026-03-01' }, '2016-02-29', '2026-03-01'],
    [{ from: '2026-02-01', to: '2026-01-01' }, undefined, undefined],
    [{ from: '2010-01-01', to: '2026-01-01' }, undefined, undefined],
    [{ from: '2026-02-31', to: '2026-03-01' }, undefined, undefined],
    [{ from: '2026-02-01' }, undefined, undefined],
  ])('reads %j as a pair of days that a chart can have', (search, from, to) => {
    expect(days(search)).toEqual([from, to, undefined, undefined])
  })
  it('reads the magnified range of a chart as two days in order', () => {
    expect(days({ first: '2026-01-01', last: '2026-02-01' }).slice(2)).toEqual(['2026-01-01', '2026-02-01'])
    expect(days({ first: '2026-02-01', last: '2026-01-01' }).slice(2)).toEqual([undefined, undefined])
  })
})

describe('the rows of a chart', () => {
  const makePoint = (t: string, value: number | null): PricePoint => ({
    t,
    value,
    n: 1,
    carried: false,
    partial: false,
  })
  const rows = chartRows([
    {
      district: null,
      region: null,
      points: [makePoint('a', 1), makePoint('b', null), makePoint('c', 3), makePoint('d', null)],
    },
    {
      district: null,
      region: null,
      points: [makePoint('a', 5), makePoint('b', 6), makePoint('c', 7), makePoint('d', 8)],
    },
  ])

  it('combines one interval of a chart with the points of all lines', () => {
    expect(rows.map(({ t, values }) => [t, ...values.map(({ value }) => value)])).toEqual([
      ['a', 1, 5],
      ['b', null, 6],
      ['c', 3, 7],
      ['d', null, 8],
    ])
    expect(chartRows([])).toEqual([])
  })

  it('recognises points of a chart that no line reaches', () => {
    expect([0, 2].map((row) => [isLonePoint(rows, row, 0), isLonePoint(rows, row, 1)])).toEqual([
      [true, false],
      [true, false],
    ])
  })

  it('chooses an interval that keeps the points of a chart readable', () => {
    expect([30, 90, 365, 1095].map(chooseInterval)).toEqual(['day', 'week', 'week', 'month'])
  })
})

describe('price text', () => {
  it('rounds large prices and keeps the digits of small ones', () => {
    expect([4100.4, 12.345, null].map((value) => priceText('ru', value))).toEqual(['4\u00A0100', '12,35', '–'])
  })
  it('puts a sign before a price change', () => {
    expect([12.5, -3, 0].map((value) => changeText('ru', value))).toEqual(['+12,5\u00A0%', '−3\u00A0%', '0\u00A0%'])
  })
  it('writes a month by its number', () => {
    expect([intervalText('2026-03-01', 'month'), intervalText('2026-03-02', 'week')]).toEqual(['03.2026', '02.03.2026'])
  })
})

describe('the bulletin', () => {
  it('fits one page of the bulletin with products that have a price, and counts the rest', () => {
    const product = (id: number, priceCount: number): ChangedProduct => ({
      id,
      name: `Product ${id}`,
      unit: null,
      n: priceCount,
      low: 1,
      median: 1,
      high: 1,
      low_district: null,
      high_district: null,
      change_pct: null,
      band: null,
    })
    const products = [product(0, 0), ...Array.from({ length: maxProducts + 3 }, (_, id) => product(id + 1, 2))]
    const bulletin = bulletinOf({ date: '2026-03-30', products, districts: [], rows: [] })
    expect([bulletin.products.length, bulletin.products[0]?.id, bulletin.more]).toEqual([maxProducts, 1, 3])
  })
})

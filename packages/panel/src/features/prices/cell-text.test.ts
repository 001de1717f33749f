import { describe, expect, it } from 'vitest'
import { editPrices, readBlock, readCell, showPrices } from './cell-text.ts'
import { changeOf, kindOf, nextPlace, progressOf, tallyOf } from './price-grid.ts'

const priceCell = (price: number | null, price_max: number | null = null) => ({ prices: { price, price_max } })

describe('cell text', () => {
  it.each([
    ['', priceCell(null)],
    ['  ', priceCell(null)],
    ['3400', priceCell(3400)],
    ['12 500,50', priceCell(12_500.5)],
    ['12,500.50', priceCell(12_500.5)],
    ['3400-3600', priceCell(3400, 3600)],
    ['3 400 – 3 600', priceCell(3400, 3600)],
    ['1.005', priceCell(1.01)],
    ['abc', { problem: 'Please enter a number' }],
    ['3400-', { problem: 'Please enter a number' }],
    ['3400-x', { problem: 'Please enter a number' }],
    ['0', { problem: 'A price must be above 0. Leave the field empty if there is none.' }],
    ['-5', { problem: 'A price must be above 0. Leave the field empty if there is none.' }],
    ['3600-3400', { problem: 'It must not be below the lower limit' }],
    ['9999999999999', { problem: 'The value must be at most 1000000000000' }],
  ])('reads the text "%s" of a price cell', (text, expected) => expect(readCell(text)).toEqual(expected))

  it('reads a price back from its shown and its edited form', () => {
    for (const locale of ['en', 'ru'] as const) {
      const prices = { price: 12_500.5, price_max: 13_000 }
      expect(readCell(showPrices(locale, prices))).toEqual({ prices })
      expect(readCell(editPrices(locale, prices))).toEqual({ prices })
    }
    expect(showPrices('ru', { price: null, price_max: null })).toBe('')
  })
})

describe('readBlock', () => {
  it('splits a pasted block into lines and columns, without the break behind the last line', () => {
    expect(readBlock('1\t2\r\n3\t\r\n')).toEqual([
      ['1', '2'],
      ['3', ''],
    ])
    expect(readBlock('3 400')).toBeUndefined()
  })
})

describe('the price grid', () => {
  it('compares prices of one unit only', () => {
    const previousPrice = { price: 3000, unit: 1, date: '2026-03-02' }
    expect([
      changeOf(3100, 1, previousPrice),
      changeOf(2900, 1, previousPrice),
      changeOf(3000, 1, previousPrice),
    ]).toEqual([3.3, -3.3, 0])
    expect([changeOf(3100, 2, previousPrice), changeOf(null, 1, previousPrice), changeOf(3100, 1, null)]).toEqual([
      null,
      null,
      null,
    ])
  })
  it('counts filled price cells against the day before, without districts that had no market', () => {
    const previousPrice = { price: 1, unit: 1, date: '' }
    const emptyCell = { price: null, price_max: null, version: null, state: null, origin: null, flag: null }
    const price = { ...emptyCell, price: 5, state: 'ok', origin: 'entered' }
    const lookFlag = { severity: 'look', code: 'price.far' } as const
    const kinds = [
      kindOf(price, previousPrice, false),
      kindOf({ ...price, origin: 'carried' }, previousPrice, false),
      kindOf({ ...price, state: 'check', flag: lookFlag }, null, false),
      kindOf({ ...price, state: 'check' }, null, false),
      kindOf(emptyCell, previousPrice, false),
      kindOf(emptyCell, null, false),
      kindOf(emptyCell, previousPrice, true),
    ]
    expect(kinds).toEqual(['entered', 'carried', 'look', 'confirm', 'gap', 'none', 'closed'])
    expect(progressOf(tallyOf(kinds))).toEqual({ filled: 4, expected: 5 })
  })
  it('finds the next open cell behind the current one, then from the top', () => {
    const emptyCells = new Set(['0:1', '1:0'])
    const findCell = (row: number, column: number) =>
      nextPlace({ rows: 2, columns: 2 }, { row, column }, (cellPosition) =>
        emptyCells.has(`${cellPosition.row}:${cellPosition.column}`),
      )
    expect([findCell(0, 0), findCell(0, 1), findCell(1, 0), findCell(1, 1)]).toEqual([
      { row: 0, column: 1 },
      { row: 1, column: 0 },
      { row: 0, column: 1 },
      { row: 0, column: 1 },
    ])
    emptyCells.clear()
    expect(findCell(0, 0)).toBeUndefined()
  })
})

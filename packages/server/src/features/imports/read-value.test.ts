import { importFields, resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { readValue } from './read-value.ts'
import type { SheetCell } from './sheet/cells.ts'

const columnOf = (resource: keyof typeof resources, key: string) => {
  const column = importFields(resources[resource]).find((field) => field.key === key)
  if (!column) throw new Error(`${resource} has no column ${key}`)
  return column
}
const readCell = (resource: keyof typeof resources, key: string, cell: SheetCell) =>
  readValue(resources[resource], columnOf(resource, key), cell)
/** Returns the value of an imported cell, or the code of its fault with the suggestion. */
const outcome = (readResult: ReturnType<typeof readValue>) =>
  'fault' in readResult
    ? [readResult.fault.code, readResult.fault.suggestion?.value]
    : 'names' in readResult
      ? readResult.names
      : readResult.value

const momentCellOf = (day: string) => ({ at: Date.parse(`${day}T00:00:00Z`) })

describe('a cell of a sheet', () => {
  it.each<[SheetCell, unknown]>([
    [12_500.5, 12_500.5],
    ['12500', 12_500],
    ['12 500,50', 12_500.5],
    ['12\u00a0500,50', 12_500.5],
    ['12\u202f500', 12_500],
    ['1 234 567', 1_234_567],
    ['12,500.50', 12_500.5],
    ['12.500,50', 12_500.5],
    ['1,234,567', 1_234_567],
    ['12,5', 12.5],
    ['12.50', 12.5],
    ['-5', -5],
    ['', null],
    ['   ', null],
    [null, null],
    ['12,500', ['import.unclear-number', '12500']],
    ['12.500', ['import.unclear-number', '12500']],
    ['155О0', ['import.letter', '15500']],
    ['l5500', ['import.letter', '15500']],
    ['12 50', ['validation.number', undefined]],
    ['1,2.3,4', ['validation.number', undefined]],
    ['12..5', ['validation.number', undefined]],
    ['many', ['validation.number', undefined]],
    ['O', ['validation.number', undefined]],
    [true, ['validation.number', undefined]],
    [momentCellOf('2026-11-23'), ['validation.number', undefined]],
    [{ error: '#REF!' }, ['import.cell', undefined]],
    [{ formula: true }, ['import.formula', undefined]],
    [{ merged: 'D2', value: 9000 }, ['import.merged', '9000']],
    [{ merged: 'D2', value: null }, null],
  ])('reads the cell %j as the number %j', (cell, expected) => {
    expect(outcome(readCell('pricelists', 'price', cell))).toEqual(expected)
  })

  it('accepts three decimals in a cell when its field has as many', () => {
    expect(outcome(readCell('products', 'amount', '12,500'))).toBe(12.5)
    expect(outcome(readCell('districts', 'lat', '42.461'))).toBe(42.461)
  })

  it.each<[SheetCell, unknown]>([
    [momentCellOf('2026-11-23'), '2026-11-23'],
    [{ at: Date.parse('2026-11-23T14:30:00Z') }, '2026-11-23'],
    [46_349, '2026-11-23'],
    ['46349', '2026-11-23'],
    [46_349.75, '2026-11-23'],
    ['23.11.2026', '2026-11-23'],
    ['3.1.2026', '2026-01-03'],
    ['23.11.2026 г.', '2026-11-23'],
    ['23-11-2026', '2026-11-23'],
    ['23/11/2026', '2026-11-23'],
    ['2026-11-23', '2026-11-23'],
    ['03/04/2026', ['import.unclear-date', '03.04.2026']],
    ['23.11.26', ['import.unclear-date', '23.11.2026']],
    ['30.02.2026', ['validation.date', undefined]],
    ['2026-02-30', ['validation.date', undefined]],
    [7, ['validation.date', undefined]],
    ['yesterday', ['validation.date', undefined]],
  ])('reads the cell %j as the day %j', (cell, expected) => {
    expect(outcome(readCell('pricedates', 'date', cell))).toEqual(expected)
  })

  it.each<[SheetCell, unknown]>([
    [true, true],
    [false, false],
    ['Да', true],
    ['yoʻq', false],
    ['awa', true],
    ['1', true],
    [0, false],
    ['perhaps', ['validation.boolean', undefined]],
  ])('reads the cell %j as the yes or no %j', (cell, expected) => {
    expect(outcome(readCell('products', 'active', cell))).toEqual(expected)
  })

  it.each<[SheetCell, unknown]>([
    ['retail', 'retail'],
    ['Wholesale', 'wholesale'],
    ['опт', 'wholesale'],
    ['somewhere', ['validation.choice', undefined]],
  ])('reads the cell %j as the choice %j', (cell, expected) => {
    expect(outcome(readCell('pricelists', 'market_type', cell))).toEqual(expected)
  })

  it.each<[SheetCell, unknown]>([
    ['  Rice ', 'Rice'],
    [998_901_234_567, '998901234567'],
    ["'=1+1", '=1+1'],
    ["'nuff", "'nuff"],
    [momentCellOf('2026-11-23'), '23.11.2026'],
  ])('reads the cell %j as the text %j', (cell, expected) => {
    expect(outcome(readCell('users', 'phone', cell))).toBe(expected)
  })

  it('reads several names and words between semicolons in one cell', () => {
    expect(outcome(readCell('companies', 'directions', 'Milk; Meat;; Milk'))).toEqual(['Milk', 'Meat'])
    expect(outcome(readCell('products', 'aliases', 'буғдой; бугдай'))).toEqual(['буғдой', 'бугдай'])
  })
})

import type { ImportColumn } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { rowOf } from '../../../testing/fake-import.ts'
import { valueText } from '../labels.ts'
import { foldedColumns, previewColumns } from './preview-grid.ts'

const keys = ['product', 'district', 'pricedate', 'market_type', 'price', 'unit']
const columns = previewColumns(
  'pricelists',
  keys.map((key, index): ImportColumn => ({
    letter: 'ABCDEF'[index] ?? '',
    heading: key,
    samples: [],
    key,
    status: 'matched',
    why: 'heading',
    since: null,
    candidates: [],
    isHidden: false,
  })),
)
const day = { pricedate: { id: 3, name: '2026-03-09' }, market_type: 'retail' }
const row = (number: number, product: string, rowFields: Parameters<typeof rowOf>[1] = {}) =>
  rowOf(number, { after: { product: { id: number, name: product }, price: number, ...day }, ...rowFields })
const foldRows = (rows: Parameters<typeof foldedColumns>[1]) =>
  Object.fromEntries(
    foldedColumns(columns, rows, ({ field }, importRow) =>
      valueText('pricelists', field, importRow.after[field.key], 'ru'),
    ),
  )

describe('foldedColumns', () => {
  const createdRow = row(6, 'Rice', {
    action: 'create',
    before: null,
    changed: ['product', 'price', 'pricedate', 'market_type'],
  })

  it('folds columns with equal values in new and changed rows, with the day as a date', () => {
    const columnsOfBoth = foldRows([row(5, 'Wheat'), createdRow])
    expect(columnsOfBoth).toHaveProperty('pricedate', '09.03.2026')
    expect(columnsOfBoth).toHaveProperty('market_type')
  })

  it('shows a column in which the value of a record changes', () => {
    const movedRow = row(5, 'Wheat', { changed: ['market_type'] })
    expect(Object.keys(foldRows([movedRow, createdRow]))).not.toContain('market_type')
  })
})

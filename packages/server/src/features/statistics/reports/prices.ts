/** Report of the coverage of market days, of late, carried, unconfirmed and corrected prices, and of changes. */
import type { ReportSource } from '../measures.ts'
import { priceChanges, priceTables } from './price-changes.ts'
import { cellsMeasure, correctedMeasure, expectedMeasure, marketDays, sinceLastPrice, unconfirmed } from './quotes.ts'

export const prices: ReportSource = {
  tables: () => priceTables,
  measures: (context) => [
    expectedMeasure(context, 'expected'),
    expectedMeasure(context, 'carried'),
    cellsMeasure(context),
    marketDays(context),
    unconfirmed(context),
    correctedMeasure(context),
    sinceLastPrice(context),
    ...priceChanges(context),
  ],
  figures: {
    coverage: { measure: 'expected', of: 'share' },
    carried: { measure: 'carried', of: 'share' },
    late: { measure: 'cells', of: 'share' },
    since_price: { measure: 'since_price', of: 'median' },
    moved1: { measure: 'moved1', of: 'median' },
    moved7: { measure: 'moved7', of: 'median' },
    moved30: { measure: 'moved30', of: 'median' },
    moved365: { measure: 'moved365', of: 'median' },
    spread: { measure: 'spread', of: 'median' },
  },
}

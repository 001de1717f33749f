/** Report of the coverage of market days, and of carried, unconfirmed and corrected prices. */
import type { ReportSource } from '../measures.ts'
import { cellsMeasure, correctedMeasure, expectedMeasure, marketDays, unconfirmed } from './quotes.ts'

export const prices: ReportSource = {
  measures: (context) => [
    expectedMeasure(context, 'expected'),
    expectedMeasure(context, 'carried'),
    cellsMeasure(context),
    marketDays(context),
    unconfirmed(context),
    correctedMeasure(context),
  ],
  figures: {
    coverage: { measure: 'expected', of: 'share' },
    carried: { measure: 'carried', of: 'share' },
  },
}

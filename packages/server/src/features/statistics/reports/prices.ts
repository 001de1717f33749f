/** Report of the coverage of market days, and of carried, unconfirmed and corrected prices. */
import type { ReportSource } from '../measures.ts'
import { cells, corrected, expected, marketDays, unconfirmed } from './quotes.ts'

export const prices: ReportSource = {
  measures: (context) => [
    expected(context, 'expected'),
    expected(context, 'carried'),
    cells(context),
    marketDays(context),
    unconfirmed(context),
    corrected(context),
  ],
  figures: {
    coverage: { measure: 'expected', of: 'share' },
    carried: { measure: 'carried', of: 'share' },
  },
}

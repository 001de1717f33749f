/** Report of the work of each consultant: whoever replied has the credit (statistics §4). */
import type { ReportSource } from '../measures.ts'
import {
  asked,
  deskTables,
  due,
  handOverMeasure,
  onlineMeasure,
  openCaseMeasures,
  ratedMeasure,
  repliesOf,
} from './desk.ts'

/** Minimum number of ratings that are shown. */
const minRatings = 5

export const consultants: ReportSource = {
  tables: deskTables,
  measures: (context) => [
    asked(context),
    repliesOf(context, 'answered', 'all'),
    repliesOf(context, 'first_replies', 'first'),
    repliesOf(context, 'next_replies', 'next'),
    ...openCaseMeasures(context),
    due(context),
    ratedMeasure(context),
    handOverMeasure(context, 'handovers_out', 'giver'),
    handOverMeasure(context, 'handovers_in', 'taker'),
    onlineMeasure(context),
  ],
  figures: {
    online_hours: { measure: 'online', of: 'sum' },
    reply_median: { measure: 'first_replies', of: 'median' },
    next_median: { measure: 'next_replies', of: 'median' },
    within_target: { measure: 'due', of: 'share' },
    rating: { measure: 'rated', of: 'mean', fewest: minRatings },
  },
}

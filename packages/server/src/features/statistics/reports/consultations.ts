/** Report of the cases of the desk: new, answered, closed and remaining ones, and the times of replies. */
import type { ReportSource } from '../measures.ts'
import {
  asked,
  backlog,
  backlogAges,
  deskTables,
  due,
  finished,
  publishedMeasure,
  reopened,
  repliesOf,
} from './desk.ts'

export const consultations: ReportSource = {
  tables: deskTables,
  measures: (context) => [
    asked(context),
    repliesOf(context, 'answered', 'all'),
    finished(context),
    reopened(context),
    backlog(context),
    backlogAges(context),
    repliesOf(context, 'first_replies', 'first'),
    repliesOf(context, 'next_replies', 'next'),
    due(context),
    publishedMeasure(context),
  ],
  figures: {
    backlog: { measure: 'backlog', of: 'level' },
    reply_median: { measure: 'first_replies', of: 'median' },
    reply_p90: { measure: 'first_replies', of: 'p90' },
    next_median: { measure: 'next_replies', of: 'median' },
    next_p90: { measure: 'next_replies', of: 'p90' },
    within_target: { measure: 'due', of: 'share' },
  },
  rowsOf: { 'age.backlog': { measure: 'backlog_ages', of: 'count' } },
}

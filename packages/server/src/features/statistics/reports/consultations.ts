/** Report of received, answered, finished and remaining questions, and of reply times. */
import type { ReportSource } from '../measures.ts'
import {
  answeredMeasure,
  askedMeasure,
  backlog,
  backlogAges,
  due,
  finishedMeasure,
  reopenedMeasure,
} from './questions.ts'

export const consultations: ReportSource = {
  measures: (context) => [
    askedMeasure(context),
    answeredMeasure(context),
    finishedMeasure(context),
    reopenedMeasure(context),
    backlog(context),
    backlogAges(context),
    due(context),
  ],
  figures: {
    backlog: { measure: 'backlog', of: 'level' },
    reply_median: { measure: 'answered', of: 'median' },
    reply_p90: { measure: 'answered', of: 'p90' },
    within_target: { measure: 'due', of: 'share' },
  },
  rowsOf: { 'age.backlog': { measure: 'backlog_ages', of: 'count' } },
}

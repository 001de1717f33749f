/**
 * Report of the answered and open cases of each consultant; an answer is credited to its author (statistics
 * §4).
 */
import { sql } from '../../../db/sql.ts'
import { joinConditions, type MeasureContext, minutesBetween, type ReportSource, type Sql } from '../measures.ts'
import { backlog, due } from './questions.ts'

/** Minimum number of ratings that are shown. */
const minRatings = 5

/**
 * SQL of the consultant who answered: the first one to hand the question over after the answer, else the
 * present one.
 */
const answeringConsultant = sql`(case when h.moved then h.from_user_id else c.consultant_id end)`
const answers = sql`consultations c left join lateral (
  select s.from_user_id, true as moved from consultation_steps s
   where s.consultation_id = c.id and s.action = 'assign' and s.created_at > c.answered_at order by s.id limit 1) h on true`

const within = ({ narrowed, ownConsultant }: MeasureContext, person: Sql): Sql =>
  joinConditions(
    narrowed({ region: sql`c.region_id`, category: sql`c.category_id`, consultant: person }),
    ownConsultant === undefined ? sql`true` : sql`${person} = ${ownConsultant}::int`,
  )

export const consultants: ReportSource = {
  measures: (context) => {
    const [consultantColumn, byConsultant] = [sql`c.consultant_id`, { consultant: sql`c.consultant_id` }]
    return [
      {
        key: 'answered',
        from: answers,
        where: within(context, answeringConsultant),
        at: sql`c.answered_at`,
        value: minutesBetween(sql`c.created_at`, sql`c.answered_at`),
        dims: { consultant: answeringConsultant },
      },
      backlog(context, within(context, consultantColumn), byConsultant),
      due(context, within(context, consultantColumn), byConsultant),
      {
        key: 'rated',
        from: answers,
        where: joinConditions(within(context, answeringConsultant), sql`c.rating is not null`),
        at: sql`c.answered_at`,
        value: sql`c.rating`,
        dims: { consultant: answeringConsultant },
      },
      {
        key: 'handovers',
        from: sql`consultation_steps s join consultations c on c.id = s.consultation_id`,
        where: joinConditions(
          within(context, sql`s.from_user_id`),
          sql`s.action = 'assign' and s.from_user_id is not null and s.to_user_id is distinct from s.from_user_id`,
        ),
        at: sql`s.created_at`,
      },
    ]
  },
  figures: {
    backlog: { measure: 'backlog', of: 'level' },
    reply_median: { measure: 'answered', of: 'median' },
    within_target: { measure: 'due', of: 'share' },
    rating: { measure: 'rated', of: 'mean', fewest: minRatings },
  },
}

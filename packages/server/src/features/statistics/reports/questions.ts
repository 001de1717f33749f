/** Measures of the questions of growers, which several reports count (statistics §4, §5). */
import { sql } from '../../../db/sql.ts'
import { usualReplyMinutes } from '../../../behaviours/computed.ts'
import { joinConditions, type Measure, type MeasureContext, minutesBetween, type Sql } from '../measures.ts'

const table = sql`consultations c`

/**
 * SQL of the filters and, for a consultant, of the own list: own questions, and questions without a
 * consultant (contract §14).
 */
const within = ({ narrowed, ownConsultant }: MeasureContext): Sql =>
  joinConditions(
    narrowed({ region: sql`c.region_id`, category: sql`c.category_id`, consultant: sql`c.consultant_id` }),
    ownConsultant === undefined
      ? sql`true`
      : sql`(c.user_id = ${ownConsultant}::int or c.consultant_id = ${ownConsultant}::int or c.consultant_id is null)`,
  )

const dimensionColumns = { region: sql`c.region_id`, category: sql`c.category_id`, language: sql`c.language` }

/** Measure of questions to consultants by the time of an event. */
export const askedMeasure = (context: MeasureContext): Measure => ({
  key: 'asked',
  from: table,
  where: within(context),
  at: sql`c.created_at`,
  dims: dimensionColumns,
})
export const finishedMeasure = (context: MeasureContext): Measure => ({
  key: 'finished',
  from: table,
  where: within(context),
  at: sql`c.finished_at`,
})
export const reopenedMeasure = (context: MeasureContext): Measure => ({
  key: 'reopened',
  from: table,
  where: within(context),
  at: sql`c.reopened_at`,
})

/** Measure of answers to questions with their minutes. */
export const answeredMeasure = (context: MeasureContext): Measure => ({
  key: 'answered',
  from: table,
  where: within(context),
  at: sql`c.answered_at`,
  value: minutesBetween(sql`c.created_at`, sql`c.answered_at`),
})

/** Measure of questions whose deadline has passed, with the value 1 when they were answered in time. */
export function due(
  context: MeasureContext,
  narrow: Sql = within(context),
  measureDims: Measure['dims'] = {},
): Measure {
  const until = sql`c.created_at + make_interval(mins => coalesce(k.first_reply_minutes, ${sql.lit(usualReplyMinutes)}))`
  return {
    key: 'due',
    from: sql`consultations c left join consultationcategories k on k.id = c.category_id`,
    where: joinConditions(narrow, sql`${until} <= now()`),
    at: sql`c.created_at`,
    value: sql`case when c.answered_at <= ${until} then 1 else 0 end`,
    dims: measureDims,
  }
}

/**
 * Measure of the backlog: questions that are created and not finished yet. Questions that were finished
 * before the earliest time of the report cancel out and are not read.
 */
export function backlog(
  context: MeasureContext,
  narrow: Sql = within(context),
  measureDims: Measure['dims'] = {},
): Measure {
  const { now, before } = context.period
  return {
    key: 'backlog',
    from: sql`consultations c cross join lateral (values (c.created_at, 1), (c.finished_at, -1)) as s(at, step)`,
    where: joinConditions(
      narrow,
      sql`s.at is not null`,
      sql`(c.finished_at is null or c.finished_at >= ${context.moment((before ?? now).from)})`,
    ),
    at: sql`s.at`,
    stock: true,
    value: sql`s.step`,
    dims: measureDims,
  }
}

/** Measure of the backlog of questions at the end of the period, by their age. */
export function backlogAges(context: MeasureContext): Measure {
  const until = context.moment(context.period.now.until)
  return {
    key: 'backlog_ages',
    from: table,
    where: joinConditions(
      within(context),
      sql`c.created_at < ${until}`,
      sql`(c.finished_at is null or c.finished_at >= ${until})`,
    ),
    dims: {
      age: sql`case when c.created_at > ${until} - interval '4 hours' then 'hours4'
        when c.created_at > ${until} - interval '1 day' then 'day1'
        when c.created_at > ${until} - interval '3 days' then 'days3' else 'older' end`,
    },
  }
}

/**
 * Measures of the cases that wait for a reply now, with their minutes: unanswered questions, and chat rooms.
 */
export const waitingMeasures = ({ narrowed }: MeasureContext): Measure[] => [
  {
    key: 'waiting',
    from: table,
    where: joinConditions(
      narrowed({ region: sql`c.region_id` }),
      sql`c.finished_at is null`,
      sql`(c.answered_at is null or c.reopened_at > c.answered_at)`,
    ),
    value: minutesBetween(sql`coalesce(c.reopened_at, c.created_at)`, sql`now()`),
    dims: { desk: sql`'consultation'` },
  },
  {
    key: 'waiting',
    from: sql`chatrooms r`,
    where: joinConditions(
      narrowed({ region: sql`r.region_id` }),
      sql`r.waiting_since is not null`,
      sql`r.state <> 'closed'`,
    ),
    value: minutesBetween(sql`r.waiting_since`, sql`now()`),
    dims: { desk: sql`'chat'` },
  },
]

/** Measures of learners in published courses: starts, completions, lessons and watched time (e-learning §7). */
import { sql } from '../../../db/sql.ts'
import { courseProgressSql } from '../../../domain/learning/progress.ts'
import { type CaseRecord, joinConditions, type Measure, type MeasureContext, type Sql } from '../measures.ts'

/**
 * SQL of the progress of all courses, and of `learner_courses`, a row for each user who started a course, with
 * the first language and the last activity.
 */
export const learnerTables: Sql = sql`${courseProgressSql(sql`l.course_id`)},
  learner_courses as materialized (
    select p.user_id, p.course_id, min(p.created_at) as started_at, max(p.updated_at) as last_at,
           (array_agg(p.locale order by p.created_at, p.lesson_id, p.part))[1] as locale
      from lesson_progress p group by p.user_id, p.course_id)`

const learnersTableSql = sql`learner_courses s join courses d on d.id = s.course_id join users u on u.id = s.user_id`
const dimensionColumns = { region: sql`u.region_id`, language: sql`s.locale`, course: sql`s.course_id` }

/** SQL of the filters on the course and the learner of a case; `language` is that of the learner in the course. */
const filterScopeSql = ({ filterSql: conditionOf }: MeasureContext, language?: Sql): Sql =>
  conditionOf({
    category: sql`d.coursecategory_id`,
    type: sql`d.coursetype_id`,
    region: sql`u.region_id`,
    district: sql`u.district_id`,
    ...(language && { locale: language }),
  })

/** SQL of the filters on a case whose row has no language of the learner, such as a lesson. */
const lessonScopeSql = (context: MeasureContext): Sql =>
  joinConditions(
    filterScopeSql(context),
    context.filters.includes('locale')
      ? sql`(u.id, d.id) in (select z.user_id, z.course_id from learner_courses z where ${context.filterSql({ locale: sql`z.locale` })})`
      : sql`true`,
  )

/** The learner of a case, with the course or lesson that tells their cases apart. */
const learnerRecord = (user: Sql, partSql?: Sql): CaseRecord => ({
  resource: sql`'users'`,
  id: user,
  ...(partSql !== undefined && { part: partSql }),
})

/** Measure of the users whose last activity in a course is in the period; earlier activity is not stored. */
export const activeLearners = (context: MeasureContext, startedSql: Sql): Measure => {
  const { from, until } = context.period.now
  return {
    key: 'learners_active',
    from: sql`(
      select distinct s.user_id, u.region_id from ${startedSql} s join courses d on d.id = s.course_id join users u on u.id = s.user_id
       where ${filterScopeSql(context, sql`s.locale`)} and s.last_at >= ${context.moment(from)} and s.last_at < ${context.moment(until)}) a`,
    dims: { region: sql`a.region_id` },
    record: learnerRecord(sql`a.user_id`),
  }
}

/** SQL of the last activity of users in courses, for a report without the tables of learners. */
export const lastActivity: Sql = sql`(
  select p.user_id, p.course_id, max(p.updated_at) as last_at from lesson_progress p group by p.user_id, p.course_id)`

export const learnerMeasures = (context: MeasureContext): Measure[] => [
  {
    key: 'starts',
    from: learnersTableSql,
    where: filterScopeSql(context, sql`s.locale`),
    at: sql`s.started_at`,
    dims: dimensionColumns,
    record: learnerRecord(sql`s.user_id`, sql`s.course_id`),
  },
  activeLearners(context, sql`learner_courses`),
  {
    key: 'completions',
    from: sql`course_completions x join courses d on d.id = x.course_id join users u on u.id = x.user_id
      left join learner_courses s on s.user_id = x.user_id and s.course_id = x.course_id`,
    where: filterScopeSql(context, sql`s.locale`),
    at: sql`x.completed_at`,
    value: sql`greatest(0, extract(epoch from x.completed_at - coalesce(s.started_at, x.completed_at)) / 86400)`,
    dims: { ...dimensionColumns, course: sql`x.course_id` },
    record: learnerRecord(sql`x.user_id`, sql`x.course_id`),
  },
  {
    key: 'lessons_started',
    from: sql`(
      select p.user_id, p.lesson_id, min(p.created_at) as started_at from lesson_progress p group by p.user_id, p.lesson_id) s
      join lessons l on l.id = s.lesson_id join courses d on d.id = l.course_id join users u on u.id = s.user_id`,
    where: lessonScopeSql(context),
    at: sql`s.started_at`,
    value: sql`case when (s.user_id, s.lesson_id) in (select c.user_id, c.lesson from complete c) then 1 else 0 end`,
    dims: { lesson: sql`s.lesson_id` },
    record: learnerRecord(sql`s.user_id`, sql`s.lesson_id`),
  },
  {
    key: 'watched',
    from: sql`lesson_progress p
      join (select lesson, part, max(length_s) as length_s from parts where length_s > 0 group by lesson, part) v
        on v.lesson = p.lesson_id and v.part = p.part
      join courses d on d.id = p.course_id join users u on u.id = p.user_id`,
    where: joinConditions(lessonScopeSql(context), sql`p.opened_at is not null`),
    at: sql`p.created_at`,
    value: sql`least(1, p.watched_s / v.length_s)`,
    dims: { lesson: sql`p.lesson_id` },
    record: learnerRecord(sql`p.user_id`, sql`p.lesson_id`),
  },
]

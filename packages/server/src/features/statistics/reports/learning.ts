/** Report of courses by state, category and type, of their lessons, and of their learners. */
import { sql } from '../../../db/sql.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { computedSql } from '../../../behaviours/computed.ts'
import { joinConditions, type ReportSource } from '../measures.ts'
import { learnerMeasures, learnerTables } from './learners.ts'

const courses = sql`courses d`
const isChanged = computedSql({ resource: resourceNamed('courses'), document: 'd', text: 'd' }, 'changed_since_publish')

// SQL of lessons with their group; a lesson is hidden together with its group.
const lessons = sql`lessons l join courses d on d.id = l.course_id left join lessongroups g on g.id = l.lessongroup_id
  join lessons_texts t on t.document_id = l.id and t.locale = l.source_locale`
const isVisible = sql`(l.state = 'visible' and coalesce(g.state, 'visible') = 'visible')`

const course = { resource: sql`'courses'`, id: sql`d.id` }
const lesson = { resource: sql`'lessons'`, id: sql`l.id` }

export const learning: ReportSource = {
  tables: () => learnerTables,
  measures: (context) => {
    const scopeSql = context.filterSql({ category: sql`d.coursecategory_id`, type: sql`d.coursetype_id` })
    return [
      {
        key: 'courses',
        from: courses,
        where: scopeSql,
        record: course,
        dims: { category: sql`d.coursecategory_id`, coursetype: sql`d.coursetype_id`, course_state: sql`d.state` },
      },
      {
        key: 'courses_published',
        from: courses,
        where: joinConditions(scopeSql, sql`d.state = 'published'`),
        record: course,
      },
      { key: 'courses_changed', from: courses, where: joinConditions(scopeSql, isChanged), record: course },
      {
        key: 'lessons',
        from: lessons,
        where: joinConditions(scopeSql, isVisible),
        value: sql`coalesce(l.duration_minutes, 0)`,
        record: lesson,
      },
      { key: 'lessons_added', from: lessons, where: scopeSql, at: sql`t.created_at`, record: lesson },
      ...learnerMeasures(context),
    ]
  },
  figures: {
    lesson_minutes: { measure: 'lessons', of: 'sum' },
    finish_median: { measure: 'completions', of: 'median' },
    lesson_finished: { measure: 'lessons_started', of: 'share' },
    watched: { measure: 'watched', of: 'share' },
  },
}

/** Counts what the deletion of a course, a group or a lesson concerns (e-learning §5). */
import type { DeletionUsage } from '@dala/model/api/progress'
import type { Queries } from '../../../db/database.ts'
import { sql, type Template } from '../../../db/sql.ts'
import type { PartName } from '../../../domain/learning/course-content.ts'
import { courseProgressSql } from '../../../domain/learning/progress.ts'
import { mentionTable } from '../../../resources/mentions.ts'

type Sql = Template<unknown>

/** SQL condition of the lessons that belong to a course, a group or a lesson; `l` is the lesson. */
const lessonsOf = (partName: PartName, document: number): Sql => {
  if (partName === 'courses') return sql`l.course_id = ${document}`
  return partName === 'lessongroups' ? sql`l.lessongroup_id = ${document}` : sql`l.id = ${document}`
}

/** SQL condition of the groups that belong to a course or are a group; `g` is the group. */
const groupsOf = (partName: PartName, document: number): Sql => {
  if (partName === 'courses') return sql`g.course_id = ${document}`
  return partName === 'lessongroups' ? sql`g.id = ${document}` : sql`false`
}

/**
 * Counts the learners, files and texts of a course, a group or a lesson.
 *
 * @param runner - The database.
 * @param partName - The resource of the record.
 * @param document - The key of the record.
 * @returns Learners and completions of published lessons; the others of the drafts.
 */
export async function readUsage(
  runner: Pick<Queries, 'query'>,
  partName: PartName,
  document: number,
): Promise<DeletionUsage> {
  const course =
    partName === 'courses'
      ? sql`${document}::int`
      : sql`(select d.course_id from ${sql.table(partName)} d where d.id = ${document})`
  const isCourse = sql.lit(partName === 'courses')
  const [usage] = await runner.query(sql<DeletionUsage>`
    with ${courseProgressSql(course)},
    own as materialized (select l.id from lessons l where ${lessonsOf(partName, document)}),
    own_groups as materialized (select g.id from lessongroups g where ${groupsOf(partName, document)}),
    published as materialized (select lesson from lessons_seen where lesson in (select id from own)),
    records as (
      select 'lessons' as resource, id from own union all select 'lessongroups', id from own_groups
       union all select 'courses', ${document}::int where ${isCourse}),
    finished as (
      select user_id from complete where not ${isCourse} and lesson in (select lesson from published)
       group by user_id having count(*) = (select count(*) from published)
       union all select user_id from course_completions where ${isCourse} and course_id = ${document}::int)
    select (select count(distinct p.user_id)::int from lesson_progress p join users u on u.id = p.user_id and u.removed_at is null
             where p.lesson_id in (select id from own) or (${isCourse} and p.course_id = ${document}::int)) as learners,
           (select count(*)::int from finished join users u on u.id = finished.user_id and u.removed_at is null) as completed,
           (select count(distinct a.target_id)::int from lessons_attachments a where a.holder_id in (select id from own)) as attachments,
           (select count(distinct files.file_id)::int from (
              select m.file_id from ${sql.table(mentionTable)} m join records on records.resource = m.resource and records.id = m.document_id
               union all select c.image_id from courses c where ${isCourse} and c.id = ${document} and c.image_id is not null) files) as files,
           ((select count(*) from lessons_texts where document_id in (select id from own))
             + (select count(*) from lessongroups_texts where document_id in (select id from own_groups))
             + (select count(*) from courses_texts where ${isCourse} and document_id = ${document}::int))::int as translations,
           (select count(*)::int from own where ${sql.lit(partName !== 'lessons')}) as lessons`)
  return usage ?? { learners: 0, completed: 0, attachments: 0, files: 0, translations: 0, lessons: 0 }
}

/** Counts the learners with progress in a lesson, and those who have completed it. */
interface LessonLearners {
  learners: number
  completed: number
}

/**
 * Counts the learners of each published lesson of a course.
 *
 * @param runner - The database.
 * @param course - The key of the course.
 * @returns The counts by the key of the lesson; lessons without learners are missing.
 */
export async function countLessonLearners(
  runner: Pick<Queries, 'query'>,
  course: number,
): Promise<ReadonlyMap<number, LessonLearners>> {
  const rows = await runner.query(sql<LessonLearners & { lesson: number }>`
    with ${courseProgressSql(sql`${course}::int`)},
    accounts as materialized (select id from users where removed_at is null),
    started as (
      select lesson_id, count(*)::int as learners from (
        select distinct lesson_id, user_id from lesson_progress
         where lesson_id in (select lesson from lessons_seen) and user_id in (select id from accounts)) pairs group by lesson_id),
    ended as (
      select lesson, count(*)::int as learners from complete where user_id in (select id from accounts) group by lesson)
    select started.lesson_id as lesson, started.learners, coalesce(ended.learners, 0) as completed
      from started left join ended on ended.lesson = started.lesson_id`)
  return new Map(rows.map(({ lesson, learners, completed }) => [lesson, { learners, completed }]))
}

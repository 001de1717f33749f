/** Presents the progress of a learner in a course to themselves (e-learning §5). */
import type { Locale } from '@dala/model'
import type { CourseProgress, LessonProgress } from '@dala/model/api/progress'
import type { Queries } from '../../../db/database.ts'
import { momentSql } from '../../../db/moment-sql.ts'
import { sql } from '../../../db/sql.ts'
import { type LessonState, type PartState, percentOfPart, readCourseState } from '../../../domain/learning/progress.ts'
import { languageOrder } from '../../../resources/read/sql-entry.ts'

/** Returns a lesson's parts in one language: that of the reader, else the first one. */
function partsIn(parts: readonly PartState[], locale: Locale): PartState[] {
  const shownLocale = parts.some((lessonPart) => lessonPart.locale === locale) ? locale : parts[0]?.locale
  return parts.filter((lessonPart) => lessonPart.locale === shownLocale)
}

function presentProgress(id: number, { percent, parts }: LessonState, locale: Locale): LessonProgress {
  const localeParts = partsIn(parts, locale)
  const [latestPart] = localeParts.toSorted(
    (one, other) => (one.stored?.age ?? Infinity) - (other.stored?.age ?? Infinity),
  )
  return {
    id,
    percent,
    position_s: latestPart?.stored?.position ?? 0,
    part: latestPart?.stored ? latestPart.part : '',
    completed: percent === 100,
    parts: localeParts.map((lessonPart) => {
      const donePercent = percentOfPart(lessonPart)
      return {
        part: lessonPart.part,
        percent: donePercent,
        position_s: lessonPart.stored?.position ?? 0,
        completed: donePercent === 100,
      }
    }),
  }
}

/**
 * Reads the progress of a learner in a published course.
 *
 * @param runner - The database.
 * @param course - The key of the course.
 * @param user - The learner.
 * @param locale - The language whose lessons ids name, where it exists.
 */
export async function readOwnProgress(
  runner: Pick<Queries, 'query'>,
  course: number,
  user: number,
  locale: Locale,
): Promise<CourseProgress> {
  const state = await readCourseState(runner, course, user)
  const shownTexts = await runner.query(sql<{ lesson: number; id: number }>`
    select distinct on (t.document_id) t.document_id as lesson, t.id from published_lessons_texts t
     where t.document_id = any(${state.lessons.map(({ lesson }) => lesson)}::int[])
     order by t.document_id, ${languageOrder(sql`t.locale`, undefined, locale)}`)
  const idOf = new Map(shownTexts.map(({ lesson, id }) => [lesson, id]))
  const [completion] = await runner.query(sql<{ completed_at: string; certificate: string }>`
    select ${momentSql(sql`completed_at`)} as completed_at, certificate from course_completions
     where user_id = ${user} and course_id = ${course}`)
  return {
    percent: state.percent,
    completed_at: completion?.completed_at ?? null,
    certificate: completion?.certificate ?? null,
    lessons: state.lessons.map((lesson) => presentProgress(idOf.get(lesson.lesson) ?? 0, lesson, locale)),
  }
}

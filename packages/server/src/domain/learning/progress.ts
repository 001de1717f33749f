/**
 * Progress of learners in published courses: parts, completed lessons and completed courses (e-learning §7).
 */
import { randomInt } from 'node:crypto'
import {
  type CompletionRule,
  coursePercent,
  type Interval,
  isPartComplete,
  lessonPercent,
  type Locale,
  newCertificateNumber,
  partPercent,
} from '@dala/model'
import type { Queries, Transaction } from '../../db/database.ts'
import { sql, type Template } from '../../db/sql.ts'

type Sql = Template<unknown>
type Runner = Pick<Queries, 'query'>

/** SQL of the length of a video in seconds; null when it is unknown. */
const lengthSql = (video: Sql) =>
  sql`case when jsonb_typeof(${video} -> 'duration_s') = 'number' then round((${video} ->> 'duration_s')::numeric, 1) end`

/**
 * SQL of the parts of the lessons that learners see, by language, each with its rule of completion. A lesson
 * without parts is its own part, with an empty id. `lesson` is a key, and `place` sorts lessons as the
 * outline does.
 */
const partsSql = (course: Sql) => sql`
  select l.id as lesson, t.locale, part.part, part.has_video, case when part.has_video then part.length_s end as length_s,
         l.complete_when, l.watch_ratio,
         dense_rank() over (order by g.id is null, g.position, g.id, l.position, l.id)::int as place
    from published_lessons l
    join published_lessons_texts t on t.document_id = l.id
    left join published_lessons_texts source on source.document_id = l.id and source.locale = l.source_locale
    left join published_lessongroups g on g.id = l.lessongroup_id
   cross join lateral (select l.kind = 'multi' and jsonb_typeof(t.parts) = 'array' and jsonb_array_length(t.parts) > 0 as several) kind
   cross join lateral (
     select '' as part, coalesce(t.videourl, '') <> '' or coalesce(source.videourl, '') <> ''
              or coalesce(jsonb_typeof(l.video) = 'object', false) as has_video, ${lengthSql(sql`l.video`)} as length_s
      where kind.several is not true
     union all
     select p.value ->> 'id', coalesce(p.value ->> 'videourl', '') <> ''
              or coalesce(jsonb_typeof(p.value -> 'video') = 'object', false), ${lengthSql(sql`(p.value -> 'video')`)}
       from jsonb_array_elements(case when kind.several then t.parts else '[]' end) p) part
   where l.course_id = ${course} and l.state = 'visible' and coalesce(g.state, 'visible') = 'visible'`

/**
 * SQL of queries for a `with` clause about a course: `parts`; `lessons`, those that learners see, with their
 * place; `complete`, the pairs of a user and a lesson whose parts are complete in one language.
 */
export const courseProgressSql = (course: Sql): Sql => sql`
  parts as materialized (${partsSql(course)}),
  lessons_seen as materialized (select distinct lesson, place from parts),
  needed as (select lesson, locale, count(distinct part) as parts from parts group by lesson, locale),
  done as (
    select p.user_id, u.lesson, u.locale, count(*) as parts
      from (select distinct lesson, locale, part from parts) u
      join lesson_progress p on p.lesson_id = u.lesson and p.part = u.part and p.completed_at is not null
     group by p.user_id, u.lesson, u.locale),
  complete as materialized (
    select distinct d.user_id, d.lesson from done d join needed n on n.lesson = d.lesson and n.locale = d.locale and n.parts = d.parts)`

/** A part of a lesson in a language, with its rule and what a learner did with it. */
export interface PartState {
  lesson: number
  locale: Locale
  part: string
  rule: CompletionRule
  /** Stored progress of the learner in the part; undefined before the first progress. */
  stored: StoredPart | undefined
}

export interface StoredPart {
  watched: readonly Interval[]
  watchedS: number
  position: number
  isOpened: boolean
  isMarked: boolean
  isCompleted: boolean
  /** Seconds since the last progress of the learner in the part. */
  age: number
}

/** Progress of a learner in a lesson, computed from its parts. */
export interface LessonState {
  lesson: number
  percent: number
  parts: readonly PartState[]
}

/** Progress of a learner in a course. */
export interface CourseState {
  percent: number
  /** All lessons of the course that learners see, in the order of the outline. */
  lessons: readonly LessonState[]
}

interface PartRow {
  lesson: number
  locale: Locale
  part: string
  complete_when: CompletionRule['completeWhen']
  watch_ratio: number
  has_video: boolean
  length_s: number | null
  stored: StoredPart | null
}

/** Returns the percentage of a lesson's part; a part that was completed once stays complete. */
export function percentOfPart({ rule, stored }: PartState): number {
  if (stored?.isCompleted) return 100
  const progress = stored && { opened: stored.isOpened, marked: stored.isMarked, watched: stored.watchedS }
  // Without any progress a part is not complete, even where no second must be watched.
  if (!progress) return 0
  return Math.min(99, partPercent(rule, progress))
}

function lessonState(lesson: number, parts: readonly PartState[]): LessonState {
  const languages = Map.groupBy(parts, ({ locale }) => locale)
  return {
    lesson,
    parts,
    percent: lessonPercent([...languages.values()].map((languageParts) => languageParts.map(percentOfPart))),
  }
}

/**
 * Reads the progress of a learner in a published course.
 *
 * @param runner - The database or a transaction.
 * @param course - The key of the course.
 * @param user - The learner.
 */
export async function readCourseState(runner: Runner, course: number, user: number): Promise<CourseState> {
  const rows = await runner.query(sql<PartRow>`
    with parts as (${partsSql(sql`${course}`)})
    select u.lesson, u.locale, u.part, u.complete_when, u.watch_ratio::float8 as watch_ratio, u.has_video, u.length_s::float8 as length_s,
           case when p.user_id is not null then json_build_object('watched', p.watched, 'watchedS', p.watched_s,
             'position', p.position_s, 'isOpened', p.opened_at is not null, 'isMarked', p.marked_at is not null,
             'isCompleted', p.completed_at is not null, 'age', extract(epoch from clock_timestamp() - p.updated_at)) end as stored
      from parts u left join lesson_progress p on p.user_id = ${user} and p.lesson_id = u.lesson and p.part = u.part
     order by u.place, u.locale`)
  const parts = rows.map(({ lesson, locale, part, complete_when, watch_ratio, has_video, length_s, stored }) => {
    const rule = { completeWhen: complete_when, watchRatio: watch_ratio, hasVideo: has_video, length: length_s }
    return { lesson, locale, part, rule, stored: stored ?? undefined }
  })
  const lessons = [...Map.groupBy(parts, ({ lesson }) => lesson)].map(([lesson, lessonParts]) =>
    lessonState(lesson, lessonParts),
  )
  const completedCount = lessons.filter(({ percent }) => percent === 100).length
  return { lessons, percent: coursePercent(completedCount, lessons.length) }
}

/** Tells whether a learner's progress completes a part, by the part's rule in any language. */
export const isComplete = (parts: readonly PartState[], { isOpened, isMarked, watchedS }: StoredPart): boolean =>
  parts.some(({ rule }) => isPartComplete(rule, { opened: isOpened, marked: isMarked, watched: watchedS }))

/** Stores that learners have completed a course; those who had completed it before keep their certificate. */
export async function addCompletions(trx: Transaction, course: number, users: readonly number[]): Promise<void> {
  if (users.length === 0) return
  await trx.query(sql`
    insert into course_completions (user_id, course_id, certificate)
    select given.user_id, ${course}::int, given.certificate
      from unnest(${[...users]}::int[], ${users.map(() => newCertificateNumber(randomInt))}::text[]) as given(user_id, certificate)
    on conflict (user_id, course_id) do nothing`)
}

/**
 * Applies a new publication to the progress of a course: parts whose present rule is met are complete, and
 * learners who have completed all remaining lessons have completed the course.
 *
 * @param trx - The transaction of the publication.
 * @param course - The key of the course.
 */
export async function settleProgress(trx: Transaction, course: number): Promise<void> {
  await trx.query(sql`
    update lesson_progress set course_id = ${course}
     where course_id <> ${course} and lesson_id in (select id from published_lessons where course_id = ${course})`)
  await trx.query(sql`
    with parts as materialized (${partsSql(sql`${course}`)})
    update lesson_progress p set completed_at = now()
     where p.completed_at is null and p.course_id = ${course} and exists (
       select 1 from parts u where u.lesson = p.lesson_id and u.part = p.part and case
         when u.complete_when = 'opened' or (u.complete_when = 'watched' and not u.has_video) then p.opened_at is not null
         when u.complete_when = 'marked' or u.length_s is null then p.marked_at is not null
         else p.watched_s >= u.watch_ratio * u.length_s end)`)
  const completedUsers = await trx.query(sql<{ user: number }>`
    with ${courseProgressSql(sql`${course}`)}
    select user_id as user from complete group by user_id having count(*) = (select count(*) from lessons_seen)`)
  await addCompletions(
    trx,
    course,
    completedUsers.map(({ user }) => user),
  )
}

/** Stores the progress of a learner in a lesson (e-learning §5). */
import { fault, type Interval, type Locale, mergeIntervals, watchedSeconds } from '@dala/model'
import type { ProgressBody } from '@dala/model/api/progress'
import type { Queries, Transaction } from '../../../db/database.ts'
import { sql } from '../../../db/sql.ts'
import {
  addCompletions,
  type CourseState,
  isComplete,
  type PartState,
  readCourseState,
  type StoredPart,
} from '../../../domain/learning/progress.ts'
import { languageOrder } from '../../../resources/read/sql-entry.ts'

/** Highest speed at which a player can play a video. */
const maxSpeed = 2
/** Seconds that may be watched beyond those that the time since the last progress allows. */
const tolerance = 60
/** Maximum position in a video of unknown length, in seconds. */
const maxSeconds = 86_400

/** The lesson in which a learner reports progress, by keys, and the language of its text. */
export interface UsedLesson {
  course: number
  lesson: number
  locale: Locale
  inOrder: boolean
}

export interface ProgressAnswer {
  lesson_percent: number
  course_percent: number
  completed: boolean
  ignored: number
}

const roundSeconds = (seconds: number) => Math.round(seconds * 10) / 10

const emptyPart: StoredPart = {
  watched: [],
  watchedS: 0,
  position: 0,
  isOpened: false,
  isMarked: false,
  isCompleted: false,
  age: 0,
}

/** Returns the number of values in a request of progress, all of which are ignored for an unknown part. */
const countProgressValues = ({ position_s, watched = [], opened, marked }: ProgressBody) =>
  watched.length + [position_s, opened, marked].filter((value) => value !== undefined).length

/**
 * Merges a learner's request into the stored progress of a part.
 *
 * @param partBefore - The progress before the call.
 * @param sent - The call.
 * @param length - The length of the video; null when it is unknown.
 * @returns The progress after the call, and the number of impossible values, which change nothing.
 */
function mergeProgress(
  partBefore: StoredPart,
  { position_s, watched = [], opened, marked }: ProgressBody,
  length: number | null,
): { mergedPart: StoredPart; ignored: number } {
  const end = length ?? maxSeconds
  // Players report an end of the video that is a little after the length in its file.
  const isWithin = (seconds: number) => seconds >= 0 && seconds <= end + 1
  const clampSeconds = (seconds: number) => roundSeconds(Math.min(seconds, end))
  const validIntervals = watched.filter(
    ([startSecond, endSecond]) => startSecond <= endSecond && isWithin(startSecond) && isWithin(endSecond),
  )
  const sentIntervals = validIntervals.map(([startSecond, endSecond]): Interval => [
    clampSeconds(startSecond),
    clampSeconds(endSecond),
  ])
  const addedSeconds =
    watchedSeconds(mergeIntervals([...partBefore.watched, ...sentIntervals], Number.POSITIVE_INFINITY)) -
    partBefore.watchedS
  const isPossible = addedSeconds <= partBefore.age * maxSpeed + tolerance
  const isPosition = position_s !== undefined && isWithin(position_s)
  const intervals = isPossible ? mergeIntervals([...partBefore.watched, ...sentIntervals]) : partBefore.watched
  return {
    mergedPart: {
      ...partBefore,
      watched: intervals,
      watchedS: watchedSeconds(intervals),
      position: isPosition ? clampSeconds(position_s) : partBefore.position,
      isOpened: partBefore.isOpened || opened === true,
      isMarked: marked ?? partBefore.isMarked,
    },
    ignored:
      watched.length - (isPossible ? validIntervals.length : 0) + (position_s === undefined || isPosition ? 0 : 1),
  }
}

/** Throws 409 with the first incomplete lesson of a course in order when the lesson comes after it. */
async function assertInOrder(
  queries: Queries,
  { lessons }: CourseState,
  { lesson, locale }: UsedLesson,
): Promise<void> {
  const firstIncompleteLesson = lessons.find(({ percent }) => percent < 100)
  const index = (lessonId: number) => lessons.findIndex((lessonState) => lessonState.lesson === lessonId)
  if (!firstIncompleteLesson || index(lesson) <= index(firstIncompleteLesson.lesson)) return
  const [lessonRow] = await queries.query(sql<{ id: number }>`
    select t.id from published_lessons_texts t where t.document_id = ${firstIncompleteLesson.lesson}
     order by ${languageOrder(sql`t.locale`, undefined, locale)} limit 1`)
  throw fault('lesson.order', { details: { lesson: lessonRow?.id ?? 0 } })
}

async function writePart(
  trx: Transaction,
  user: number,
  { course, lesson, locale }: UsedLesson,
  partKey: string,
  { watched, watchedS, position, isOpened, isMarked, isCompleted }: StoredPart,
): Promise<void> {
  const moment = (isSet: boolean) => sql`case when ${isSet}::boolean then now() end`
  await trx.query(sql`
    insert into lesson_progress as p (user_id, lesson_id, part, course_id, watched, watched_s, position_s, locale, opened_at, marked_at, completed_at)
    values (${user}, ${lesson}, ${partKey}, ${course}, ${JSON.stringify(watched)}::jsonb, ${watchedS}, ${position}, ${locale},
            ${moment(isOpened)}, ${moment(isMarked)}, ${moment(isCompleted)})
    on conflict (user_id, lesson_id, part) do update set
      course_id = excluded.course_id, watched = excluded.watched, watched_s = excluded.watched_s,
      position_s = excluded.position_s, locale = excluded.locale, updated_at = now(),
      opened_at = coalesce(p.opened_at, excluded.opened_at), completed_at = coalesce(p.completed_at, excluded.completed_at),
      marked_at = case when excluded.marked_at is not null then coalesce(p.marked_at, excluded.marked_at) end`)
}

const isSamePart = (leftPart: StoredPart, otherPart: StoredPart) =>
  JSON.stringify({ ...leftPart, age: 0 }) === JSON.stringify({ ...otherPart, age: 0 })

/**
 * Stores the progress that a learner's request reports. A repeated request changes nothing.
 *
 * @param trx - The transaction.
 * @param user - The learner.
 * @param usedLesson - The lesson, which the learner may read.
 * @param body - The call.
 * @throws 409 `lesson.order` before the earlier lessons of a course in order are complete.
 */
export async function storeProgress(
  trx: Transaction,
  user: number,
  usedLesson: UsedLesson,
  body: ProgressBody,
): Promise<ProgressAnswer> {
  // A publication of the course waits for this request, and other requests of the learner as well.
  await trx.query(sql`select 1 from published_courses where id = ${usedLesson.course} for share`)
  await trx.query(sql`select 1 from users where id = ${user} for no key update`)
  const stateBefore = await readCourseState(trx, usedLesson.course, user)
  if (usedLesson.inOrder) await assertInOrder(trx, stateBefore, usedLesson)
  const { part = '' } = body
  const partsOf = ({ lessons }: CourseState): readonly PartState[] =>
    lessons.find(({ lesson }) => lesson === usedLesson.lesson)?.parts.filter((partState) => partState.part === part) ??
    []
  const ownParts = partsOf(stateBefore)
  const shownPart = ownParts.find(({ locale }) => locale === usedLesson.locale)
  let ignoredCount = countProgressValues(body)
  if (shownPart) {
    const storedPart = shownPart.stored ?? emptyPart
    const result = mergeProgress(storedPart, body, shownPart.rule.length)
    ;({ ignored: ignoredCount } = result)
    const mergedPart = {
      ...result.mergedPart,
      isCompleted: storedPart.isCompleted || isComplete(ownParts, result.mergedPart),
    }
    if (!isSamePart(storedPart, mergedPart)) await writePart(trx, user, usedLesson, part, mergedPart)
  }
  const stateAfter = await readCourseState(trx, usedLesson.course, user)
  if (stateAfter.percent === 100) await addCompletions(trx, usedLesson.course, [user])
  const [completion] = await trx.query(
    sql`select 1 from course_completions where user_id = ${user} and course_id = ${usedLesson.course}`,
  )
  return {
    lesson_percent: stateAfter.lessons.find(({ lesson }) => lesson === usedLesson.lesson)?.percent ?? 0,
    course_percent: stateAfter.percent,
    completed: completion !== undefined,
    ignored: ignoredCount,
  }
}

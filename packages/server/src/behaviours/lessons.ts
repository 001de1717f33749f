/** Rules of lessons: parts with content, and at most one part in a single lesson (content-model §4). */
import { randomUUID } from 'node:crypto'
import { type ErrorCode, fault, isStorable, type Issue, countCharacters, validationFault } from '@dala/model'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { isObject } from '../resources/read/context.ts'
import { sanitizeRich } from '../resources/rich-text.ts'
import type { Behaviour, CheckedWrite } from '../resources/write/behaviour.ts'
import { settleLessonFiles } from './lesson-files.ts'

const maxParts = 100
const maxPartId = 64
const maxTitle = 255
const maxContentLength = 200_000

const issueOfPart = (code: ErrorCode, index: number, field: string, params = {}): Issue => ({
  path: ['parts', index, field],
  code,
  params: { field, ...params },
})

const isTextUpTo = (value: unknown, max: number): value is string =>
  typeof value === 'string' && isStorable(value) && countCharacters(value) <= max

/** Tells whether a value can be the id of a lesson's part; progress of learners is stored by these ids. */
const isPartId = (id: unknown): id is string | number =>
  typeof id === 'number' || (isTextUpTo(id, maxPartId) && id !== '')

/** Tells whether a value is an https address, or no value. */
const isHttpsOrEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (isTextUpTo(value, 2_000) && URL.parse(value)?.protocol === 'https:')

/**
 * Returns the parts of a lesson as they are stored: known keys, sanitised texts, an id each. Throws 400
 * naming each invalid one.
 */
function readParts(value: unknown): unknown[] | null {
  if (value === null) return null
  if (!Array.isArray(value))
    throw validationFault([{ path: ['parts'], code: 'validation.json', params: { field: 'parts' } }])
  const issues: Issue[] = []
  if (value.length > maxParts)
    issues.push({ path: ['parts'], code: 'validation.maxItems', params: { field: 'parts', max: maxParts } })
  const parts = value.slice(0, maxParts).map((lessonPart: unknown, index) => {
    const { id, title, content, videourl, attachments }: Record<string, unknown> = isObject(lessonPart)
      ? lessonPart
      : {}
    if (title !== undefined && title !== null && !isTextUpTo(title, maxTitle))
      issues.push(issueOfPart('validation.maxLength', index, 'title', { max: maxTitle }))
    if (content !== undefined && content !== null && !isTextUpTo(content, maxContentLength))
      issues.push(issueOfPart('validation.maxLength', index, 'content', { max: maxContentLength }))
    if (!isHttpsOrEmpty(videourl)) issues.push(issueOfPart('validation.url', index, 'videourl'))
    if (attachments !== undefined && attachments !== null && !Array.isArray(attachments))
      issues.push(issueOfPart('validation.json', index, 'attachments'))
    return {
      id: isPartId(id) ? id : randomUUID(),
      title: title ?? null,
      content: typeof content === 'string' ? sanitizeRich(content) : null,
      videourl: videourl || null,
      attachments: attachments ?? [],
    }
  })
  if (issues.length > 0) throw validationFault(issues)
  return parts
}

/** Throws 422 when a single lesson would have several parts in any language. */
async function assertSinglePart(
  { values, valuesBefore, document, locale, trx }: CheckedWrite,
  parts: unknown[] | null | undefined,
) {
  const kind = values.kind ?? valuesBefore?.kind
  if (kind !== 'single' || (parts === undefined && valuesBefore?.kind !== 'multi')) return
  const field = valuesBefore?.kind === 'multi' ? 'kind' : 'parts'
  const params = { field }
  const refusal = fault('lesson.several-parts', {
    params,
    issues: [{ path: [field], code: 'lesson.several-parts', params }],
  })
  if ((parts?.length ?? 0) > 1) throw refusal
  if (document === undefined) return
  const [otherLanguage] = await trx.query(sql`
    select 1 from lessons_texts
     where document_id = ${document} and not (locale = ${locale} and ${parts !== undefined}::boolean)
       and jsonb_typeof(parts) = 'array' and jsonb_array_length(parts) > 1 limit 1`)
  if (otherLanguage) throw refusal
}

/**
 * Numbers the lessons of each list of a course from 1 without a gap, in their order. The numbering runs after
 * a deletion: a deletion that waited for other lessons would wait for another deletion. The course is locked
 * first, as by every writer of an outline.
 */
export function renumberLessons(database: Database, course: number): Promise<void> {
  return database.transaction(async (trx) => {
    await trx.query(sql`select id from courses where id = ${course} for update`)
    await trx.query(sql`select id from lessons where course_id = ${course} order by id for update`)
    await trx.query(sql`
      update lessons l set position = n.place
        from (select id, row_number() over (partition by lessongroup_id order by position, id) as place
                from lessons where course_id = ${course}) n
       where n.id = l.id and l.position <> n.place`)
    trx.changed('lessons', 'values')
  })
}

export const lessonBehaviour: Behaviour = {
  async settleValues(write) {
    const { operation, values, valuesBefore, isTrusted, trx } = write
    // A course sums up the minutes of its lessons, so cached totals of courses expire too.
    trx.changed('courses')
    const course = valuesBefore?.course
    if ((operation === 'remove' || operation === 'restore') && typeof course === 'number')
      trx.afterCommit(() => renumberLessons(trx.database, course), `gaps of course ${course}`)
    if (operation === 'remove') return undefined
    const isGiven = values.parts !== undefined && (valuesBefore === undefined || values.parts !== valuesBefore.parts)
    const parts = isGiven ? readParts(values.parts) : undefined
    if (!isTrusted) await assertSinglePart(write, parts)
    const files = isTrusted || operation === 'restore' ? {} : await settleLessonFiles(write)
    return { ...files, ...(parts !== undefined && { parts }) }
  },
}

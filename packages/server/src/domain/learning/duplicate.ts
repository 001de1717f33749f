/** Duplicates lessons and whole courses as new drafts (e-learning §5). */
import { fault, isToMany, isToOne, type Locale } from '@dala/model'
import type { Transaction } from '../../db/database.ts'
import { linkOf, resourceNamed } from '../../resources/attributes.ts'
import { addTranslation, createEntry, type WriteContext } from '../../resources/write/write.ts'
import { type ContentRecord, readContent } from './course-content.ts'
import { wireIdsOf } from './wire-ids.ts'

type TransactionContext = WriteContext & { trx: Transaction }

/** Fields that a duplicated course does not copy, because their values belong to one course alone. */
const ownFields: ReadonlySet<string> = new Set(['published_at'])

/**
 * Creates a record with the values and languages of another.
 *
 * @param context - The author and the transaction.
 * @param record - The record to duplicate.
 * @param changes - Values that differ, as in a body.
 * @param languages - The languages to duplicate; all of the record when absent.
 * @returns The wire id of the new record.
 * @throws 422 `course.no-language` when the record has none of the languages.
 */
async function duplicateRecord(
  context: TransactionContext,
  record: ContentRecord,
  changes: Readonly<Record<string, unknown>>,
  languages: readonly Locale[] | undefined,
): Promise<number> {
  const resource = resourceNamed(record.part)
  const sharedValues: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record.shared)) {
    const field = resource.fields[name]
    if (!field || ownFields.has(name)) continue
    if (!isToOne(field) && !isToMany(field)) sharedValues[name] = value
    else {
      const ids = await wireIdsOf(context.trx, linkOf(resource, name).target, [value ?? []].flat().map(Number))
      sharedValues[name] = isToOne(field) ? (ids[0] ?? null) : ids
    }
  }
  // The source language of the record is copied first, so that it is also the source of the duplicate.
  const texts = record.texts
    .filter(({ locale }) => languages?.includes(locale) ?? true)
    .toSorted(
      (oneText, otherText) =>
        Number(otherText.locale === record.sourceLocale) - Number(oneText.locale === record.sourceLocale),
    )
  const [firstText, ...otherTexts] = texts
  if (!firstText) throw fault('course.no-language')
  const id = await createEntry(
    context,
    resource,
    { ...sharedValues, ...changes, ...firstText.values },
    firstText.locale,
  )
  for (const { locale, values } of otherTexts) await addTranslation(context, resource, id, { ...values, locale })
  return id
}

/** Course, group, position and languages of a duplicated lesson; the ids are wire ids. */
export interface LessonTarget {
  course: number
  group: number | null
  position: number
  languages: readonly Locale[] | undefined
}

/** Duplicates a lesson; returns the wire id of the new one. */
export const duplicateLesson = (
  context: TransactionContext,
  lesson: ContentRecord,
  { course, group, position, languages }: LessonTarget,
): Promise<number> => duplicateRecord(context, lesson, { course, lessongroup: group, position }, languages)

/**
 * Duplicates a course with its groups and lessons as a draft. A lesson without one of the languages is
 * duplicated in those that it has.
 *
 * @param context - The author and the transaction, which holds a lock on the course.
 * @param course - The key of the course.
 * @param languages - The languages to duplicate; all when absent.
 * @returns The wire id of the new course.
 */
export async function duplicateCourse(
  context: TransactionContext,
  course: number,
  languages: readonly Locale[] | undefined,
): Promise<number> {
  const records = await readContent(context.trx, course, 'draft')
  const hasText = ({ texts }: ContentRecord) => !languages || texts.some(({ locale }) => languages.includes(locale))
  const [original, ...parts] = records
  if (!original) throw fault('record.not-found')
  const id = await duplicateRecord(context, original, { state: 'draft' }, languages)
  const groups = new Map<number, number>()
  for (const textPart of parts.filter(hasText)) {
    const group = groups.get(Number(textPart.shared.lessongroup ?? 0)) ?? null
    const changes = textPart.part === 'lessons' ? { course: id, lessongroup: group } : { course: id }
    const newId = await duplicateRecord(context, textPart, changes, languages)
    if (textPart.part === 'lessongroups') groups.set(textPart.document, newId)
  }
  return id
}

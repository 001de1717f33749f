/** Returns the draft of a course to what is published (e-learning §9). */
import { fault, Fault, isToMany, isToOne, type Locale } from '@dala/model'
import type { Transaction } from '../../db/database.ts'
import { publishedTable } from '../../db/published-tables.ts'
import { sql } from '../../db/sql.ts'
import { linkOf, resourceNamed } from '../../resources/attributes.ts'
import { removeEntry } from '../../resources/write/remove.ts'
import { restoreEntry } from '../../resources/write/restore.ts'
import { updateEntry, type WriteContext } from '../../resources/write/write.ts'
import { type CourseChange, readChanges } from './course-changes.ts'
import { type ContentRecord, partNames, readContent, titleOf } from './course-content.ts'
import { publishCourse } from './publication.ts'
import { wireIdsOf } from './wire-ids.ts'

type TransactionContext = WriteContext & { trx: Transaction }

/** Restores a record or a text of a course from the trash; 409 when it is no longer there. */
async function restoreRecord(context: TransactionContext, record: ContentRecord, id: number): Promise<void> {
  try {
    await restoreEntry(context, resourceNamed(record.part), id)
  } catch (error) {
    if (error instanceof Fault && error.code === 'record.not-found')
      throw fault('course.discard', { params: { name: titleOf(record.texts[0]) } })
    throw error
  }
}

/** Restores what was deleted from a course since its publication: groups before their lessons. */
async function restoreRemovedRecords(context: TransactionContext, course: number): Promise<void> {
  for (const partName of partNames) {
    for (const { kind, record, text } of await readChanges(context.trx, course)) {
      if (kind !== 'removed' || record.part !== partName) continue
      const [firstText] = record.texts
      if (text) await restoreRecord(context, record, text.id)
      else if (firstText) await restoreRecord(context, record, firstText.id)
    }
  }
}

/**
 * Deletes what was added to a course since its publication; texts in languages that are not published stay.
 */
async function removeAddedRecords(
  context: TransactionContext,
  changes: readonly CourseChange[],
  languages: ReadonlySet<Locale>,
): Promise<void> {
  for (const { kind, record, text } of changes.toReversed()) {
    if (kind !== 'added') continue
    const [firstText] = record.texts
    const resource = resourceNamed(record.part)
    if (text && languages.has(text.locale)) await removeEntry(context, resource, text.id, false)
    if (!text && firstText) await removeEntry(context, resource, firstText.id, true)
  }
}

/** Resets changed records and texts of a course to their published values. */
async function resetChangedRecords(context: TransactionContext, changes: readonly CourseChange[]): Promise<void> {
  for (const { kind, record, text, fields } of changes) {
    if (kind !== 'changed') continue
    const resource = resourceNamed(record.part)
    const draft: Record<string, unknown> = {}
    for (const { name, before } of fields) {
      const field = resource.fields[name]
      if (!field || (!isToOne(field) && !isToMany(field))) draft[name] = before
      else {
        const ids = await wireIdsOf(context.trx, linkOf(resource, name).target, [before].flat().map(Number))
        draft[name] = isToOne(field) ? (before === null ? null : (ids[0] ?? null)) : { set: ids }
      }
    }
    const id = text?.id ?? record.texts[0]?.id
    if (id !== undefined) await updateEntry(context, resource, id, draft)
  }
}

/** Marks translations of a course as outdated or current, as they were at the publication. */
async function resetOutdatedMarks({ trx }: TransactionContext, course: number): Promise<void> {
  for (const partName of partNames) {
    const copies = sql.table(publishedTable(partName))
    const courseCondition = partName === 'courses' ? sql`p.id = ${course}` : sql`p.course_id = ${course}`
    await trx.query(sql`
      update ${sql.table(partName)} d set source_changes = p.source_changes, source_locale = p.source_locale
        from ${copies} p where p.id = d.id and ${courseCondition}`)
    await trx.query(sql`
      update ${sql.table(`${partName}_texts`)} t set seen_changes = c.seen_changes
        from ${sql.table(publishedTable(`${partName}_texts`))} c join ${copies} p on p.id = c.document_id
       where c.id = t.id and ${courseCondition}`)
  }
}

/**
 * Discards the draft of a course: every record and text that is published gets its published values, later
 * additions are deleted, and deleted records return from the trash. Texts in languages that were never
 * published stay.
 *
 * @param context - The author and the transaction, which holds a lock on the course.
 * @param course - The key of the course.
 * @throws 409 `course.discard` when a deleted lesson is no longer in the trash; 422 `course.unpublished` for
 *   a course that was never published.
 */
export async function discardDraft(context: TransactionContext, course: number): Promise<void> {
  const publishedRecords = await readContent(context.trx, course, 'published')
  const languages = new Set(publishedRecords.find(({ part }) => part === 'courses')?.texts.map(({ locale }) => locale))
  if (languages.size === 0) throw fault('course.unpublished')
  await restoreRemovedRecords(context, course)
  await removeAddedRecords(context, await readChanges(context.trx, course), languages)
  await resetChangedRecords(context, await readChanges(context.trx, course))
  await resetOutdatedMarks(context, course)
  // Publishing again gives the published copies the versions of the draft, whose values they now equal.
  await publishCourse(context.trx, course, [...languages])
}

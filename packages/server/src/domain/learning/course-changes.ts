/** Compares the draft of a course with what is published (e-learning §5). */
import { isDeepStrictEqual } from 'node:util'
import type { Locale } from '@dala/model'
import { type ContentRecord, type ContentText, readContent } from './course-content.ts'
import type { Queries } from '../../db/database.ts'
import { recordKey } from './moves.ts'

interface FieldChange {
  name: string
  before: unknown
  after: unknown
}

/**
 * A difference between draft and publication. `locale` is null for values that all languages share. A record
 * or a text that exists on one side only has no fields.
 */
export interface CourseChange {
  kind: 'added' | 'removed' | 'changed'
  record: ContentRecord
  locale: Locale | null
  text: ContentText | undefined
  fields: readonly FieldChange[]
}

type Values = Readonly<Record<string, unknown>>

/** Fields of courses that are not compared, because the server sets them when it publishes. */
const ignoredFields: ReadonlySet<string> = new Set(['state@courses', 'published_at@courses'])

function fieldChanges(valuesBefore: Values, valuesAfter: Values, partName: string): FieldChange[] {
  return Object.keys(valuesAfter)
    .filter(
      (name) => !ignoredFields.has(`${name}@${partName}`) && !isDeepStrictEqual(valuesBefore[name], valuesAfter[name]),
    )
    .map((name) => ({ name, before: valuesBefore[name] ?? null, after: valuesAfter[name] ?? null }))
}

function changesOfRecord(publishedRecord: ContentRecord, draft: ContentRecord): CourseChange[] {
  const copies = new Map(publishedRecord.texts.map((text) => [text.id, text]))
  const drafts = new Set(draft.texts.map(({ id }) => id))
  const sharedChanges = fieldChanges(publishedRecord.shared, draft.shared, draft.part)
  const change = { record: draft, fields: [] }
  return [
    ...(sharedChanges.length > 0
      ? [{ ...change, kind: 'changed' as const, locale: null, text: undefined, fields: sharedChanges }]
      : []),
    ...draft.texts.flatMap((text): CourseChange[] => {
      const copy = copies.get(text.id)
      if (!copy) return [{ ...change, kind: 'added', locale: text.locale, text }]
      const fields = fieldChanges(copy.values, text.values, draft.part)
      return fields.length > 0 ? [{ ...change, kind: 'changed', locale: text.locale, text, fields }] : []
    }),
    ...publishedRecord.texts
      .filter(({ id }) => !drafts.has(id))
      .map((text): CourseChange => ({ ...change, kind: 'removed', locale: text.locale, text })),
  ]
}

/**
 * Compares two versions of the records of a course.
 *
 * @param publishedContent - The published records; none before the first publication.
 * @param drafts - The drafts.
 * @returns The changes from the publication to the draft: present records in their order, then removed ones.
 */
export function changesBetween(
  publishedContent: readonly ContentRecord[],
  drafts: readonly ContentRecord[],
): CourseChange[] {
  const copies = new Map(publishedContent.map((record) => [recordKey(record), record]))
  const draftKeys = new Set(drafts.map(recordKey))
  const wholeChange = (kind: 'added' | 'removed', record: ContentRecord): CourseChange => {
    return { kind, record, locale: null, text: undefined, fields: [] }
  }
  return [
    ...drafts.flatMap((draft) => {
      const copy = copies.get(recordKey(draft))
      return copy ? changesOfRecord(copy, draft) : [wholeChange('added', draft)]
    }),
    ...publishedContent
      .filter((record) => !draftKeys.has(recordKey(record)))
      .map((record) => wholeChange('removed', record)),
  ]
}

/** Reads the changes of a course's draft since its last publication. */
export async function readChanges(runner: Pick<Queries, 'query'>, course: number): Promise<CourseChange[]> {
  const publishedRecords = await readContent(runner, course, 'published')
  return changesBetween(publishedRecords, await readContent(runner, course, 'draft'))
}

/** Reads all records of a course at once, as drafts or as they are published (e-learning §4). */
import { type Field, isToMany, isToOne, type Locale, type Resource } from '@dala/model'
import type { Queries } from '../../db/database.ts'
import { publishedTable } from '../../db/published-tables.ts'
import { columnFields, linkStorage } from '../../db/schema.ts'
import { sql, type Template } from '../../db/sql.ts'
import { resourceNamed, resources } from '../../resources/attributes.ts'

type Sql = Template<unknown>

/** Names of the resources of a course, a parent before its parts. */
export const partNames = ['courses', 'lessongroups', 'lessons'] as const
export type PartName = (typeof partNames)[number]

/** SQL condition that a row of a resource, e.g. a lesson, belongs to a course. */
export const belongsToCourseSql = (name: PartName, course: Sql): Sql =>
  name === 'courses' ? sql`id = ${course}` : sql`course_id = ${course}`

/** A text of a course's record, with its wire id and its values by field. */
export interface ContentText {
  id: number
  locale: Locale
  version: number
  /** Whether the text is a translation whose source text has changed since. */
  isOutdated: boolean
  values: Readonly<Record<string, unknown>>
}

/** Returns the title of a record's text; empty without a text. */
export const titleOf = (text: ContentText | undefined): string => {
  const title = text?.values.title
  return typeof title === 'string' ? title : ''
}

/** A record of a course: values that its languages share, links as documents, and its texts. */
export interface ContentRecord {
  part: PartName
  document: number
  sourceLocale: Locale
  shared: Readonly<Record<string, unknown>>
  texts: readonly ContentText[]
}

/**
 * Fields of a resource that are stored with its document: values and links that the resource itself holds.
 */
export function sharedFieldsOf(resource: Resource): [name: string, field: Field][] {
  return Object.entries<Field>(resource.fields).filter(([name, field]) => {
    if (isToOne(field)) return true
    if (!isToMany(field)) return columnFields(resource, false).some(([column]) => column === name)
    return linkStorage(resource, name, field, { ...resources }).in === 'table'
  })
}

function recordsSql(name: PartName, course: number, tableOf: (table: string) => string): Sql {
  const resource = resourceNamed(name)
  const sharedValues = sharedFieldsOf(resource).map(([field, declaredField]) => {
    const key = sql.lit(field)
    if (isToOne(declaredField)) return sql`${key}, d.${sql.id(`${field}_id`)}`
    if (!isToMany(declaredField)) return sql`${key}, d.${sql.id(field)}`
    const links = sql.table(tableOf(`${name}_${field}`))
    return sql`${key}, (select coalesce(json_agg(l.target_id order by l.position, l.target_id), '[]') from ${links} l where l.holder_id = d.id)`
  })
  const localizedColumns = columnFields(resource, true).map(([field]) => sql`${sql.lit(field)}, t.${sql.id(field)}`)
  return sql`select ${sql.lit(name)} as part, d.id as document, d.source_locale as "sourceLocale", json_build_object(${sql.join(sharedValues)}) as shared,
      (select coalesce(json_agg(json_build_object('id', t.id, 'locale', t.locale, 'version', t.version, 'isOutdated', t.locale <> d.source_locale and t.seen_changes < d.source_changes, 'values', json_build_object(${sql.join(localizedColumns)})) order by t.id), '[]')
         from ${sql.table(tableOf(`${name}_texts`))} t where t.document_id = d.id) as texts
    from ${sql.table(tableOf(name))} d where ${belongsToCourseSql(name, sql`${course}`)}`
}

/**
 * Reads the records of a course in one statement, in a fixed order.
 *
 * @param runner - The database or a transaction.
 * @param course - The key of the course.
 * @param version - The drafts, or the published copies.
 */
export async function readContent(
  runner: Pick<Queries, 'query'>,
  course: number,
  version: 'draft' | 'published',
): Promise<ContentRecord[]> {
  const tableOf = version === 'draft' ? (table: string) => table : publishedTable
  const parts = partNames.map((name) => sql`(${recordsSql(name, course, tableOf)})`)
  const records = await runner.query(sql<ContentRecord>`${sql.join(parts, sql` union all `)}`)
  return records.toSorted(
    (oneRecord, otherRecord) =>
      partNames.indexOf(oneRecord.part) - partNames.indexOf(otherRecord.part) ||
      Number(oneRecord.shared.position ?? 0) - Number(otherRecord.shared.position ?? 0) ||
      oneRecord.document - otherRecord.document,
  )
}

/** Publishes courses: replaces the copies that readers see by the present drafts (e-learning §4). */
import { type Locale, locales, resources as registry } from '@dala/model'
import type { Transaction } from '../../db/database.ts'
import { publishedTable } from '../../db/published-tables.ts'
import { publishedResourceTables } from '../../db/schema.ts'
import type { Table } from '../../db/schema-parts.ts'
import { sql, type Template } from '../../db/sql.ts'
import { mentionTable } from '../../resources/mentions.ts'
import { publishedMentions } from '../../resources/read/published.ts'
import { settleProgress } from './progress.ts'
import { belongsToCourseSql, type PartName, partNames } from './course-content.ts'

type Sql = Template<unknown>

const tables: ReadonlyMap<string, Table> = new Map(
  publishedResourceTables(registry).map((table) => [table.name, table]),
)

/** Returns the tables of links that records of a course's part hold. */
const linkTablesOf = (name: PartName): Table[] =>
  [...tables.values()].filter(({ columns }) =>
    columns.some((column) => column.name === 'holder_id' && column.references?.table === name),
  )

const writtenColumns = ({ columns }: Table) =>
  columns.filter(({ generatedFrom }) => !generatedFrom).map((column) => column.name)

/** SQL that copies the rows of a table, in place of copies with the same key. */
function copySql(table: string, conditionSql: Sql): Sql {
  const foundTable = tables.get(table)
  if (!foundTable) throw new Error(`There are no published copies of ${table}`)
  const columns = writtenColumns(foundTable)
  const list = sql.join(columns.map(sql.id))
  const otherColumns = columns.filter((column) => !foundTable.primaryKey.includes(column))
  const updateSql = sql.join(otherColumns.map((column) => sql`${sql.id(column)} = excluded.${sql.id(column)}`))
  return sql`insert into ${sql.table(publishedTable(table))} (${list}) select ${list} from ${sql.table(table)} where ${conditionSql}
    on conflict (${sql.join(foundTable.primaryKey.map(sql.id))}) do update set ${updateSql}`
}

/**
 * Publishes a course: learners see its present groups, lessons and texts from the commit on. Texts of other
 * languages stay as they were published before.
 *
 * @param trx - The transaction; it holds a lock on the course.
 * @param course - The key of the course.
 * @param languages - The languages to publish; all by default.
 */
export async function publishCourse(
  trx: Transaction,
  course: number,
  languages: readonly Locale[] = locales,
): Promise<void> {
  const chosenSql = sql`locale = any(${[...languages]}::text[])`
  for (const name of partNames) {
    const [copy, ofThis] = [sql.table(publishedTable(name)), belongsToCourseSql(name, sql`${course}`)]
    const drafts = sql`(select id from ${sql.table(name)} where ${ofThis})`
    await trx.query(sql`delete from ${copy} where ${ofThis} and id not in ${drafts}`)
    await trx.query(copySql(name, ofThis))
    await trx.query(
      sql`delete from ${sql.table(publishedTable(`${name}_texts`))} where document_id in ${drafts} and ${chosenSql}`,
    )
    await trx.query(copySql(`${name}_texts`, sql`document_id in ${drafts} and ${chosenSql}`))
    if (name === 'lessongroups') {
      // A group without a text in the published languages gets its title in its source language.
      const namedSql = sql`select document_id from published_lessongroups_texts where document_id in ${drafts}`
      const sourceSql = sql`exists (select 1 from lessongroups d where d.id = document_id and d.source_locale = locale)`
      await trx.query(
        copySql(
          'lessongroups_texts',
          sql`document_id in ${drafts} and document_id not in (${namedSql}) and ${sourceSql}`,
        ),
      )
    }
    for (const links of linkTablesOf(name)) {
      await trx.query(sql`delete from ${sql.table(publishedTable(links.name))} where holder_id in ${drafts}`)
      await trx.query(copySql(links.name, sql`holder_id in ${drafts}`))
    }
  }
  await publishMentions(trx, course, chosenSql)
  await settleProgress(trx, course)
  for (const name of partNames) trx.changed(name)
}

/**
 * Publishes all languages of all courses whose state is published, e.g. after the demo content has changed.
 */
export async function publishAllCourses(trx: Transaction): Promise<void> {
  const courses = await trx.query(
    sql<{ id: number }>`select id from courses where state = 'published' order by id for update`,
  )
  for (const { id } of courses) await publishCourse(trx, id)
}

/**
 * Publishes the mentions of files in a course's texts, which make these files readable and count them as
 * used.
 */
async function publishMentions(trx: Transaction, course: number, localeCondition: Sql): Promise<void> {
  const mentions = sql.table(publishedMentions)
  await trx.query(sql`delete from ${mentions} where course_id = ${course} and (locale is null or ${localeCondition}
    or (resource = 'lessons' and document_id not in (select id from published_lessons where course_id = ${course}))
    or (resource = 'lessongroups' and document_id not in (select id from published_lessongroups where course_id = ${course})))`)
  for (const name of partNames)
    await trx.query(sql`
      insert into ${mentions} (course_id, file_id, resource, document_id, entry_id, field, locale)
      select ${course}::int, m.file_id, m.resource, m.document_id, m.entry_id, m.field, t.locale
        from ${sql.table(mentionTable)} m
        left join ${sql.table(`${name}_texts`)} t on t.id = m.entry_id and t.document_id = m.document_id
          and m.field = any(${localizedFields(name)}::text[])
       where m.resource = ${name} and m.document_id in (select id from ${sql.table(name)} where ${belongsToCourseSql(name, sql`${course}`)})
         and (t.id is null or t.${localeCondition})
      on conflict (file_id, resource, entry_id, field) do update set course_id = excluded.course_id`)
}

const localizedFields = (name: PartName): string[] =>
  Object.entries(registry[name].fields).flatMap(([field, { localized }]) => (localized ? [field] : []))

/**
 * Gives the copies of a course its state: learners read them only while the course is published. The copies
 * of a withdrawn course stay for a comparison with its draft.
 */
export async function setCopiesState(trx: Transaction, course: number, state: string): Promise<void> {
  await trx.query(sql`update published_courses set state = ${state} where id = ${course}`)
  for (const name of partNames) trx.changed(name)
}

/**
 * SQL of whether the draft of a course differs from its published copies: a text was written, added or
 * deleted since then. Every change of a record is also a new version of its texts.
 */
export function isChangedSql(course: Sql): Sql {
  // The names of the tables are long, so that none of them is the one of the course in the query around.
  /** Reads the versions of a course's texts, those of the drafts or of the published copies. */
  const versions = (tableOf: (table: string) => string) => {
    const partSql = (name: PartName) =>
      name === 'courses'
        ? sql`select id, version from ${sql.table(tableOf('courses_texts'))} where document_id = ${course}`
        : sql`select part_text.id, part_text.version from ${sql.table(tableOf(`${name}_texts`))} part_text
            join ${sql.table(tableOf(name))} course_part on course_part.id = part_text.document_id where course_part.course_id = ${course}`
    return sql.join(
      partNames.map((name) => sql`select ${sql.lit(name)} as part, v.* from (${partSql(name)}) v`),
      sql` union all `,
    )
  }
  return sql`exists (select 1 from (${versions((table) => table)}) draft full join (${versions(publishedTable)}) copy
      on copy.part = draft.part and copy.id = draft.id where draft.version is distinct from copy.version)`
}

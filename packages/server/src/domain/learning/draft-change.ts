/** Compares the drafts of lessons with their published copies within a statement (e-learning §6). */
import { isToMany, isToOne } from '@dala/model'
import { publishedTable } from '../../db/published-tables.ts'
import { columnFields } from '../../db/schema.ts'
import { sql, type Template } from '../../db/sql.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { sharedFieldsOf } from './course-content.ts'

type Sql = Template<unknown>

const lessons = resourceNamed('lessons')
const publishedTableSql = (table: string): Sql => sql.table(publishedTable(table))
const isDistinctSql = (oneSql: Sql, otherSql: Sql): Sql => sql`${oneSql} is distinct from ${otherSql}`

/**
 * Compared fields that a lesson's languages share; without positions, which moving another lesson changes.
 */
const comparedFields = sharedFieldsOf(lessons).filter(([name]) => name !== 'position')
const columns = comparedFields.flatMap(([name, field]) =>
  isToMany(field) ? [] : [isToOne(field) ? `${name}_id` : name],
)
const linkTables = comparedFields.flatMap(([name, field]) => (isToMany(field) ? [`lessons_${name}`] : []))
const textColumns = columnFields(lessons, true).map(([name]) => name)

const valuesOf = (alias: string, names: readonly string[]) =>
  sql`row(${sql.join(names.map((name) => sql.ref(`${alias}.${name}`)))})`

/**
 * SQL of the difference between the draft of a lesson and its publication.
 *
 * @param lesson - The alias of the lesson's document table.
 * @param course - The key of the course.
 * @returns An expression: `new`, `changed`, or null for an equal lesson and in a course without a
 *   publication.
 */
export function draftChangeSql(lesson: string, course: number): Sql {
  const key = sql.ref(`${lesson}.id`)
  const linksIn = (table: Sql) =>
    sql`(select array_agg(k.target_id order by k.position, k.target_id) from ${table} k where k.holder_id = ${key})`
  const differences = [
    isDistinctSql(valuesOf(lesson, columns), valuesOf('copy', columns)),
    ...linkTables.map((table) => isDistinctSql(linksIn(sql.table(table)), linksIn(publishedTableSql(table)))),
    sql`exists (select 1 from lessons_texts own left join ${publishedTableSql('lessons_texts')} other on other.id = own.id
        and other.document_id = ${key} where own.document_id = ${key}
        and (other.id is null or ${isDistinctSql(valuesOf('own', textColumns), valuesOf('other', textColumns))}))`,
    sql`exists (select 1 from ${publishedTableSql('lessons_texts')} other where other.document_id = ${key}
        and other.id not in (select own.id from lessons_texts own where own.document_id = ${key}))`,
  ]
  return sql`(select case when copy.id is null then 'new' when ${sql.join(differences, sql` or `)} then 'changed' end
      from ${publishedTableSql('courses')} published left join ${publishedTableSql('lessons')} copy on copy.id = ${key}
     where published.id = ${course})`
}

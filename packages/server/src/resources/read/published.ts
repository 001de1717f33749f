/**
 * Reads of callers who see published copies instead of drafts: in their statements the names of the tables
 * stand for the copies, so the rule holds on every route (e-learning §4).
 */
import { type CallerRole, readsCopies, resources as registry } from '@dala/model'
import { publishedTable } from '../../db/published-tables.ts'
import { publishedResourceTables } from '../../db/schema.ts'
import type { Column } from '../../db/schema-parts.ts'
import { withChangedBeginning, sql, type Template } from '../../db/sql.ts'
import { resources } from '../attributes.ts'
import { mentionTable } from '../mentions.ts'

const copiedTables = Object.values(resources).filter(({ publishedCopies }) => publishedCopies)
const publishedResources = publishedResourceTables(registry)

/** State in which records are published, and the test for a column with such states. */
const publishedState = 'published'
const isOfPublication = ({ name, checkSql }: Column) =>
  name === 'state' && checkSql?.includes(`'${publishedState}'`) === true

/** Name of the table with the file mentions of published copies. */
export const publishedMentions = publishedTable(mentionTable)

/** Tells whether the statements of a caller read published copies. */
export const isReader = (caller: CallerRole): boolean => copiedTables.some((resource) => readsCopies(resource, caller))

/** SQL of a table itself, also where a query of the same name hides it. */
const livingTable = (name: string) => sql.table(`public.${name}`)

/** SQL of a query whose name hides the table of the same name from the statement. */
const hidingSource = (table: string, query: Template<unknown>) =>
  sql`${sql.table(table)} as not materialized (${query})`

const copiesSql = sql.join([
  ...publishedResources.map(({ name }) => hidingSource(name, sql`select * from ${sql.table(publishedTable(name))}`)),
  hidingSource(
    mentionTable,
    sql`select file_id, resource, document_id, entry_id, field from ${sql.table(publishedMentions)}
      union all select file_id, resource, document_id, entry_id, field from ${livingTable(mentionTable)}
       where resource not in (${sql.join(copiedTables.map(({ name }) => sql.lit(name)))})`,
  ),
]).text

/** SQL of drafts in the state that a publication gives them. */
const previewSql = sql.join(
  publishedResources
    .filter((table) => table.columns.some(isOfPublication))
    .map(({ name, columns }) => {
      const values = columns.map((column) =>
        isOfPublication(column)
          ? sql`${sql.lit(publishedState)}::varchar as ${sql.id(column.name)}`
          : sql.id(column.name),
      )
      return hidingSource(name, sql`select ${sql.join(values)} from ${livingTable(name)}`)
    }),
).text

const names = new RegExp(`\\b(?:${publishedResources.map(({ name }) => name).join('|')})\\b`)

/**
 * Makes a statement read published copies, or drafts as they would be published.
 *
 * @param statement - A statement that only reads.
 * @param readMode - What it reads; the drafts as they are when absent.
 * @returns The same columns; the same statement when it reads none of the tables.
 */
export function readPublishedVersion<T>(
  statement: Template<T>,
  readMode: 'copies' | 'preview' | undefined,
): Template<T> {
  if (readMode === undefined || !names.test(statement.sql)) return statement
  const hiddenSql = readMode === 'copies' ? copiesSql : previewSql
  return withChangedBeginning(statement, (text) => {
    const [withPrefix, recursiveKeyword = ''] = /^\s*with\s+(recursive\s+)?/i.exec(text) ?? []
    return withPrefix === undefined
      ? `with ${hiddenSql} ${text}`
      : `with ${recursiveKeyword}${hiddenSql}, ${text.slice(withPrefix.length)}`
  })
}

/** Makes a statement read the records as a caller sees them: drafts, or published copies. */
export const readAsSeenBy = <T>(caller: CallerRole, statement: Template<T>): Template<T> =>
  readPublishedVersion(statement, isReader(caller) ? 'copies' : undefined)

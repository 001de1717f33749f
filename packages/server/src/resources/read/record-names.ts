/** Names of records: the entry of a document that a reader is shown, and its name in their language. */
import { locales, type Locale, type Resource } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { attributeOf, namedViewOf, resourceNamed, type View } from '../attributes.ts'
import { conditionSql } from './compile-condition.ts'
import type { QueryContext } from './context.ts'
import { scopeOf } from './parse-filters.ts'
import { runStatement } from './scoped.ts'
import { Aliases, columnSql, type EntryAlias, languageOrder } from './sql-entry.ts'

type Sql = Template<unknown>

/**
 * A named record. The id is that of the entry in the reader's
 * language. Both are null when the reader may not see it.
 */
export interface NamedRecord {
  id: number | null
  name: string | null
}

/**
 * SQL of a text; for a text in several languages the reader's, else the first one in the order of languages.
 */
function textSql(entry: EntryAlias, name: string, locale: Locale): Sql {
  const column = columnSql(entry, name)
  if (entry.resource.fields[name]?.kind !== 'translations') return sql`${column}::text`
  const languages = [locale, ...locales].map((language) => sql`${column} ->> ${sql.lit(language)}`)
  return sql`(case jsonb_typeof(${column}) when 'string' then ${column} #>> '{}' else coalesce(${sql.join(languages)}) end)`
}

/** SQL of the name of an entry, as far as the view shows the fields that it consists of. */
export function nameSql(entry: EntryAlias, locale: Locale, view: View): Sql {
  const { resource } = entry
  const isVisibleColumn = (name: string) => attributeOf(resource, view, name)?.is === 'column'
  const title = isVisibleColumn(resource.title) ? textSql(entry, resource.title, locale) : sql`null::text`
  const titleColumns = (resource.titleFields ?? []).filter(isVisibleColumn).map((name) => textSql(entry, name, locale))
  return titleColumns.length > 0
    ? sql`coalesce(nullif(concat_ws(' ', ${sql.join(titleColumns)}), ''), ${title})`
    : title
}

/**
 * The entry of each document that is shown: the one in the
 * reader's language, else in the first of en, ru, uz, kaa.
 */
export function shownSql(resource: Resource, locale: Locale, aliases: Aliases): { entry: EntryAlias; from: Sql } {
  const entry = aliases.entry(resource, 'document')
  const documents = sql`${sql.table(documentTable(resource))} as ${sql.ref(entry.document)}`
  if (!resource.localized) return { entry, from: documents }
  const innerAlias = aliases.next('p')
  const order = languageOrder(sql.ref(`${innerAlias}.locale`), undefined, locale)
  const pickedText = sql`select * from ${sql.table(textTable(resource))} as ${sql.ref(innerAlias)} where ${sql.ref(`${innerAlias}.document_id`)} = ${sql.ref(`${entry.document}.id`)} order by ${order} limit 1`
  return { entry, from: sql`${documents} cross join lateral (${pickedText}) as ${sql.ref(entry.text)}` }
}

/** Name of a record with its resource and document. */
interface FoundName {
  resource: string
  document: number
  id: number
  name: string | null
}

/** Documents whose names are needed, by resource. */
export type WantedNames = ReadonlyMap<string, ReadonlySet<number>>

/**
 * Resolves the names of records that links point at, in one statement; none runs without documents.
 *
 * @returns The record by resource and document, with nulls both for deleted records and for those that the
 *   reader may not see (contract §4, §14).
 */
export async function findNames(
  runner: Pick<Queries, 'query' | 'parts'>,
  context: QueryContext,
  idsByResource: WantedNames,
  locale: Locale,
): Promise<(resource: string, document: number) => NamedRecord> {
  const aliases = new Aliases(runner)
  const parts = [...idsByResource].flatMap(([name, ids]) => {
    const resource = resourceNamed(name)
    const view = namedViewOf(resource, context.caller)
    if (!view || ids.size === 0) return []
    const { entry, from } = shownSql(resource, locale, aliases)
    const scope = scopeOf(context, resource, view.rows)
    const scopeCondition = scope ? sql` and ${conditionSql(scope, entry, locale, aliases)}` : sql``
    const document = sql.ref(`${entry.document}.id`)
    return [
      sql`select ${sql.lit(name)} as resource, ${document} as document, ${sql.ref(`${entry.text}.id`)} as id, ${nameSql(entry, locale, view)} as name
        from ${from} where ${document} = any(${[...ids]}::int[])${scopeCondition}`,
    ]
  })
  const rows =
    parts.length > 0 ? await runStatement(runner, context, sql<FoundName>`${sql.join(parts, sql` union all `)}`) : []
  const foundNames = new Map(
    rows.map(({ resource, document, ...namedRecord }): [string, NamedRecord] => [
      `${resource} ${document}`,
      namedRecord,
    ]),
  )
  return (resource, document) => foundNames.get(`${resource} ${document}`) ?? { id: null, name: null }
}

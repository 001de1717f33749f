/** Finds the names of the records in the rows of a report, in the language of the caller. */
import { type Locale, locales, type Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { textTable } from '../../db/schema.ts'
import { userNameSql } from '../../domain/accounts/user-name.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { languageOrder } from '../../resources/read/sql-entry.ts'
import type { Sql } from './measures.ts'

export interface NamedRow {
  /** Wire id of the record that a report names. */
  id: number
  name: string | null
}

/** Documents whose names a report needs, by resource. */
export type IdsByResource = ReadonlyMap<string, ReadonlySet<number>>

function namesSql(resource: Resource, ids: readonly number[], locale: Locale): Sql {
  const documents = sql`unnest(${ids}::int[]) as w(id)`
  const { name } = resource
  if (name === 'users')
    return sql`
      select 'users' as resource, u.id as document, u.id,
             case when u.removed_at is null then ${userNameSql} end as name
        from ${documents} join users u on u.id = w.id`
  // A room has no text of its own; its customer names it.
  if (name === 'chatrooms')
    return sql`
      select 'chatrooms' as resource, r.id as document, r.id, case when u.removed_at is null then ${userNameSql} end as name
        from ${documents} join chatrooms r on r.id = w.id join users u on u.id = r.sender_id`
  const title = sql.ref(`x.${resource.title}`)
  if (resource.localized)
    return sql`
      select ${name}::text as resource, w.id as document, n.id, n.name from ${documents} cross join lateral (
        select x.id, ${title} as name from ${sql.table(textTable(resource))} x where x.document_id = w.id
         order by ${languageOrder(sql`x.locale`, undefined, locale)} limit 1) n`
  const languages = [locale, ...locales].map((language) => sql`${title} ->> ${language}::text`)
  // A shared title is one text for all languages, or a text in each of them.
  const nameSql =
    resource.fields[resource.title]?.kind === 'longText'
      ? sql`left(${title}, 200)`
      : sql`case jsonb_typeof(${title}) when 'string' then ${title} #>> '{}' else coalesce(${sql.join(languages)}) end`
  return sql`
    select ${name}::text as resource, x.id as document, x.id,
           ${nameSql} as name
      from ${documents} join ${sql.table(name)} x on x.id = w.id`
}

/**
 * Finds the names of a report's documents in one statement.
 *
 * @returns The names by resource and document.
 */
export async function findNames(
  runner: Pick<Queries, 'query'>,
  idsByResource: IdsByResource,
  locale: Locale,
): Promise<(resource: string, document: number) => NamedRow | undefined> {
  const parts = [...idsByResource].flatMap(([name, ids]) =>
    ids.size > 0 ? [namesSql(resourceNamed(name), [...ids], locale)] : [],
  )
  if (parts.length === 0) return () => undefined
  const rows = await runner.query(
    sql<NamedRow & { resource: string; document: number }>`${sql.join(parts, sql` union all `)}`,
  )
  const namesByRecord = new Map(
    rows.map(({ resource, document, id, name }) => [`${resource} ${document}`, { id, name }]),
  )
  return (resource, document) => namesByRecord.get(`${resource} ${document}`)
}

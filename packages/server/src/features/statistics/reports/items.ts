/** SQL of content of every kind in one table, and of its translations in another (statistics §5). */
import { locales, reportedContent } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import { documentTable, textTable } from '../../../db/schema.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import type { Sql } from '../measures.ts'

/** SQL of whether readers see a document of the content: by its flag, its state, or always. */
function publishedSql(name: string): Sql {
  const { fields } = resourceNamed(name)
  if (fields.active) return sql`d.active`
  return fields.state ? sql`d.state in ('published', 'visible')` : sql`true`
}

const recordsSql = (name: string): Sql => {
  const resource = resourceNamed(name)
  return sql`
    select ${name}::text as resource, d.id, ${publishedSql(name)} as published, d.source_locale, d.source_changes,
           t.locale, t.seen_changes, t.updated_at
      from ${sql.table(documentTable(resource))} d join ${sql.table(textTable(resource))} t on t.document_id = d.id`
}

/**
 * SQL of `items`, a row for each document, and `translations`, a row for each other language that a published
 * one should have.
 */
export const contentTables: Sql = sql`
  entries as materialized (${sql.join(reportedContent.map(recordsSql), sql` union all `)}),
  items as materialized (
    select resource, id, published, source_locale, source_changes, max(updated_at) as changed_at
      from entries group by resource, id, published, source_locale, source_changes),
  translations as materialized (
    select i.resource, i.id, l.locale,
           case when t.id is null then 'missing' when t.seen_changes < i.source_changes then 'outdated' else 'current' end as state
      from items i cross join unnest(${[...locales]}::text[]) as l(locale)
      left join entries t on t.resource = i.resource and t.id = i.id and t.locale = l.locale
     where i.published and l.locale <> i.source_locale)`

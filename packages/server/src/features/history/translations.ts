/** Counts current, outdated and missing translations by resource and language. */
import { type Caller, locales, type Resource, type TranslationProgress } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { resources, viewOfResource, type View } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases, columnSql, entriesFrom } from '../../resources/read/sql-entry.ts'

type Sql = Template<unknown>

/**
 * Translation numbers of a resource: its documents where the language is null, else its records of a
 * language.
 */
interface CountedTexts {
  resource: string
  locale: string | null
  entries: number
  outdated: number
}

/**
 * SQL of the translation numbers of one resource: documents without a language, records and outdated ones for
 * each language.
 */
function countsSql(resource: Resource, view: View, context: QueryContext, aliases: Aliases): Sql {
  const { language } = context.caller
  const scope = scopeOf(context, resource, view.rows)
  const name = sql.lit(resource.wire)
  const documents = aliases.entry(resource, 'document')
  const documentScopeSql = scope ? conditionSql(scope, documents, language, aliases) : sql`true`
  const documentId = sql.ref(`${documents.document}.id`)
  // A filter on texts matches records, and a document has several records.
  const countSql = documents.usesText ? sql`count(distinct ${documentId})` : sql`count(*)`
  const entry = aliases.entry(resource)
  const entryScopeSql = scope ? conditionSql(scope, entry, language, aliases) : sql`true`
  const locale = sql.ref(`${entry.text}.locale`)
  return sql<CountedTexts>`select ${name} as resource, null::text as locale, ${countSql}::int as entries, 0 as outdated from ${documents.neededFrom} where ${documentScopeSql}
    union all select ${name}, ${locale}::text, count(*)::int, (count(*) filter (where ${columnSql(entry, 'outdated')}))::int from ${entriesFrom(entry)} where ${entryScopeSql} group by ${locale}`
}

/**
 * Counts all resources with languages that the caller may list, within the caller's rows, in one statement.
 */
export async function readTranslations(database: Database, caller: Caller): Promise<TranslationProgress[]> {
  const context = new QueryContext(caller)
  const seenResources = Object.values(resources).flatMap((resource): [Resource, View][] => {
    const view = resource.localized ? viewOfResource(resource, caller, 'list') : undefined
    return view ? [[resource, view]] : []
  })
  if (seenResources.length === 0) return []
  const aliases = new Aliases(database)
  const parts = seenResources.map(([resource, view]) => countsSql(resource, view, context, aliases))
  const rows = await runStatement(database, context, sql<CountedTexts>`${sql.join(parts, sql` union all `)}`)
  const counts = new Map(
    rows.map(({ resource, locale, entries, outdated }) => [`${resource} ${locale ?? ''}`, { entries, outdated }]),
  )
  return seenResources.flatMap(([{ wire }]) => {
    const total = counts.get(`${wire} `)?.entries ?? 0
    return locales.map((locale): TranslationProgress => {
      const { entries, outdated } = counts.get(`${wire} ${locale}`) ?? { entries: 0, outdated: 0 }
      return { resource: wire, locale, total, current: entries - outdated, outdated, missing: total - entries }
    })
  })
}

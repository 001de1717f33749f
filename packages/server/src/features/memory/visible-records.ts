/** Records that a caller may read, by name: the memory shows texts of others to nobody. */
import type { Caller, Locale, Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { attributeOf, resourceNamed, viewOfResource } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { nameSql, shownSql } from '../../resources/read/record-names.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases } from '../../resources/read/sql-entry.ts'

/** A field of a record, as the memory stores it. */
export interface TextPlace {
  resource: string
  document_id: number
  field: string
}

/** A record that the caller may read. */
export interface VisibleRecord {
  resource: Resource
  id: number
  name: string | null
}

interface FoundRecord {
  resource: string
  document: number
  id: number
  name: string | null
}

/** Tells whether a caller may read a field of a resource. */
export function mayReadField(resource: Resource, field: string, caller: Caller): boolean {
  const view = viewOfResource(resource, caller, 'get')
  return view !== undefined && attributeOf(resource, view, field)?.is === 'column'
}

/**
 * Finds those of the given records that a caller may read, with their names, in one statement.
 *
 * @param runner - The database or a transaction.
 * @param caller - The caller.
 * @param places - Fields of records.
 * @param locale - The language of the names.
 * @returns The record of a place; undefined where the caller may not read the record or its field.
 */
export async function visibleRecords(
  runner: Pick<Queries, 'query' | 'parts'>,
  caller: Caller,
  places: readonly TextPlace[],
  locale: Locale,
): Promise<(place: TextPlace) => VisibleRecord | undefined> {
  const context = new QueryContext(caller)
  const aliases = new Aliases(runner)
  const names = [...new Set(places.map(({ resource }) => resource))]
  const statements = names.flatMap((name) => {
    const resource = resourceNamed(name)
    const view = viewOfResource(resource, caller, 'get')
    if (!view) return []
    const documents = [...new Set(places.filter((place) => place.resource === name).map((place) => place.document_id))]
    const { entry, from } = shownSql(resource, locale, aliases)
    const scope = scopeOf(context, resource, view.rows)
    const scopeCondition = scope ? sql` and ${conditionSql(scope, entry, locale, aliases)}` : sql``
    const document = sql.ref(`${entry.document}.id`)
    return [
      sql`select ${sql.lit(name)} as resource, ${document} as document, ${sql.ref(`${entry.text}.id`)} as id, ${nameSql(entry, locale, view)} as name
        from ${from} where ${document} = any(${documents}::int[])${scopeCondition}`,
    ]
  })
  const found =
    statements.length > 0
      ? await runStatement(runner, context, sql<FoundRecord>`${sql.join(statements, sql` union all `)}`)
      : []
  const records = new Map(found.map((row) => [`${row.resource} ${row.document}`, row]))
  return ({ resource: name, document_id: document, field }) => {
    const row = records.get(`${name} ${document}`)
    const resource = resourceNamed(name)
    return row && mayReadField(resource, field, caller) ? { resource, id: row.id, name: row.name } : undefined
  }
}

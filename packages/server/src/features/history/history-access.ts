/** Decides who may read the history and the uses of a record. */
import { type Caller, fault, type Locale, rankOfRole, type Resource } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { sql, type Template } from '../../db/sql.ts'
import { viewOfResource, type View } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { type EnteredCall, enterFeature, type FeatureRoutes } from '../../resources/feature-routes.ts'
import type { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { type Aliases, entriesFrom } from '../../resources/read/sql-entry.ts'

/**
 * Returns the caller's view for the history or the uses of a record.
 *
 * Staff may ask about records that they read, others only about records that they may change: a reader of a
 * published text must not find its drafts, nor count records hidden from them.
 *
 * @throws 401 and 403.
 */
export async function enterRecord(
  routes: FeatureRoutes,
  resource: Resource,
  request: FastifyRequest,
  operation: 'update' | 'remove' = 'update',
): Promise<EnteredCall> {
  const enteredCall = await enterFeature(routes, resource, 'get', request)
  return { ...enteredCall, view: writableView(resource, enteredCall.caller, enteredCall.view, operation) }
}

/**
 * Narrows a view to the rows that the caller may also change, or delete.
 *
 * @throws 403 where there are none.
 */
export function writableView(
  resource: Resource,
  caller: Caller,
  view: View,
  operation: 'update' | 'remove' = 'update',
): View {
  if (rankOfRole(caller.role) >= rankOfRole('admin')) return view
  const change = viewOfResource(resource, caller, operation)
  if (!change) throw fault('access.denied')
  const rows = [view.rows, change.rows].filter((filter) => filter !== undefined)
  return { ...view, ...(rows.length > 0 && { rows: { $and: rows } }) }
}

/** SQL of the row of a wire id within a view: its `document` and its `locale`, null without languages. */
export function recordSql(
  { resource, id, view }: { resource: Resource; id: number; view: View },
  context: QueryContext,
  aliases: Aliases,
  language: Locale,
): Template<unknown> {
  const entry = aliases.entry(resource)
  const scope = scopeOf(context, resource, view.rows)
  const scopeSql = scope ? sql` and ${conditionSql(scope, entry, language, aliases)}` : sql``
  const locale = resource.localized ? sql`${sql.ref(`${entry.text}.locale`)}::text` : sql`null::text`
  return sql`select ${sql.ref(`${entry.document}.id`)} as document, ${locale} as locale from ${entriesFrom(entry)} where ${sql.ref(`${entry.text}.id`)} = ${id}::int${scopeSql}`
}

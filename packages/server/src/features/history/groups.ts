/** Counts the rows of a list by the values of a field. */
import { type Caller, type Field, type Resource, type ValueGroup, narrowingKeys } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { attributeOf, linkOf, relatedViewOf, type View } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { countsByValueSql } from '../../resources/read/compile-read.ts'
import { badParameter, tooLargeFault } from '../../resources/read/context.ts'
import { firstRows, parseList, type QueryTree } from '../../resources/read/parse-query.ts'
import type { ReadShape } from '../../resources/read/query.ts'
import { nameSql, shownSql } from '../../resources/read/record-names.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases, columnSql, type EntryAlias } from '../../resources/read/sql-entry.ts'

/** Maximum number of groups: more are of no use, and a response is bounded (checklist §3). */
const maxGroups = 1_000

/**
 * Finds the field that the query key `by` names: a choice, a boolean or a link to one record, visible to the
 * caller.
 *
 * @throws 400 for any other.
 */
function fieldOf(resource: Resource, caller: Caller, view: View, name: string): [name: string, field: Field] {
  const attribute = attributeOf(resource, view, name)
  const field = attribute && resource.fields[name]
  if (field?.kind === 'choice' || field?.kind === 'bool') return [name, field]
  if (field?.kind === 'relation' && relatedViewOf(linkOf(resource, name).target, caller, resource)) return [name, field]
  throw badParameter(name === '' ? 'by' : name)
}

/** SQL of the groups of a list, each with its value, label and count. */
function groupsSql(
  resource: Resource,
  shape: ReadShape,
  [name, field]: [string, Field],
  targetView: View | undefined,
  aliases: Aliases,
) {
  const link = field.kind === 'relation' ? linkOf(resource, name) : undefined
  const valueOf = (entry: EntryAlias) =>
    link?.place.in === 'column' ? sql.ref(`${entry.document}.${link.place.column}`) : columnSql(entry, name)
  const countsSql = countsByValueSql(shape, aliases, valueOf, !field.localized)
  if (!link || !targetView) return sql<ValueGroup>`select value, null::text as label, count from (${countsSql}) as g`
  const { entry: shownEntrySql, from } = shownSql(link.target, shape.locale, aliases)
  const [, relatedSelection] = shape.selection.populate[0] ?? []
  const scopeSql = relatedSelection?.scope
    ? sql` and ${conditionSql(relatedSelection.scope, shownEntrySql, shape.locale, aliases)}`
    : sql``
  // A link of grouped rows to a record that the caller may not see counts as empty, as the list shows it.
  return sql<ValueGroup>`select s.id as value, s.name as label, sum(g.count)::int as count from (${countsSql}) as g
    left join lateral (select ${sql.ref(`${shownEntrySql.text}.id`)} as id, ${nameSql(shownEntrySql, shape.locale, targetView)} as name
      from ${from} where ${sql.ref(`${shownEntrySql.document}.id`)} = g.value${scopeSql}) as s on true
    group by s.id, s.name order by fold_search(s.name) collate "C" nulls last, s.id limit ${sql.lit(maxGroups + 1)}`
}

interface GroupsQuery {
  resource: Resource
  caller: Caller
  view: View
  /** Query of the list whose rows are counted by groups. */
  query: QueryTree
  /** Name of the field that the rows of the list are grouped by. */
  by: string | undefined
}

/**
 * Counts the rows of a list by a field, in one statement: with the filters, search, languages and rows of
 * that list, so that the sum of the groups is its total.
 *
 * @returns Groups in the order of the choice, yes before no, or by the records' names; rows without a value
 *   last.
 * @throws 400 for a field that cannot be grouped by, wrong conditions, and too many groups.
 */
export async function readGroups(
  database: Database,
  { resource, caller, view, query, by = '' }: GroupsQuery,
): Promise<{ data: ValueGroup[]; meta: { total: number } }> {
  const groupField = fieldOf(resource, caller, view, by)
  const [name, field] = groupField
  const narrowedFilters = Object.fromEntries(narrowingKeys.map((key) => [key, query[key]]))
  const listQuery =
    field.kind === 'relation' ? { ...narrowedFilters, populate: { [name]: { fields: ['id'] } } } : narrowedFilters
  const { shape, values } = parseList(listQuery, resource, caller, view, firstRows(1))
  const targetView =
    field.kind === 'relation' ? relatedViewOf(linkOf(resource, name).target, caller, resource) : undefined
  const data = await runStatement(
    database,
    { caller, values },
    groupsSql(resource, shape, groupField, targetView, new Aliases(database)),
  )
  if (data.length > maxGroups) throw tooLargeFault('groups')
  if (field.kind === 'choice') order(data, [...field.values, null])
  if (field.kind === 'bool') order(data, [true, false, null])
  return { data, meta: { total: data.reduce((sum, { count }) => sum + count, 0) } }
}

function order(groups: ValueGroup[], values: readonly ValueGroup['value'][]): void {
  groups.sort((oneGroup, otherGroup) => values.indexOf(oneGroup.value) - values.indexOf(otherGroup.value))
}

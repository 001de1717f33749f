/** Finds records that link to a record, and the effect of deleting it on them (contract §4). */
import { type Caller, fault, type Locale, type Resource, type Use } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { inboundLinks, type InboundLink } from '../../db/schema.ts'
import { attributeOf, resources, viewOfResource, type View } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { holdersSql, lastOfListSql, isHolderRequired, ruleOf, type UseRule } from '../../resources/write/inbound.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { nameSql, shownSql } from '../../resources/read/record-names.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases } from '../../resources/read/sql-entry.ts'
import { recordSql } from './history-access.ts'

type Sql = Template<unknown>

const shownRecords = 5
const ruleOrder: readonly UseRule[] = ['restrict', 'cascade', 'detach']

/** Part of a record's uses: a link, and some of the records that hold it. */
interface Part {
  link: InboundLink
  rule: UseRule
  holders: Sql
}

/**
 * Divides the holders of a list: those whose list would become empty refuse the delete, the other holders
 * drop the link.
 */
function partsOf(link: InboundLink): Part[] {
  const holders = holdersSql(link, sql`(select document from asked)`)
  const { storage } = link
  if (!isHolderRequired(link) || storage.in !== 'table') return [{ link, rule: ruleOf(link), holders }]
  const listEndSql = lastOfListSql(storage, holders)
  return [
    { link, rule: 'restrict', holders: listEndSql },
    { link, rule: 'detach', holders: sql`select id from (${holders}) as every where id not in (${listEndSql})` },
  ]
}

/**
 * Records that link to another by one field: their number, and some by name; null when the caller may not see
 * the field.
 */
interface CountedUses {
  count: number
  records: Use['records'] | null
}

/**
 * Reads the records that link to the document of a record, in one statement.
 *
 * Counts include everything a delete affects; records are named only if the caller may read them. Links that
 * refuse a delete come first, then the parts that would be deleted too.
 *
 * @throws 404 outside the caller's rows.
 */
export async function readUses(
  database: Database,
  {
    resource,
    id,
    caller,
    view,
    locale,
  }: { resource: Resource; id: number; caller: Caller; view: View; locale: Locale },
): Promise<Use[]> {
  const context = new QueryContext(caller)
  const aliases = new Aliases(database)
  const parts = inboundLinks(resource, resources)
    .flatMap(partsOf)
    .toSorted((oneUse, otherUse) => ruleOrder.indexOf(oneUse.rule) - ruleOrder.indexOf(otherUse.rule))

  const recordsSql = ({ link, holders }: Part): Sql => {
    const holderView = viewOfResource(link.resource, caller, 'get')
    if (!holderView || !attributeOf(link.resource, holderView, link.field)) return sql`null::json`
    const { entry, from } = shownSql(link.resource, locale, aliases)
    const scope = scopeOf(context, link.resource, holderView.rows)
    const scopeSql = scope ? sql` and ${conditionSql(scope, entry, locale, aliases)}` : sql``
    const document = sql.ref(`${entry.document}.id`)
    return sql`(select coalesce(json_agg(json_build_object('id', id, 'name', name) order by document), '[]') from (
      select ${document} as document, ${sql.ref(`${entry.text}.id`)} as id, ${nameSql(entry, locale, holderView)} as name
        from ${from} where ${document} in (${holders})${scopeSql} order by ${document} limit ${sql.lit(shownRecords)}) as shown)`
  }
  const columns = parts.map(
    (usePart) =>
      sql`json_build_object('count', (select count(*)::int from (${usePart.holders}) as held), 'records', ${recordsSql(usePart)})`,
  )
  const [row] = await runStatement(
    database,
    context,
    sql<{
      countedUses: CountedUses[]
    }>`with asked as materialized (${recordSql({ resource, id, view }, context, aliases, locale)})
      select array_to_json(array[${sql.join(columns)}]::json[]) as "countedUses" from asked`,
  )
  if (!row) throw fault('record.not-found')
  return parts.flatMap(({ link, rule }, index): Use[] => {
    const { count, records } = row.countedUses[index] ?? { count: 0, records: null }
    const field = records === null ? null : link.field
    return count > 0 ? [{ resource: link.resource.wire, field, count, rule, records: records ?? [] }] : []
  })
}

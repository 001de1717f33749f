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

/** Records that link to another by one field, as far as the caller may see them. */
interface ShownUses {
  place: number
  records: Use['records']
}

/** Reads the first records of some parts of a record's uses; no statement is sent without parts. */
async function readShownUses(
  database: Database,
  {
    caller,
    locale,
    document,
    parts,
  }: { caller: Caller; locale: Locale; document: number; parts: readonly (Part & { view: View; place: number })[] },
): Promise<ReadonlyMap<number, Use['records']>> {
  if (parts.length === 0) return new Map()
  const [context, aliases] = [new QueryContext(caller), new Aliases(database)]
  const recordsSql = ({ link: { resource }, holders, view, place }: (typeof parts)[number]): Sql => {
    const { entry, from } = shownSql(resource, locale, aliases)
    const scope = scopeOf(context, resource, view.rows)
    const scopeSql = scope ? sql` and ${conditionSql(scope, entry, locale, aliases)}` : sql``
    const key = sql.ref(`${entry.document}.id`)
    return sql`select ${sql.lit(place)} as place, (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by document), '[]') from (
      select ${key} as document, ${sql.ref(`${entry.text}.id`)} as id, ${nameSql(entry, locale, view)} as name
        from ${from} where ${key} in (${holders})${scopeSql} order by ${key} limit ${sql.lit(shownRecords)}) as shown) as records`
  }
  const rows = await runStatement(
    database,
    context,
    sql<ShownUses>`with asked as materialized (select ${document}::int as document) ${sql.join(parts.map(recordsSql), sql` union all `)}`,
  )
  return new Map(rows.map(({ place, records }) => [place, records]))
}

/**
 * Reads the records that link to the document of a record.
 *
 * Counts include everything a delete affects; records are named only if the caller may read them. Links that
 * refuse a delete come first, then the parts that would be deleted too. One statement counts, and one more
 * names the records of those links that have some: names of all links in one statement took up to 25 MB of
 * the embedded database to plan.
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
  const counts = parts.map(({ holders }) => sql`(select count(*)::int from (${holders}) as held)`)
  const [row] = await runStatement(
    database,
    context,
    sql<{
      document: number
      counts: number[]
    }>`with asked as materialized (${recordSql({ resource, id, view }, context, aliases, locale)})
      select document, array[${sql.join(counts)}]::int[] as counts from asked`,
  )
  if (!row) throw fault('record.not-found')
  const usedParts = parts.flatMap((part, place) => {
    const count = row.counts[place] ?? 0
    const holderView = viewOfResource(part.link.resource, caller, 'get')
    const view = holderView && attributeOf(part.link.resource, holderView, part.link.field) ? holderView : undefined
    return count > 0 ? [{ ...part, place, count, view }] : []
  })
  const shownUses = await readShownUses(database, {
    caller,
    locale,
    document: row.document,
    parts: usedParts.flatMap(({ view, ...part }) => (view ? [{ ...part, view }] : [])),
  })
  return usedParts.map(({ link, rule, count, view, place }) => ({
    resource: link.resource.wire,
    field: view ? link.field : null,
    count,
    rule,
    records: shownUses.get(place) ?? [],
  }))
}

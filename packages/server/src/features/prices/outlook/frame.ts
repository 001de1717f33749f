/** SQL that series and changes share: the filters, and prices in the base unit. */
import { type Caller, type Issue, type Locale, unprocessableFault } from '@dala/model'
import { sql, type Template } from '../../../db/sql.ts'
import type { Queries } from '../../../db/database.ts'
import { authoriseCaller } from '../../../resources/authorise.ts'
import { resourceNamed, type View } from '../../../resources/attributes.ts'
import { runScopedQuery, type ScopedParts } from '../../../resources/read/scoped.ts'
import { languageSql, shownName, wireId } from '../shown.ts'
import type { OutlookFilters } from './query.ts'

type Sql = Template<unknown>

/** SQL of the keys of the documents of a resource that the caller may list. */
const listableKeysSql = (scopedParts: ScopedParts, caller: Caller, name: string): Sql => {
  const resource = resourceNamed(name)
  return scopedParts.keysOf(resource, authoriseCaller(resource, 'list', caller))
}

/** SQL of documents that one of their wire ids names, as far as the caller may list them. */
const namedSql = (scopedParts: ScopedParts, caller: Caller, resource: string, ids: readonly number[]): Sql =>
  sql`select distinct document_id as id from ${sql.table(`${resource}_texts`)}
       where id = any(${[...ids]}::int[]) and document_id in (${listableKeysSql(scopedParts, caller, resource)})`

/**
 * SQL of the common table expressions of the filters: `kinds` (categories), `area` (region), `places`
 * (districts) and `goods` (products with the kind of their unit). They need `with recursive`.
 */
function frameSql(scopedParts: ScopedParts, caller: Caller, filters: OutlookFilters): Sql {
  const { product, region, districts, category } = filters
  const ids = (value: number | undefined) => (value === undefined ? [] : [value])
  const placedSqlText = districts ? sql`d.id in (${namedSql(scopedParts, caller, 'districts', districts)})` : sql`true`
  const chosenSql = [
    sql`p.id in (${listableKeysSql(scopedParts, caller, 'products')})`,
    ...(product === undefined ? [] : [sql`p.id in (${namedSql(scopedParts, caller, 'products', [product])})`]),
    ...(category === undefined ? [] : [sql`p.productcategory_id in (select id from kinds)`]),
  ]
  return sql`
    kinds as (
      ${namedSql(scopedParts, caller, 'productcategories', ids(category))}
      union select c.id from productcategories c join kinds k on c.parent_id = k.id),
    area as (${namedSql(scopedParts, caller, 'regions', ids(region))}),
    places as (
      select d.id, d.region_id, d."order", d.lat, d.lng, ${wireId('districts_texts', sql`d.id`)} as wire
        from districts d where ${placedSqlText}),
    goods as (
      select p.id, p."order", p.unit_id, p.productcategory_id, u.kind, u.factor is not null as converts,
             ${wireId('products_texts', sql`p.id`)} as wire
        from products p left join units u on u.id = p.unit_id where ${sql.join(chosenSql, sql` and `)})`
}

/**
 * SQL of the condition on a price (alias `c`): a price keeps its region when its district moves to another
 * one.
 */
export const marketPriceSql = ({ region, marketType }: OutlookFilters): Sql => sql`c.market_type = ${marketType}
  and c.product_id in (select id from goods) and c.district_id in (select id from places)
  and ${region === undefined ? sql`true` : sql`c.region_id in (select id from area)`}`

/**
 * SQL of the name of the unit of amounts: the unit of that kind with the factor 1, or the product's own unit
 * without a factor.
 */
export const unitLinkSql = (locale: Locale): Sql => sql`(
  select json_build_object('id', b.id, 'name', ${languageSql(sql`coalesce(b.short, b.name)`, locale)}) from units b
   where case when g.converts then b.kind = g.kind and b.factor = 1 else b.id = g.unit_id end
   order by b.id = g.unit_id desc, b."order", b.id limit 1)`

/** SQL of the wire id of a document and its name, as a link. */
export const linkSql = (texts: string, document: Sql, locale: Locale): Sql =>
  sql`json_build_object('id', ${wireId(texts, document)}, 'name', ${shownName(texts, document, locale)})`

/** SQL of the number of records in the filters that were found, to tell a wrong id from an empty response. */
const countsSql: Sql = sql`json_build_object(
  'product', (select count(*) from goods), 'region', (select count(*) from area),
  'districts', (select count(*) from places), 'category', (select count(*) from kinds))`

type FoundCounts = Readonly<Record<'product' | 'region' | 'districts' | 'category', number>>

/**
 * Refuses filters of prices that name records which do not exist or that the caller may not see.
 *
 * @throws 422 with each of them
 */
function assertKnownFilters(counts: FoundCounts, { product, region, districts, category }: OutlookFilters): void {
  const expectedCounts = {
    region: region === undefined ? 0 : 1,
    category: category === undefined ? 0 : 1,
    districts: new Set(districts).size,
    // A product outside the requested category gives an empty response, not an error.
    product: product === undefined || category !== undefined ? 0 : 1,
  }
  const issues = Object.entries(expectedCounts).flatMap(([name, count]): Issue[] => {
    const foundCount = Object.entries(counts).find(([key]) => key === name)?.[1] ?? 0
    return foundCount < count
      ? [{ path: [name], code: 'validation.relationMissing', params: { count: 1, type: name } }]
      : []
  })
  if (issues.length > 0) throw unprocessableFault(issues)
}

/** Request of a statement about prices: the caller, the view and the filters. */
export interface OutlookRequest {
  caller: Caller
  /** View of price lists of the caller. */
  view: View
  filters: OutlookFilters
}

/**
 * Runs a statement over the price lists that the caller may see.
 *
 * @param runner - The database or a transaction.
 * @param request - The caller and the filters.
 * @param answer - SQL of the JSON answer, after the common table expressions of the filters.
 * @returns The JSON of the statement.
 * @throws 422 for filters that name records which do not exist.
 */
export async function readInFrame<T>(
  runner: Queries,
  { caller, view, filters }: OutlookRequest,
  answer: (scopedParts: ScopedParts) => { tables?: Sql; json: Sql },
): Promise<T> {
  const resource = resourceNamed('pricelists')
  const [row] = await runScopedQuery(runner, { resource, caller, view, mustReplan: true }, (scopedParts) => {
    const { tables, json } = answer(scopedParts)
    return sql<{
      known: FoundCounts
      read: T
    }>`with recursive ${frameSql(scopedParts, caller, filters)}${tables ? sql`, ${tables}` : sql``} select ${countsSql} as known, ${json} as read`
  })
  if (!row) throw new Error('The statement has no row')
  assertKnownFilters(row.known, filters)
  return row.read
}

/** Reads one day of prices as a table, product by district, in one statement (market §5). */
import { type Caller, decideAccess, fault, type Locale, maxGridProducts, unprocessableFault } from '@dala/model'
import type { GridAnswer, GridQuery } from '@dala/model/api/prices'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { dayBefore, hasNoMarket, isLate } from '../../behaviours/computed.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { languageSql, shownName, wireId } from './shown.ts'

type Sql = Template<unknown>

export type Day = { date: string } | { pricedate: number }

/**
 * Returns the price day that a call names by its record or by its date.
 *
 * @throws 422 without either.
 */
export function dayOf({ pricedate, date }: { pricedate?: number | null | undefined; date?: string | undefined }): Day {
  if (typeof pricedate === 'number') return { pricedate }
  if (date !== undefined) return { date }
  throw unprocessableFault([{ path: ['date'], code: 'validation.required', params: { field: 'date' } }])
}

/** SQL of the condition on a price date. */
export const dayConditionSql = (table: Sql, day: Day): Sql =>
  'date' in day ? sql`${table}.date = ${day.date}::date` : sql`${table}.id = ${day.pricedate}`

/** SQL of the price table's rows as one JSON list. */
const listSql = (item: Sql, order: Sql, sourceSql: Sql): Sql =>
  sql`(select coalesce(json_agg(${item} order by ${order}), '[]') from ${sourceSql})`

/** SQL of the wire id of a document and its name. */
const namedSql = (id: Sql, name: Sql): Sql => sql`json_build_object('id', ${id}, 'name', ${name})`

/** SQL of the districts and products of the price table, and of the two days that are compared. */
function frame({ region, districts, category }: GridQuery, isStaff: boolean): Sql {
  const regionSql =
    region !== undefined
      ? sql`select document_id as id from regions_texts where id = ${region}`
      : districts
        ? sql`select null::int as id where false`
        : sql`select r.id from regions r order by exists (
            select 1 from pricelists p where p.region_id = r.id and p.price is not null
               and p.pricedate_id in (select id from day union all select id from before)) desc, r."order", r.id limit 1`
  const placesSql = districts
    ? sql`d.id in (select document_id from districts_texts where id = any(${[...districts]}::int[]))`
    : sql`d.region_id = (select id from area)`
  const categorySql = category === undefined ? sql`true` : sql`p.productcategory_id in (select id from kinds)`
  // Readers see active products; staff see every product that has a price on the day.
  const pricedSql = isStaff
    ? sql`or exists (select 1 from pricelists c where c.product_id = p.id and c.pricedate_id = (select id from day))`
    : sql``
  return sql`
    before as (select e.id, e.date from pricedates e where e.id = (${dayBefore(sql`(select date from day)`)})),
    area as (${regionSql}),
    kinds as (
      select document_id as id from productcategories_texts where id = ${category ?? null}::int
      union select c.id from productcategories c join kinds k on c.parent_id = k.id),
    places as (
      select d.id, d."order", d.region_id, ${wireId('districts_texts', sql`d.id`)} as wire,
             ${hasNoMarket(sql`(select id from day)`, sql`d.id`)} as no_market
        from districts d where ${placesSql}),
    goods as (
      select p.id, p."order", p.unit_id, ${wireId('products_texts', sql`p.id`)} as wire from products p
       where ${categorySql} and (p.active ${pricedSql}) order by p."order", p.id limit ${maxGridProducts + 1})`
}

/**
 * SQL of the present value of each price field and its value on the published day before; carried prices
 * change nothing (market §4).
 */
function cells({ market_type: marketType = 'retail' }: GridQuery): Sql {
  const pricesOfDaySql = (day: string) =>
    sql`select * from pricelists where market_type = ${marketType} and pricedate_id = (select id from ${sql.table(day)})`
  return sql`cells as (
    select g.wire as product, p.wire as district, c.id, c.price, c.price_max, c.unit_id as unit, c.state, c.origin, c.flag, c.note, c.version,
           case when c.price is not null then ${isLate(sql`c.created_at`, sql`(select date from day)`)} end as late,
           case when b.id is not null then json_build_object('price', b.price, 'unit', b.unit_id, 'date', (select date::text from before)) end as prev,
           case when c.origin = 'carried' or b.origin = 'carried' then null
                when c.unit_id = b.unit_id then round((c.price / b.price - 1) * 100, 1)
                else round((c.price_base / nullif(b.price_base, 0) - 1) * 100, 1) end as change_pct
      from (${pricesOfDaySql('day')}) c
      full join (select * from (${pricesOfDaySql('before')}) former where former.price is not null) b
        on b.product_id = c.product_id and b.district_id = c.district_id
      join goods g on g.id = coalesce(c.product_id, b.product_id)
      join places p on p.id = coalesce(c.district_id, b.district_id))`
}

/** SQL of a district, and whether it had no market on the day. */
const district = (locale: Locale): Sql => sql`json_build_object(
  'id', p.wire, 'name', ${shownName('districts_texts', sql`p.id`, locale)}, 'no_market', p.no_market)`

/** SQL of a product with the unit of its prices. */
const product = (locale: Locale): Sql => sql`json_build_object(
  'id', g.wire, 'name', ${shownName('products_texts', sql`g.id`, locale)},
  'unit', case when u.id is not null then ${namedSql(sql`u.id`, languageSql(sql`coalesce(u.short, u.name)`, locale))} end)`

type GridRow = GridAnswer['data'] & Pick<GridAnswer['meta'], 'regions' | 'categories'> & { knowsCategory: boolean }

/**
 * Reads the table of prices of a day.
 *
 * @param runner - The database or a transaction.
 * @param caller - The caller.
 * @param query - The day, and the requested districts and products.
 * @returns The day, its products and districts, the cells that have or had a price, and the regions and
 * categories to choose from; `meta.more` when products were left out.
 * @throws 404 for a day that the caller may not see; 422 for a region, district or category that does not
 * exist.
 */
export async function readGrid(runner: Queries, caller: Caller, query: GridQuery): Promise<GridAnswer> {
  const pricedates = resourceNamed('pricedates')
  const view = authoriseCaller(pricedates, 'list', caller)
  const { locale = 'en', region, districts, category } = query
  const day = dayOf(query)
  const isStaff = decideAccess(resourceNamed('products').access, 'list', caller) === true
  const shownSql = isStaff ? sql`true` : sql`k.active`
  const [gridRow] = await runScopedQuery(
    runner,
    { resource: pricedates, caller, view },
    ({ from, where, document }) => {
      const columns = ['id', 'date', 'state', 'version'].map((name) => sql.ref(`${document}.${name}`))
      return sql<{ grid: GridRow }>`
      with recursive day as (select ${sql.join(columns)} from ${from} where ${where} and ${dayConditionSql(sql.ref(document), day)}),
      ${frame(query, isStaff)}, ${cells(query)}
      select json_build_object(
        'pricedate', (select json_build_object('id', id, 'date', date::text, 'state', state, 'version', version) from day),
        'region', (select ${wireId('regions_texts', sql`area.id`)} from area),
        'districts', ${listSql(district(locale), sql`p."order", p.id`, sql`places p`)},
        'products', ${listSql(product(locale), sql`g."order", g.id`, sql`goods g left join units u on u.id = g.unit_id`)},
        'cells', ${listSql(sql`c`, sql`c.product, c.district`, sql`cells c`)},
        'regions', ${listSql(namedSql(wireId('regions_texts', sql`r.id`), shownName('regions_texts', sql`r.id`, locale)), sql`r."order", r.id`, sql`regions r`)},
        'categories', ${listSql(namedSql(wireId('productcategories_texts', sql`k.id`), shownName('productcategories_texts', sql`k.id`, locale)), sql`k."order", k.id`, sql`productcategories k where ${shownSql}`)},
        'knowsCategory', exists (select 1 from kinds)) as grid
      from day`
    },
  )
  if (!gridRow) throw fault('record.not-found')
  const { regions, categories, knowsCategory, ...data } = gridRow.grid
  const missingSql = [
    ...(region !== undefined && data.region === null ? ['region'] : []),
    ...(districts && data.districts.length < new Set(districts).size ? ['districts'] : []),
    ...(category !== undefined && !knowsCategory ? ['category'] : []),
  ]
  if (missingSql.length > 0) {
    throw unprocessableFault(
      missingSql.map((name) => ({
        path: [name],
        code: 'validation.relationMissing',
        params: { count: 1, type: name },
      })),
    )
  }
  const hasMore = data.products.length > maxGridProducts
  return {
    data: { ...data, products: data.products.slice(0, maxGridProducts) },
    meta: { regions, categories, more: hasMore },
  }
}

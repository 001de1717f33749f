/** Lists obstacles to publishing a day of prices: unconfirmed figures, carried ones, and gaps (market §5). */
import { type Caller, fault, type Locale } from '@dala/model'
import type { PriceReview } from '@dala/model/api/price-dates'
import type { Queries } from '../../db/database.ts'
import { sql, type Template } from '../../db/sql.ts'
import type { View } from '../../resources/attributes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { dayBefore, hasNoMarket } from '../../behaviours/computed.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { mustBeConfirmedSql, shownName, wireId } from './shown.ts'

type Sql = Template<unknown>

/** Maximum numbers of named price cells of each kind and of named districts. */
interface ReviewLimits {
  cells: number
  districts: number
}
const defaultReviewLimits: ReviewLimits = { cells: 100, districts: 10 }

/**
 * SQL of all price cells of a day with their kind, including those that only the published day before has.
 */
const dayCells = (day: Sql): Sql => sql`
  now as materialized (select p.* from pricelists p where p.pricedate_id = ${day} and p.price is not null),
  former as materialized (
    select p.* from pricelists p
     where p.pricedate_id = (${dayBefore(sql`(select d.date from pricedates d where d.id = ${day})`)}) and p.price is not null),
  cells as materialized (
    select coalesce(n.product_id, f.product_id) as product, coalesce(n.district_id, f.district_id) as district,
           coalesce(n.market_type, f.market_type) as market_type, n.price::float8 as price, f.price::float8 as prev,
           case when n.id is null then 'missing' when ${mustBeConfirmedSql(sql`n`)} then 'confirm'
                when n.state = 'check' then 'look' when n.origin = 'carried' then 'carried' else 'entered' end as kind
      from now n full join former f
        on f.product_id = n.product_id and f.district_id = n.district_id and f.market_type = n.market_type
     where n.id is not null or not ${hasNoMarket(day, sql`f.district_id`)})`

const district = (id: Sql, locale: Locale): Sql =>
  sql`json_build_object('id', ${wireId('districts_texts', id)}, 'name', ${shownName('districts_texts', id, locale)})`

const regionOf = (id: Sql): Sql =>
  sql`(select ${wireId('regions_texts', sql`d.region_id`)} from districts d where d.id = ${id})`

/** SQL of the first price cells of a kind, in the order of the table. */
const cellsOf = (kind: string, locale: Locale, maxCells: number): Sql => sql`(
  select coalesce(json_agg(json_build_object(
      'product', json_build_object('id', ${wireId('products_texts', sql`c.product`)}, 'name', ${shownName('products_texts', sql`c.product`, locale)}),
      'district', ${district(sql`c.district`, locale)},
      'region', ${regionOf(sql`c.district`)},
      'market_type', c.market_type, 'price', c.price, 'prev', c.prev) order by c.place), '[]'::json)
    from (select c.*, row_number() over (order by c.market_type, g."order", g.id, c.district) as place
            from cells c join products g on g.id = c.product where c.kind = ${kind}
           order by place limit ${maxCells}::int) c)`

const count = (kind: string): Sql => sql`(select count(*)::int from cells where kind = ${kind})`

function reviewSql(
  day: Sql,
  locale: Locale,
  { cells, districts }: ReviewLimits = defaultReviewLimits,
): Template<{ review: PriceReview }> {
  return sql`
    with ${dayCells(day)}
    select json_build_object(
      'counts', json_build_object('expected', (select count(*)::int from cells), 'entered', ${count('entered')},
        'confirm', ${count('confirm')}, 'look', ${count('look')}, 'missing', ${count('missing')}, 'carried', ${count('carried')}),
      'confirm', ${cellsOf('confirm', locale, cells)}, 'look', ${cellsOf('look', locale, cells)},
      'missing', ${cellsOf('missing', locale, cells)}, 'carried', ${cellsOf('carried', locale, cells)},
      'gaps', (select coalesce(json_agg(json_build_object('district', ${district(sql`g.district`, locale)}, 'region', ${regionOf(sql`g.district`)}, 'count', g.count)
                 order by g.count desc, g.district), '[]'::json)
                 from (select c.district, count(*)::int as count from cells c where c.kind = 'missing'
                        group by c.district order by 2 desc, 1 limit ${districts}::int) g)) as review`
}

const emptyReview: PriceReview = {
  counts: {
    expected: 0,
    entered: 0,
    confirm: 0,
    look: 0,
    missing: 0,
    carried: 0,
  },
  confirm: [],
  look: [],
  missing: [],
  carried: [],
  gaps: [],
}

/**
 * Counts the obstacles to publishing a price day.
 *
 * @param queries - The transaction that publishes the day.
 * @param day - The key of the day.
 * @returns Counts and the first cells of each kind.
 */
export async function reviewOf(queries: Pick<Queries, 'query'>, day: number): Promise<PriceReview> {
  const [reviewRow] = await queries.query(reviewSql(sql`${day}::int`, 'en'))
  return reviewRow?.review ?? emptyReview
}

/**
 * Reads the obstacles to publishing a price day.
 *
 * @param runner - The database.
 * @param request - The caller, the rows they may see, the wire id of the day and the language of names.
 * @param reviewLimits - Maximum numbers of named cells and districts.
 * @returns Counts and the first cells of each kind.
 * @throws 404 for a day that the caller may not see.
 */
export async function readReview(
  runner: Queries,
  { caller, view, id, locale }: { caller: Caller; view: View; id: number; locale: Locale },
  reviewLimits: ReviewLimits = defaultReviewLimits,
): Promise<PriceReview> {
  const resource = resourceNamed('pricedates')
  const [reviewRow] = await runScopedQuery(
    runner,
    { resource, caller, view },
    ({ from, where, document }) => sql<{ review: PriceReview }>`
      select (${reviewSql(sql.ref(`${document}.id`), locale, reviewLimits)}) as review from ${from}
       where ${where} and ${sql.ref(`${document}.id`)} = ${id}`,
  )
  if (!reviewRow) throw fault('record.not-found')
  return reviewRow.review
}

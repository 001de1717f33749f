/**
 * Reads changes of prices, product by district, against an earlier price, in one statement (market §4, §5).
 */
import {
  type Caller,
  changeTolerance,
  type PriceChange,
  type PriceChanges,
  type PriceChangesMeta,
  usualBands,
} from '@dala/model'
import type { ChangesAnswer } from '@dala/model/api/price-outlook'
import { sql, type Template } from '../../../db/sql.ts'
import type { Queries } from '../../../db/database.ts'
import { amountSql, isReliableSql, isSoundSql } from '../../../domain/market/comparable-price.ts'
import { resourceNamed, type View } from '../../../resources/attributes.ts'
import { authoriseCaller } from '../../../resources/authorise.ts'
import { shownName, wireId } from '../shown.ts'
import { marketPriceSql, readInFrame, unitLinkSql } from './frame.ts'
import type { ChangesQuery } from './query.ts'
import { type MonthlyPrice, maxYears, seasonMonths, seasonOf } from './season.ts'

type Sql = Template<unknown>

/** Maximum number of price changes in a response; the totals count all of them. */
const maxRows = 1_000

/** SQL of the limits of a product category for price changes, or of its nearest ancestor that has some. */
const limits: Sql = sql`(
  with recursive up as (
    select k.id, k.parent_id, k.moving_from, k.sharp_from, 0 as depth from productcategories k where k.id = g.productcategory_id
    union all select k.id, k.parent_id, k.moving_from, k.sharp_from, up.depth + 1
      from productcategories k join up on k.id = up.parent_id where up.depth < 20)
  select array[(array_agg(moving_from order by depth) filter (where moving_from is not null))[1],
               (array_agg(sharp_from order by depth) filter (where sharp_from is not null))[1]] from up)`

/** SQL of the ids of the days (alias `e`) that fulfil a condition. */
const daysSql = (condition: Sql): Sql => sql`select e.id from pricedates e where ${condition}`

/**
 * SQL of the condition that a price (alias `c`) is of one of a few days. The ids are an array, read once: a join reads
 * the days again for each price where the statistics of the table are out of date.
 */
const isOfFewDaysSql = (ids: Sql): Sql => sql`c.pricedate_id = any(array(${ids}))`

/** SQL of the same condition for many days, which are hashed once: `is true` prevents a join. */
const isOfManyDaysSql = (ids: Sql): Sql => sql`(c.pricedate_id in (${ids})) is true`

const priceBandSql = (change: Sql, row: Sql): Sql => sql`(case
  when ${change} is null then null when abs(${change}) < ${row}.moving then 'steady'
  when abs(${change}) < ${row}.sharp then 'moving' else 'sharp' end)`

/**
 * SQL of the monthly medians that the season of a date needs, for the shown rows. The days are chosen first,
 * so that only their prices are read.
 */
const monthsSql = (prices: Sql, query: ChangesQuery): Sql => sql`
  season_days as materialized (
    select e.id, e.state, to_char(e.date, 'YYYY-MM') as month from pricedates e, day
     where e.state = 'published' and e.date <= day.date and e.date > day.date - ${sql.lit((maxYears + 1) * 366)}
       and (extract(month from day.date)::int - extract(month from e.date)::int + 12) % 12 in (${sql.join(
         seasonMonths.map((month) => sql.lit(month)),
       )})),
  monthly as (
    select c.product_id, c.district_id, e.month,
           percentile_cont(0.5) within group (order by (${amountSql})::float8) as value
      from season_days e join ${prices} on c.pricedate_id = e.id
      join goods g on g.id = c.product_id join units cu on cu.id = c.unit_id
      join shown s on s.product_id = c.product_id and s.district_id = c.district_id and s.gap is null
     where ${isOfFewDaysSql(sql`select id from season_days`)} and ${marketPriceSql(query)} and ${isReliableSql}
       and ${amountSql} is not null
     group by c.product_id, c.district_id, e.month),
  months as (
    select product_id, district_id, json_agg(json_build_object('month', month, 'value', value)) as list
      from monthly group by product_id, district_id)`

const emptyMonthsSql: Sql = sql`
  months as (select null::int as product_id, null::int as district_id, null::json as list where false)`

interface ShownRow extends PriceChange {
  months: MonthlyPrice[] | null
}
interface ChangesRow extends Omit<PriceChanges, 'rows'> {
  rows: ShownRow[]
  counts: Pick<PriceChangesMeta, 'total' | 'priced' | 'bands'>
}

/**
 * Reads the price changes of a day. A base is the newest sound price of a published day that is at least
 * `window` days old and at most `changeTolerance` days older; both are compared in the base unit.
 *
 * @param runner - The database or a transaction.
 * @param caller - The caller.
 * @param view - The view of price lists of the caller.
 * @param query - The query with its defaults.
 * @returns Rows with the largest changes first, and for each product its spread over the districts.
 * @throws 422 for records that do not exist.
 */
export async function readChanges(
  runner: Queries,
  caller: Caller,
  view: View,
  query: ChangesQuery,
): Promise<ChangesAnswer> {
  const { date, window, locale, marketType } = query
  const days = Number(window)
  const oldestAge = days + changeTolerance[window]
  const isYearly = window === '365'
  const pricedates = resourceNamed('pricedates')
  const dateView = authoriseCaller(pricedates, 'list', caller)
  const request = { caller, view, filters: query }
  const {
    counts,
    rows: shownRows,
    ...data
  } = await readInFrame<ChangesRow>(runner, request, (scopedParts) => {
    const prices = sql`(select ${sql.ref(scopedParts.document)}.* from ${scopedParts.from} where ${scopedParts.where}) c`
    const cells = sql`${prices}
      join pricedates e on e.id = c.pricedate_id join goods g on g.id = c.product_id join units cu on cu.id = c.unit_id`
    // The order makes the index of the pair the cheapest way; without it the database may read all prices for each pair.
    const hasOlderSql = sql`(
      select true from ${prices} join goods g on g.id = c.product_id join units cu on cu.id = c.unit_id
       where c.product_id = s.product_id and c.district_id = s.district_id
         and ${marketPriceSql(query)} and ${isSoundSql} and ${amountSql} is not null
         and ${isOfManyDaysSql(daysSql(sql`e.state = 'published' and e.date < (select date from day) - ${oldestAge}::int`))}
       order by c.pricedate_id limit 1)`
    const baseDaysSql = daysSql(
      sql`e.date between (select date from day) - ${oldestAge}::int and (select date from day) - ${days}::int`,
    )
    const tables = sql`
      day as (select coalesce(${date ?? null}::date, (
        select max(e.date) from pricedates e where e.state = 'published' and e.id in (${scopedParts.keysOf(pricedates, dateView)}))) as date),
      now as (
        select c.product_id, c.district_id, c.price, ${amountSql} as value, c.origin, c.state
          from ${cells} where ${marketPriceSql(query)} and ${isOfFewDaysSql(daysSql(sql`e.date = (select date from day)`))}),
      base as (
        select distinct on (c.product_id, c.district_id) c.product_id, c.district_id, ${amountSql} as value, e.date
          from ${cells} where ${marketPriceSql(query)} and ${isReliableSql} and ${amountSql} is not null
           and ${isOfFewDaysSql(baseDaysSql)}
         order by c.product_id, c.district_id, e.date desc),
      known_goods as (
        select g.*, coalesce(l[1], ${usualBands.moving}) as moving,
               coalesce(l[2], greatest(${usualBands.sharp}, l[1])) as sharp
          from goods g cross join lateral (select ${limits} as l) found
         where g.id in (select product_id from now union select product_id from base)),
      pairs as (
        select coalesce(n.product_id, b.product_id) as product_id, coalesce(n.district_id, b.district_id) as district_id,
               n.value, n.price is not null as priced, coalesce(n.origin = 'carried', false) as carried,
               b.value as base, b.date as base_date,
               case when n.price is null then 'no-value' when n.origin = 'carried' then 'carried'
                    when n.state = 'check' then 'unconfirmed' when n.value is null then 'other-unit'
                    when b.value is null then 'no-base' end as gap
          from now n full join base b on b.product_id = n.product_id and b.district_id = n.district_id),
      changed as (
        select p.*, case when p.gap is null then round((p.value / p.base - 1) * 100, 1) end as change from pairs p),
      judged as (
        select c.*, g.wire as product, g."order" as product_order, ${priceBandSql(sql`c.change`, sql`g`)} as band
          from changed c join known_goods g on g.id = c.product_id),
      shown as (
        select j.*, d.wire as district, d."order" as district_order from judged j join places d on d.id = j.district_id
         order by abs(j.change) desc nulls last, j.product_order, j.product_id, d."order", d.id limit ${maxRows}),
      ${isYearly ? monthsSql(prices, query) : emptyMonthsSql},
      spread as (
        select j.product_id, count(j.value)::int as n, min(j.value) as low, max(j.value) as high,
               round((percentile_cont(0.5) within group (order by j.value::float8))::numeric, 4) as median,
               (array_agg(d.wire order by j.value, d.id))[1] as low_district,
               (array_agg(d.wire order by j.value desc, d.id))[1] as high_district,
               round((percentile_cont(0.5) within group (order by j.change::float8))::numeric, 1) as change
          from judged j join places d on d.id = j.district_id
         where j.value is not null and (j.gap is null or j.gap in ('no-base')) group by j.product_id)`
    const json = sql`json_build_object(
        'date', (select date::text from day),
        'products', (select coalesce(json_agg(json_build_object(
            'id', g.wire, 'name', ${shownName('products_texts', sql`g.id`, locale)}, 'unit', ${unitLinkSql(locale)},
            'n', coalesce(s.n, 0), 'low', s.low, 'median', s.median, 'high', s.high, 'low_district', s.low_district,
            'high_district', s.high_district, 'change_pct', s.change, 'band', ${priceBandSql(sql`s.change`, sql`g`)})
            order by g."order", g.id), '[]') from known_goods g left join spread s on s.product_id = g.id),
        'districts', (select coalesce(json_agg(json_build_object(
            'id', d.wire, 'name', ${shownName('districts_texts', sql`d.id`, locale)},
            'region', ${wireId('regions_texts', sql`d.region_id`)}, 'lat', d.lat, 'lng', d.lng) order by d."order", d.id), '[]')
            from places d where d.id in (select district_id from pairs)),
        'rows', (select coalesce(json_agg(json_build_object(
            'product', s.product, 'district', s.district, 'value', s.value, 'carried', s.carried, 'change_pct', s.change,
            'band', s.band,
            'base', case when s.gap is null then json_build_object('value', s.base, 'date', s.base_date::text) end,
            'gap', case when s.gap = 'no-base' and ${hasOlderSql} then 'too-old' else s.gap end, 'months', m.list)
            order by abs(s.change) desc nulls last, s.product_order, s.product_id, s.district_order, s.district_id), '[]')
          from shown s left join months m on m.product_id = s.product_id and m.district_id = s.district_id),
        'counts', (select json_build_object('total', count(*), 'priced', count(*) filter (where priced),
            'bands', json_build_object('steady', count(*) filter (where band = 'steady'),
              'moving', count(*) filter (where band = 'moving'), 'sharp', count(*) filter (where band = 'sharp'))) from judged))`
    return { tables, json }
  })
  const rows = shownRows.map(({ months: monthly, ...row }): PriceChange => {
    const season = monthly && data.date !== null ? seasonOf(data.date.slice(0, 7), monthly) : null
    return { ...row, season }
  })
  return {
    data: { ...data, rows },
    meta: { window: days, market_type: marketType, ...counts, more: counts.total > rows.length },
  }
}

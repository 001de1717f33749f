/** Measures of the cells of the price grid (statistics §5). */
import { zoneSql } from '../../../db/calendar.ts'
import { sql } from '../../../db/sql.ts'
import { dayBefore, hasNoMarket, isLate } from '../../../behaviours/computed.ts'
import { joinConditions, type Measure, type MeasureContext, type Sql } from '../measures.ts'

/** SQL of today in the report zone. */
const today = sql`(now() at time zone ${zoneSql})::date`

/** SQL of the time at which a market day begins: midnight of the report zone. */
const startOfMarketDay = (context: MeasureContext): Sql => context.start(sql`d.date`)

const filterScopeSql = ({ filterSql: conditionOf }: MeasureContext, cell: 'p' | 'e'): Sql =>
  conditionOf({
    region: sql.ref(`${cell}.region_id`),
    district: sql.ref(`${cell}.district_id`),
    category: sql`r.productcategory_id`,
  })

const dimensionColumns = (cell: 'p' | 'e') => ({
  region: sql.ref(`${cell}.region_id`),
  category: sql`r.productcategory_id`,
  district: sql.ref(`${cell}.district_id`),
})

const isQuoted = sql`p.price is not null and p.origin <> 'carried'`

/** SQL of whether a price is in a cell that the filters of a report choose, before prices are put together. */
const ofChosenCells = ({ filterSql: conditionOf, filters, isByDay }: MeasureContext): Sql =>
  joinConditions(
    conditionOf({ district: sql`p.district_id` }),
    !isByDay && filters.includes('category')
      ? sql`p.product_id = any(array(select x.id from products x where ${conditionOf({ category: sql`x.productcategory_id` })}))`
      : sql`true`,
  )

/**
 * Measure of expected cells, with the value 1 when the day has a price in them: prices of the day, and cells
 * of the day or the published day before in districts that had a market (market §4). Carried prices count
 * separately.
 */
export function expectedMeasure(context: MeasureContext, key: 'expected' | 'carried'): Measure {
  const isFilled = key === 'expected' ? isQuoted : sql`p.price is not null and p.origin = 'carried'`
  return {
    key,
    from: sql`pricedates d cross join lateral (
      select p.product_id, p.district_id, min(p.region_id) as region_id, bool_or(p.pricedate_id = d.id and ${isFilled}) as filled
        from pricelists p where p.pricedate_id in (d.id, (${dayBefore(sql`d.date`)})) and ${ofChosenCells(context)}
       group by p.product_id, p.district_id, p.market_type
      having bool_or(p.pricedate_id = d.id and p.price is not null) or not ${hasNoMarket(sql`d.id`, sql`p.district_id`)}) e
      join products r on r.id = e.product_id`,
    where: filterScopeSql(context, 'e'),
    at: startOfMarketDay(context),
    byDay: 'prices',
    value: sql`case when e.filled then 1 else 0 end`,
    dims: dimensionColumns('e'),
  }
}

const cellsTable = sql`pricelists p join pricedates d on d.id = p.pricedate_id join products r on r.id = p.product_id`

/** Measure of entered prices, with the value 1 when they were entered after their day. */
export const cellsMeasure = (context: MeasureContext): Measure => ({
  key: 'cells',
  from: cellsTable,
  where: joinConditions(filterScopeSql(context, 'p'), isQuoted),
  at: startOfMarketDay(context),
  byDay: 'prices',
  value: sql`case when ${isLate(sql`p.created_at`, sql`d.date`)} then 1 else 0 end`,
  dims: dimensionColumns('p'),
})

export const unconfirmed = (context: MeasureContext): Measure => ({
  key: 'to_check',
  from: cellsTable,
  where: joinConditions(filterScopeSql(context, 'p'), sql`p.state = 'check'`),
})

/** Measure of corrections of prices after their day was published; each correction is a case. */
export const correctedMeasure = (context: MeasureContext): Measure => ({
  key: 'corrected',
  from: sql`revisions v join pricelists p on p.id = v.document_id join pricedates d on d.id = p.pricedate_id
    join products r on r.id = p.product_id`,
  where: joinConditions(
    filterScopeSql(context, 'p'),
    sql`v.resource = 'pricelists' and v.operation = 'update' and jsonb_exists_any(v.changes, '{price,price_max,unit_id}')`,
    sql`v.created_at > d.published_at`,
  ),
  at: sql`v.created_at`,
  dims: dimensionColumns('p'),
})

/** Days without a price after which a cell of the grid counts as abandoned. */
const abandonedAfterDays = sql`365`

/**
 * SQL of the cells of the grid that ever had a price of their own. Each is found from the one before by the index of
 * cells, because reading a year of prices takes a second.
 */
const quotedCells: Sql = sql`
  with recursive cells(product_id, district_id, market_type) as (
    (select p.product_id, p.district_id, p.market_type from pricelists p where ${isQuoted} order by 1, 2, 3 limit 1)
    union all
    select n.product_id, n.district_id, n.market_type from cells k cross join lateral (
      select p.product_id, p.district_id, p.market_type from pricelists p
       where ${isQuoted} and (p.product_id, p.district_id, p.market_type) > (k.product_id, k.district_id, k.market_type)
       order by 1, 2, 3 limit 1) n)
  select product_id, district_id, market_type from cells`

/** Measure of the cells of the grid, with the days since the market day of their last price. */
export const sinceLastPrice = (context: MeasureContext): Measure => ({
  key: 'since_price',
  from: sql`(${quotedCells}) k join products r on r.id = k.product_id cross join lateral (
    select d.date, p.district_id, p.region_id from pricedates d
      join pricelists p on p.product_id = k.product_id and p.district_id = k.district_id and p.market_type = k.market_type and p.pricedate_id = d.id
     where ${isQuoted} and d.date <= ${today} and d.date > ${today} - ${abandonedAfterDays}
     order by d.date desc limit 1) p`,
  where: filterScopeSql(context, 'p'),
  value: sql`${today} - p.date`,
  dims: dimensionColumns('p'),
})

export const marketDays = (context: MeasureContext): Measure => ({
  key: 'market_days',
  from: sql`pricedates d`,
  at: startOfMarketDay(context),
})

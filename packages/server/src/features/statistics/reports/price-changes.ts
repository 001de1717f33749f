/** Measures of the changes of prices up to the last published market day, and of their spread (market §5). */
import { type ChangeWindow, changeTolerance, changeWindows } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import { amountSql, isReliableSql } from '../../../domain/market/comparable-price.ts'
import type { Measure, MeasureContext, Sql } from '../measures.ts'

const windowColumn = (window: ChangeWindow) => sql.ref(`value_${window}`)

/**
 * SQL of `price_cells`, the cells of the grid with a reliable price on the last published day, and with the price
 * that each window of changes starts from. The days are chosen first, so that only their prices are read;
 * `offset 0` lets the database find the prices of each day, because it expects more days and would read all prices.
 */
export const priceTables: Sql = sql`
  last_day as (select max(e.date) as date from pricedates e where e.state = 'published'),
  price_days as materialized (
    select w.days, e.id, e.date, e.state
      from (values (0, 0), ${sql.join(
        changeWindows.map((window) => sql`(${sql.lit(Number(window))}, ${sql.lit(changeTolerance[window])})`),
      )}) as w(days, tolerance)
      cross join last_day l join pricedates e
        on e.state = 'published' and e.date between l.date - w.days - w.tolerance and l.date - w.days),
  price_quotes as (
    select distinct on (e.days, c.product_id, c.district_id, c.market_type)
           e.days, c.product_id, c.district_id, c.market_type, c.region_id, g.productcategory_id, ${amountSql}::float8 as value
      from price_days e cross join lateral (select * from pricelists p where p.pricedate_id = e.id offset 0) c
      join (select p.*, u.kind, u.factor is not null as converts from products p left join units u on u.id = p.unit_id) g on g.id = c.product_id
      join units cu on cu.id = c.unit_id
     where ${isReliableSql} and ${amountSql} > 0
     order by e.days, c.product_id, c.district_id, c.market_type, e.date desc),
  price_cells as materialized (
    select product_id, market_type, district_id, productcategory_id, max(region_id) filter (where days = 0) as region_id,
           max(value) filter (where days = 0) as value, ${sql.join(
             changeWindows.map(
               (window) => sql`max(value) filter (where days = ${sql.lit(Number(window))}) as ${windowColumn(window)}`,
             ),
           )}
      from price_quotes group by product_id, district_id, market_type, productcategory_id
    having count(*) filter (where days = 0) > 0)`

const filterScopeSql = ({ filterSql: conditionOf }: MeasureContext): Sql =>
  conditionOf({ region: sql`q.region_id`, district: sql`q.district_id`, category: sql`q.productcategory_id` })

/** Measure of the cells with a price on the last published day, with their change in per cent in a window. */
const priceMove = (context: MeasureContext, window: ChangeWindow): Measure => ({
  key: `moved${window}`,
  from: sql`price_cells q`,
  where: sql`(q.${windowColumn(window)} is not null and ${filterScopeSql(context)})`,
  value: sql`(q.value / q.${windowColumn(window)} - 1) * 100`,
  dims: { product: sql`q.product_id` },
})

/**
 * Measures of changes, and of products by kind of market with the spread of their price: how many per cent
 * the dearest district is above the cheapest one.
 */
export const priceChanges = (context: MeasureContext): Measure[] => [
  ...changeWindows.map((window) => priceMove(context, window)),
  {
    key: 'spread',
    from: sql`(
      select q.product_id, (max(q.value) / min(q.value) - 1) * 100 as percent from price_cells q
       where ${filterScopeSql(context)} group by q.product_id, q.market_type having count(*) > 1) s`,
    value: sql`s.percent`,
    dims: { product: sql`s.product_id` },
  },
]

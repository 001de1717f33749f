/** Measures of the changes of prices up to the last published market day, and of their spread (market §5). */
import { type ChangeWindow, changeTolerance, changeWindows } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import { amount, isSound } from '../../../domain/market/comparable-price.ts'
import type { Measure, MeasureContext, Sql } from '../measures.ts'

/**
 * SQL of `price_quotes`, the last sound prices of each cell of the grid: those of the last published day
 * (`days` 0), and those that each window of changes starts from. The days are chosen first, so that only
 * their prices are read.
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
  price_quotes as materialized (
    select distinct on (e.days, c.product_id, c.district_id, c.market_type)
           e.days, c.product_id, c.district_id, c.market_type, c.region_id, g.productcategory_id, ${amount}::float8 as value
      from price_days e join pricelists c on c.pricedate_id = e.id
      join (select p.*, u.kind, u.factor is not null as converts from products p left join units u on u.id = p.unit_id) g on g.id = c.product_id
      join units cu on cu.id = c.unit_id
     where ${isSound} and ${amount} > 0
     order by e.days, c.product_id, c.district_id, c.market_type, e.date desc)`

const within = ({ narrowed }: MeasureContext): Sql =>
  narrowed({ region: sql`q.region_id`, category: sql`q.productcategory_id` })

/** Measure of the cells with a price on the last published day, with their change in per cent in a window. */
const moved = (context: MeasureContext, window: ChangeWindow): Measure => ({
  key: `moved${window}`,
  from: sql`price_quotes q join price_quotes b on b.days = ${sql.lit(Number(window))} and b.product_id = q.product_id
    and b.district_id = q.district_id and b.market_type = q.market_type`,
  where: sql`(q.days = 0 and ${within(context)})`,
  value: sql`(q.value / b.value - 1) * 100`,
  dims: { product: sql`q.product_id` },
})

/**
 * Measures of changes, and of products by kind of market with the spread of their price: how many per cent
 * the dearest district is above the cheapest one.
 */
export const priceChanges = (context: MeasureContext): Measure[] => [
  ...changeWindows.map((window) => moved(context, window)),
  {
    key: 'spread',
    from: sql`(
      select q.product_id, (max(q.value) / min(q.value) - 1) * 100 as percent from price_quotes q
       where q.days = 0 and ${within(context)} group by q.product_id, q.market_type having count(*) > 1) s`,
    value: sql`s.percent`,
    dims: { product: sql`s.product_id` },
  },
]

/** Measures of the cells of the price grid (statistics §5). */
import { sql } from '../../../db/sql.ts'
import { dayBefore } from '../../../behaviours/computed.ts'
import { joinConditions, type Measure, type MeasureContext, type Sql } from '../measures.ts'

/** SQL of the time at which a market day begins: midnight of the report zone. */
const startOfMarketDay = (context: MeasureContext): Sql => context.start(sql`d.date`)

const withinFilters = ({ narrowed }: MeasureContext, cell: 'p' | 'e'): Sql =>
  narrowed({ region: sql.ref(`${cell}.region_id`), category: sql`r.productcategory_id` })

const dimensionColumns = (cell: 'p' | 'e') => ({
  region: sql.ref(`${cell}.region_id`),
  category: sql`r.productcategory_id`,
})

const isQuoted = sql`p.price is not null and p.origin <> 'carried'`

/**
 * Measure of expected cells, with the value 1 when the day has a price in them: those of the day, and those
 * of the published day before (market §4). Carried prices count separately.
 */
export function expectedMeasure(context: MeasureContext, key: 'expected' | 'carried'): Measure {
  const isFilled = key === 'expected' ? isQuoted : sql`p.price is not null and p.origin = 'carried'`
  return {
    key,
    from: sql`pricedates d cross join lateral (
      select p.product_id, min(p.region_id) as region_id, bool_or(p.pricedate_id = d.id and ${isFilled}) as filled
        from pricelists p where p.pricedate_id in (d.id, (${dayBefore(sql`d.date`)}))
       group by p.product_id, p.district_id, p.market_type) e
      join products r on r.id = e.product_id`,
    where: withinFilters(context, 'e'),
    at: startOfMarketDay(context),
    value: sql`case when e.filled then 1 else 0 end`,
    dims: dimensionColumns('e'),
  }
}

const cellsTable = sql`pricelists p join pricedates d on d.id = p.pricedate_id join products r on r.id = p.product_id`

export const cellsMeasure = (context: MeasureContext): Measure => ({
  key: 'cells',
  from: cellsTable,
  where: joinConditions(withinFilters(context, 'p'), isQuoted),
  at: startOfMarketDay(context),
  dims: dimensionColumns('p'),
})

export const unconfirmed = (context: MeasureContext): Measure => ({
  key: 'to_check',
  from: cellsTable,
  where: joinConditions(withinFilters(context, 'p'), sql`p.state = 'check'`),
})

/** Measure of prices that were changed after their day was published. */
export const correctedMeasure = (context: MeasureContext): Measure => ({
  key: 'corrected',
  from: cellsTable,
  where: joinConditions(withinFilters(context, 'p'), sql`p.updated_at > d.published_at`),
  at: sql`p.updated_at`,
})

export const marketDays = (context: MeasureContext): Measure => ({
  key: 'market_days',
  from: sql`pricedates d`,
  at: startOfMarketDay(context),
})

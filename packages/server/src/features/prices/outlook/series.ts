/**
 * Reads a price over time, a line for each district, a region or the whole country, in one statement (market
 * §5).
 */
import {
  type Caller,
  maxPricePoints,
  type PriceMeasure,
  type PriceSeries,
  type ReportInterval,
  unprocessableFault,
} from '@dala/model'
import type { SeriesAnswer } from '@dala/model/api/price-outlook'
import { sql, type Template } from '../../../db/sql.ts'
import type { Queries } from '../../../db/database.ts'
import { amountSql } from '../../../domain/market/comparable-price.ts'
import type { View } from '../../../resources/attributes.ts'
import { reportDay } from '../../../domain/market/report-day.ts'
import { marketPriceSql, linkSql, readInFrame, unitLinkSql } from './frame.ts'
import type { SeriesQuery } from './query.ts'

type Sql = Template<unknown>

/** Days of a price series before the last one when the query names no first day. */
const defaultSeriesDays = 90

const intervalSteps: Readonly<Record<ReportInterval, string>> = { day: '1 day', week: '1 week', month: '1 month' }

/** SQL of the value of an interval in a price series; a price with an upper limit counts up to it. */
const values: Readonly<Record<PriceMeasure, Sql>> = {
  median: sql`percentile_cont(0.5) within group (order by x.value::float8)`,
  min: sql`min(x.value)`,
  max: sql`max(x.upper)`,
}

interface SeriesRow {
  series: PriceSeries
  from: string
  to: string
  points: number
}

/**
 * Reads a price series. Unconfirmed prices are left out. A value aggregates the prices of its interval;
 * carried prices count only when there are no others.
 *
 * @param runner - The database or a transaction.
 * @param caller - The caller.
 * @param view - The view of price lists of the caller.
 * @param query - The query with its defaults.
 * @returns The lines with all their intervals, and the days they cover.
 * @throws 422 for records that do not exist, and for more intervals than a line may have.
 */
export async function readSeries(
  runner: Queries,
  caller: Caller,
  view: View,
  query: SeriesQuery,
): Promise<SeriesAnswer> {
  const { marketType, locale, interval, priceMeasure, region, districts } = query
  const { series, from, to, points } = await readInFrame<SeriesRow>(
    runner,
    { caller, view, filters: query },
    (scopedParts) => {
      const price = sql.ref(scopedParts.document)
      const isByDistrict = districts !== undefined
      const lines = isByDistrict
        ? sql`select p.id as line, ${linkSql('districts_texts', sql`p.id`, locale)} as district, null::json as region, p."order", p.id from places p`
        : sql`select 0 as line, null::json as district,
                   ${region === undefined ? sql`null::json` : sql`(select ${linkSql('regions_texts', sql`a.id`, locale)} from area a)`} as region, 0 as "order", 0 as id`
      const tables = sql`
      stretch as (
        select coalesce(${query.from ?? null}::date, last - ${defaultSeriesDays}::int) as first, last, today
          from (select coalesce(${query.to ?? null}::date, greatest(${query.from ?? null}::date, today)) as last, today
                  from (select ${reportDay}::date as today) clock) ending),
      intervals as (
        select t::date as t, (t + ${intervalSteps[interval]}::interval)::date - 1 as ends from stretch,
          generate_series(date_trunc(${interval}, first::timestamp), last::timestamp, ${intervalSteps[interval]}::interval) t
         limit ${maxPricePoints + 1}),
      lines as (${lines}),
      used as (
        select ${isByDistrict ? sql`c.district_id` : sql`0`} as line, date_trunc(${interval}, e.date::timestamp)::date as t,
               ${amountSql} as value, ${amountSql} * greatest(coalesce(c.price_max / c.price, 1), 1) as upper,
               c.origin = 'carried' as carried, e.state <> 'published' as open
          from (select ${price}.* from ${scopedParts.from} where ${scopedParts.where}) c
          join pricedates e on e.id = c.pricedate_id and e.date between (select first from stretch) and (select last from stretch)
          join goods g on g.id = c.product_id join units cu on cu.id = c.unit_id
         where ${marketPriceSql(query)} and c.price is not null and c.state <> 'check'),
      known_values as (
        select *, bool_or(not carried) over (partition by line, t) as is_own from used where value is not null),
      summed as (
        select x.line, x.t, bool_and(x.carried) as carried, count(*)::int as n,
               round((${values[priceMeasure]})::numeric, 4) as value, bool_or(x.open) as open
          from known_values x where not x.is_own or not x.carried
         group by x.line, x.t)`
      const json = sql`json_build_object(
        'from', (select first::text from stretch), 'to', (select last::text from stretch),
        'points', (select count(*) from intervals),
        'series', (select json_build_object(
          'product', ${linkSql('products_texts', sql`g.id`, locale)}, 'unit', ${unitLinkSql(locale)},
          'lines', (select coalesce(json_agg(json_build_object('district', l.district, 'region', l.region, 'points', (
              select coalesce(json_agg(json_build_object('t', i.t::text, 'value', s.value, 'n', coalesce(s.n, 0),
                       'carried', coalesce(s.carried, false),
                       'partial', coalesce(s.open, false) or i.ends > (select least(last, today) from stretch)
                         or i.t < (select first from stretch)) order by i.t), '[]')
                from intervals i left join summed s on s.line = l.line and s.t = i.t
               where (select count(*) from intervals) <= ${maxPricePoints})) order by l."order", l.id), '[]') from lines l))
          from goods g limit 1))`
      return { tables, json }
    },
  )
  if (points > maxPricePoints) {
    const params = { field: 'interval', max: maxPricePoints }
    throw unprocessableFault([{ path: ['interval'], code: 'validation.maxItems', params }])
  }
  return { data: series, meta: { from, to, interval, measure: priceMeasure, market_type: marketType } }
}

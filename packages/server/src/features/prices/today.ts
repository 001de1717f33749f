/** Reads today by the report zone, its progress, and the past days without published prices. */
import { type Caller, decideAccess, type Locale, type PriceToday } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import type { View } from '../../resources/attributes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { dayBefore, hasNoMarket } from '../../behaviours/computed.ts'
import { zoneSql } from '../../db/calendar.ts'
import { reportDay } from '../../domain/market/report-day.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { shownName, wireId } from './shown.ts'

/** Number of past days that are checked for missing prices. */
const checkedDays = 14
/** Number of weeks that define on which weekdays prices are expected. */
const weeksOfRhythm = 8
const weeksWithPrices = 4
/** Maximum number of named districts without entered prices. */
const namedDistricts = 3

/**
 * SQL of the progress of today. A district without a market is not expected to have prices. A day that has
 * not been begun expects none when its weekday had no published prices in the eight weeks, as long as other
 * days had some.
 */
const progressSql = (locale: Locale): Template<unknown> => sql`(
  with record as (select id, state from own),
  rhythm as (
    select not exists (select 1 from record) and count(distinct date_trunc('week', p.day)) >= ${weeksWithPrices}
           and not coalesce(bool_or(extract(isodow from p.day) = extract(isodow from t.day)), false) as rests
      from today t left join published p on p.day < t.day and p.day >= t.day - ${weeksOfRhythm * 7}::int),
  now_priced as (
    select p.product_id, p.district_id, p.market_type, p.origin from pricelists p
     where p.pricedate_id = (select id from record) and p.price is not null),
  former as (
    select p.product_id, p.district_id, p.market_type from pricelists p
     where p.pricedate_id = (${dayBefore(sql`(select day from today)`)}) and p.price is not null
       and not (select rests from rhythm) and not ${hasNoMarket(sql`(select id from record)`, sql`p.district_id`)}),
  cells as (select n.origin, district_id from now_priced n full join former f using (product_id, district_id, market_type)),
  open as (
    select district_id as district, count(*)::int as count from cells
     where origin is null or origin = 'carried' group by district_id)
  select json_build_object(
      'pricedate', (select id from record), 'state', (select state from record), 'expected', count(*)::int,
      'entered', (count(*) filter (where origin <> 'carried'))::int,
      'carried', (count(*) filter (where origin = 'carried'))::int,
      'missing', (count(*) filter (where origin is null))::int,
      'districts', (
        select coalesce(json_agg(json_build_object(
            'id', ${wireId('districts_texts', sql`o.district`)}, 'name', ${shownName('districts_texts', sql`o.district`, locale)},
            'count', o.count) order by o.count desc, o.district), '[]'::json)
          from (select * from open order by count desc, district limit ${namedDistricts}::int) o),
      'districts_count', (select count(*)::int from open))
    from cells)`

/** Fields of the answer about today's prices except the zone. */
type TodayRow = Omit<PriceToday, 'zone'>

/**
 * Reads today's prices, their progress and the gaps of the days before.
 *
 * @param runner - The database.
 * @param caller - The caller.
 * @param view - The view of price dates of the caller.
 * @param locale - The language of the names of districts.
 * @returns The day, its zone, the missing days of two weeks, and for writers of prices the progress of the
 * day.
 */
export async function readToday(runner: Queries, caller: Caller, view: View, locale: Locale): Promise<PriceToday> {
  const resource = resourceNamed('pricedates')
  const mayWrite = decideAccess(resourceNamed('pricelists').access, 'update', caller) !== false
  const [todayRow] = await runScopedQuery(runner, { resource, caller, view }, ({ from, where, document }) => {
    const [id, date, state] = ['id', 'date', 'state'].map((name) => sql.ref(`${document}.${name}`))
    const firstDay = checkedDays + weeksOfRhythm * 7
    return sql<TodayRow>`
      with today as materialized (select ${reportDay}::date as day),
      published as materialized (
        select ${date} as day from ${from}
         where ${where} and ${state} = 'published' and ${date} >= (select day - ${firstDay}::int from today)),
      own as (select ${id} as id, ${state} as state from ${from} where ${where} and ${date} = (select day from today)),
      looked as (select (t.day - n)::date as day from today t, generate_series(1, ${checkedDays}::int) n)
      select (select day::text from today) as date,
        (extract(epoch from (now() at time zone ${zoneSql}) - (now() at time zone 'UTC')) / 60)::int as offset_minutes, (
        select coalesce(json_agg(l.day::text order by l.day desc), '[]'::json) from looked l
         where l.day not in (select day from published)
           and (select count(*) from published p
                 where p.day < l.day and p.day >= l.day - ${weeksOfRhythm * 7}::int
                   and extract(isodow from p.day) = extract(isodow from l.day)) >= ${weeksWithPrices}) as missing,
        ${mayWrite ? progressSql(locale) : sql`null::json`} as progress`
  })
  const { date, offset_minutes, missing, progress } = todayRow ?? {
    date: '',
    offset_minutes: 0,
    missing: [],
    progress: null,
  }
  return { date, zone: runner.calendar.zone, offset_minutes, missing, progress }
}

/**
 * Reads the confirmed history of many prices in one statement; new prices are checked against it (market §4).
 */
import {
  type EnteredPrice,
  judgePrice,
  type PriceFlag,
  type PriceHistory,
  historySize,
  maxUnchangedDays,
  minPrices,
} from '@dala/model'
import type { Queries, Transaction } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { reportDay } from './report-day.ts'

/** The product, district and market of a price, by the ids of their documents. */
export interface PricePlace {
  product: number
  district: number
  marketType: string
  unit: number
}

/** The number of published days in a price history, and the maximum age of a price in days. */
const maxHistoryDays = 60
const oldestInDays = 400

/** The history of a price and the details of its cell, before the price is written. */
export interface KnownPrice extends PriceHistory {
  /** Number of base units in one unit of a price at this place; 1 for a unit that is never converted. */
  factor: number
  details: PlaceDetails
}

interface PlaceDetails {
  /** Factor of the product's own unit; null for a unit that is never converted. */
  unitFactor: number | null
  unitKind: string | null
  /** Kind of the product's own unit. */
  productKind: string | null
  /** Present day of a price check in the time zone of reports. */
  today: string
}

interface HistoryRow {
  place: number
  factor: number | null
  kind: string | null
  productKind: string | null
  today: string
  own: { base: number; state: string }[]
  region: number[]
  country: number[]
  neighbours: number[]
  units: KnownPrice['units']
}

/** The name of a unit in all languages, because a price's flag is read in each language. */
const unitName = sql`case jsonb_typeof(coalesce(n.short, n.name)) when 'object' then coalesce(n.short, n.name)
  else jsonb_build_object('en', coalesce(n.short, n.name) #>> '{}') end`

/** SQL of whether a price counts in a history: entered or imported, and not waiting for a confirmation. */
const countsSql = sql`p.price is not null and p.origin <> 'carried' and p.state <> 'check'`
/** SQL of the price of one base unit; a unit that is never converted compares only with itself. */
const basePriceSql = sql`case when a.factor is null then case when p.unit_id = a.unit then p.price end else p.price_base end`

/** Returns the number of days for which the newest price is unchanged, since its last confirmation. */
function unchangedDays(ownHistory: HistoryRow['own']): number {
  const [newest] = ownHistory
  if (!newest || newest.state === 'confirmed') return 0
  const end = ownHistory.findIndex((pastPrice) => pastPrice.base !== newest.base || pastPrice.state === 'confirmed')
  return end === -1 ? ownHistory.length : end
}

function toKnownPrice(row: HistoryRow): KnownPrice {
  const { factor, kind: unitKind, productKind, today, own, region, country, neighbours, units } = row
  const recentBasePrices = own.slice(0, historySize).map((pastPrice) => pastPrice.base)
  const longestHistory = [
    { level: 'district' as const, values: recentBasePrices },
    { level: 'region' as const, values: region },
    { level: 'country' as const, values: country },
  ]
  // If no level (district, region, country) has enough prices, the level with the most prices is used.
  const { level, values } = longestHistory.find((levelHistory) => levelHistory.values.length >= minPrices) ??
    longestHistory.toSorted((oneHistory, otherHistory) => otherHistory.values.length - oneHistory.values.length)[0] ?? {
      level: 'district',
      values: [],
    }
  const details = { unitFactor: factor, unitKind, productKind, today }
  return { level, values, unchanged: unchangedDays(own), neighbours, units, factor: factor ?? 1, details }
}

/**
 * Reads the price history of many places in one statement.
 *
 * @param queries - A transaction or the database.
 * @param date - The day of the prices; only published days before it count.
 * @param pricePlaces - The places, of any number of products and districts.
 * @returns One history for each place, in their order.
 */
async function readHistories(queries: Pick<Queries, 'query'>, date: string, pricePlaces: readonly PricePlace[]) {
  const rows = await queries.query(sql<HistoryRow>`
    with days as materialized (
      select d.id, d.date from pricedates d
       where d.state = 'published' and d.date < ${date}::date and d.date >= ${date}::date - ${oldestInDays}::int
       order by d.date desc limit ${maxHistoryDays}),
    asked as materialized (
      select w.place, w.product, w.district, w.market, w.unit, d.region_id as region, u.factor, u.kind, pu.kind as "productKind"
        from unnest(${pricePlaces.map(({ product }) => product)}::int[], ${pricePlaces.map(({ district }) => district)}::int[],
                    ${pricePlaces.map(({ marketType }) => marketType)}::text[], ${pricePlaces.map(({ unit }) => unit)}::int[])
             with ordinality as w(product, district, market, unit, place)
        left join districts d on d.id = w.district left join units u on u.id = w.unit
        left join products g on g.id = w.product left join units pu on pu.id = g.unit_id),
    own as materialized (
      select a.*, coalesce(h.own, '[]'::json) as own, coalesce(h.count, 0) as count from asked a
        left join lateral (
          select json_agg(json_build_object('base', l.base::float8, 'state', l.state) order by l.date desc) as own, count(*) as count
            from (select ${basePriceSql} as base, p.state, days.date
                    from days join pricelists p on p.pricedate_id = days.id and p.product_id = a.product
                     and p.district_id = a.district and p.market_type = a.market
                   where ${countsSql} and ${basePriceSql} is not null order by days.date desc limit ${maxUnchangedDays - 1}) l) h on true),
    areas as materialized (
      select distinct a.product, a.market, a.unit, a.factor, a.region from own a where a.count < ${minPrices}),
    regional as materialized (
      select a.*, coalesce(h.values, '[]'::json) as values, coalesce(h.count, 0) as count from areas a
        left join lateral (
          select json_agg(l.base::float8 order by l.date desc) as values, count(*) as count
            from (select ${basePriceSql} as base, days.date
                    from days join pricelists p on p.pricedate_id = days.id and p.product_id = a.product and p.market_type = a.market
                   where p.region_id = a.region and ${countsSql} and ${basePriceSql} is not null
                   order by days.date desc limit ${historySize}) l) h on true),
    countries as materialized (
      select a.product, a.market, a.unit, coalesce(h.values, '[]'::json) as values
        from (select distinct product, market, unit, factor from regional where count < ${minPrices}) a
        left join lateral (
          select json_agg(l.base::float8 order by l.date desc) as values
            from (select ${basePriceSql} as base, days.date
                    from days join pricelists p on p.pricedate_id = days.id and p.product_id = a.product and p.market_type = a.market
                   where ${countsSql} and ${basePriceSql} is not null
                   order by days.date desc limit ${historySize}) l) h on true)
    select a.place::int as place, a.factor::float8 as factor, a.kind, a."productKind", ${reportDay} as today, a.own, coalesce(r.values, '[]'::json) as region, coalesce(c.values, '[]'::json) as country,
           (select coalesce(json_agg(${basePriceSql}::float8), '[]'::json)
              from pricedates d join pricelists p on p.pricedate_id = d.id and p.product_id = a.product and p.market_type = a.market
             where d.date = ${date}::date and p.region_id = a.region and p.district_id <> a.district
               and ${countsSql} and ${basePriceSql} is not null) as neighbours,
           (select coalesce(json_agg(json_build_object('name', ${unitName}, 'factor', n.factor::float8) order by n."order", n.id), '[]'::json)
              from units n where n.active and n.kind = a.kind and n.factor is not null and a.factor is not null and n.id <> a.unit) as units
      from own a
      left join regional r on r.product = a.product and r.market = a.market and r.unit = a.unit and r.region is not distinct from a.region
      left join countries c on c.product = a.product and c.market = a.market and c.unit = a.unit
     order by a.place`)
  return rows.map(toKnownPrice)
}

const keyOf = (date: string, { product, district, marketType, unit }: PricePlace) =>
  `${date}/${product}/${district}/${marketType}/${unit}`

/** Price histories that were loaded for all cells of a call, by the transaction that writes them. */
const loadedHistories = new WeakMap<Transaction, Map<string, KnownPrice>>()

/**
 * Loads the price histories of places that are about to be written in this transaction, so that each write
 * need not.
 *
 * @param trx - The transaction of the writes.
 * @param date - The day of the prices.
 * @param pricePlaces - The places of the prices.
 */
export async function readHistoriesAhead(
  trx: Transaction,
  date: string,
  pricePlaces: readonly PricePlace[],
): Promise<void> {
  const readAheadPrices = loadedHistories.get(trx) ?? new Map<string, KnownPrice>()
  loadedHistories.set(trx, readAheadPrices)
  const unknownPlaces = pricePlaces.filter((pricePlace) => !readAheadPrices.has(keyOf(date, pricePlace)))
  if (unknownPlaces.length === 0) return
  for (const [index, history] of (await readHistories(trx, date, unknownPlaces)).entries()) {
    const pricePlace = unknownPlaces[index]
    if (pricePlace) readAheadPrices.set(keyOf(date, pricePlace), history)
  }
}

/**
 * Returns the price history and the details of a place within the write of its price.
 *
 * @param trx - The transaction of the write.
 * @param date - The day of the price.
 * @param pricePlace - The place of the price.
 * @returns The confirmed prices, and the details that the price is calculated from.
 */
export async function knownPriceInWrite(
  trx: Transaction,
  date: string,
  pricePlace: PricePlace,
): Promise<KnownPrice | undefined> {
  await readHistoriesAhead(trx, date, [pricePlace])
  return loadedHistories.get(trx)?.get(keyOf(date, pricePlace))
}

/** A price to be checked, with its product, district and market. */
export type PriceToJudge = PricePlace & Omit<EnteredPrice, 'factor'>

/** Maximum number of price histories that one statement reads. */
const maxHistoriesAtOnce = 1000

/**
 * Checks many prices of a day before they are written, for example those of an import.
 *
 * @param queries - A transaction or the database.
 * @param date - The day of the prices.
 * @param prices - The prices, of any number.
 * @returns For each price, in their order, why it waits; undefined for a usual one.
 * @see market §4
 */
export async function judgePrices(
  queries: Pick<Queries, 'query'>,
  date: string,
  prices: readonly PriceToJudge[],
): Promise<(PriceFlag | undefined)[]> {
  const flags: (PriceFlag | undefined)[] = []
  for (let startIndex = 0; startIndex < prices.length; startIndex += maxHistoriesAtOnce) {
    const priceChunk = prices.slice(startIndex, startIndex + maxHistoriesAtOnce)
    const histories = await readHistories(queries, date, priceChunk)
    for (const [index, price] of priceChunk.entries()) {
      const history = histories[index]
      flags.push(history && judgePrice({ ...price, factor: history.factor }, history))
    }
  }
  return flags
}

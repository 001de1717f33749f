/**
 * Seeds the prices of the fourteen months before the seed, in the districts of the season, for charts,
 * changes and reports.
 */
import { sql } from '../../db/sql.ts'
import { editor } from '../accounts.ts'
import places from '../data/districts.json' with { type: 'json' }
import { drawOf } from '../draws.ts'
import { currency, firstDistricts, perBaseUnit, pricedProducts, priceOn } from '../price-rule.ts'
import { dayRecord, entryTimeOf } from '../prices.ts'
import type { Seeder } from '../seeder.ts'

/** Number of Mondays with prices of the season. */
const seasonDays = 61

/** Shares of days with missing prices, and of missing prices and of districts without any on these days. */
const missingShares = { day: 0.3, price: 0.01, district: 0.03 }

/**
 * Slips that are visible in charts: a price ten times too high or too low, a number of days before the last.
 */
const priceSlips = [6, 17, 23, 38, 51].map((daysBack) => ({
  daysBack,
  factor: drawOf('slip', daysBack) < 0.5 ? 10 : 0.1,
}))

/** The region whose districts all have prices, so that its table of a day is full. */
const fullRegion = '1735'

/**
 * Returns the districts of the season: those of the first start, all of one region, and the first of each
 * other region.
 */
export function seasonDistricts(): string[] {
  const placesByRegion = Map.groupBy(places, ({ regionCode }) => regionCode)
  const wholeRegion = placesByRegion.get(fullRegion) ?? []
  const firstPlaces = [...placesByRegion.values()].flatMap(([firstDistrict]) => firstDistrict ?? [])
  return [...new Set([...firstDistricts, ...[...wholeRegion, ...firstPlaces].map(({ code }) => code)])]
}

interface Cell {
  product: string
  district: string
  unit: string
  price: number
}

/** Returns the season's price cells of a day without the missing ones. */
function cellsOf(date: string, daysBack: number): Cell[] {
  const priceSlip = priceSlips.find((plannedSlip) => plannedSlip.daysBack === daysBack)
  const slippedIndex = priceSlip
    ? Math.floor(drawOf('slipped', date) * pricedProducts.length * seasonDistricts().length)
    : -1
  const hasGaps = drawOf('gaps', date) < missingShares.day
  return seasonDistricts()
    .filter(
      (district) =>
        firstDistricts.includes(district) || !hasGaps || drawOf('away', date, district) >= missingShares.district,
    )
    .flatMap((district, row) =>
      pricedProducts.flatMap((range, column) => {
        const { product, unit } = range
        if (hasGaps && drawOf('missing', date, district, product) < missingShares.price) return []
        const price = priceOn(date, range, district)
        const isSlippedPrice = priceSlip && row * pricedProducts.length + column === slippedIndex
        return [{ product, district, unit, price: isSlippedPrice ? Math.round(price * priceSlip.factor) : price }]
      }),
    )
}

/** Number of batches of the season's prices of a day; each is a short transaction, for which others wait. */
const portionCount = 3
const portionOf = (portionIndex: number) => ({
  daysBeforeLast: Math.floor(portionIndex / portionCount),
  districts: seasonDistricts().filter((_, row) => row % portionCount === portionIndex % portionCount),
})

/** Number of batches of the season's prices of all days. */
export const seasonPortions = seasonDays * portionCount

/**
 * Fills a part of a demo price day with its missing prices, in one statement and without history. A day that
 * a user has begun is skipped.
 *
 * @param seeder - The transaction of the part.
 * @param portionIndex - The index of the batch, the newest first.
 */
export async function seedSeasonPrices(seeder: Seeder, portionIndex: number): Promise<void> {
  const { daysBeforeLast, districts } = portionOf(portionIndex)
  const date = seeder.calendar.mondays(seasonDays).toReversed()[daysBeforeLast] ?? ''
  const { id: day } = await seeder.add('pricedates', dayRecord(date))
  const cells = cellsOf(date, daysBeforeLast).filter(({ district }) => districts.includes(district))
  const ids = async (name: string, keys: readonly string[]) => Promise.all(keys.map((key) => seeder.id(name, key)))
  const entryTime = entryTimeOf(date)
  await seeder.trx.query(sql`
    insert into pricelists (product_id, district_id, region_id, pricedate_id, unit_id, author_id, price, price_base,
        currency, created_at, updated_at)
    select p.document_id, d.document_id, place.region_id, ${day}::int, l.unit, ${await seeder.id('users', editor)}::int, l.price,
           l.base, ${currency}::text, ${entryTime}::timestamptz, ${entryTime}::timestamptz
      from unnest(
        ${await ids(
          'products',
          cells.map(({ product }) => product),
        )}::int[],
        ${await ids(
          'districts',
          cells.map(({ district }) => district),
        )}::int[],
        ${await ids(
          'units',
          cells.map(({ unit }) => unit),
        )}::int[],
        ${cells.map(({ price }) => price)}::numeric[],
        ${cells.map(({ price, unit }) => perBaseUnit(price, unit))}::numeric[]
      ) with ordinality as l(product, district, unit, price, base, place)
      join products_texts p on p.id = l.product
      join districts_texts d on d.id = l.district
      join districts place on place.id = d.document_id
      join pricedates made on made.id = ${day}::int and made.created_at = ${entryTime}::timestamptz
     order by l.place
        on conflict do nothing`)
  seeder.trx.changed('pricelists')
  seeder.trx.changed('pricedates')
}

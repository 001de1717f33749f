/**
 * Makes published days of plausible prices for the proofs of the price day: seasons, districts and daily
 * noise, the same in every run.
 */
import { sql } from '../../packages/server/src/db/sql.ts'
import { prepareFirstData } from '../lib/first-data.ts'

export interface PriceWorldSize {
  products: number
  districts: number
  /** Number of days with published prices; draft days follow them up to today. */
  days: number
  drafts: number
}

/** Factors between units of a price, because a price taken for that of another unit is a slip. */
export const factors = [1, 1000, 50, 100] as const

/** Returns a source of numbers between 0 and 1 that depend only on their seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let hash = Math.imul(state ^ (state >>> 15), 1 | state)
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Rounds a price as a market writes it: at most three digits, the last one even or 5. */
function marketPrice(value: number): number {
  const step = Math.max(5, 10 ** (Math.floor(Math.log10(value)) - 1) / 2)
  return Math.round(value / step) * step
}

/**
 * Prices of a product in a district, day by day: a season of up to two fifths around the middle, and daily
 * changes of some per cent that fade within a week.
 */
export function seriesOf(product: number, district: number, days: number): number[] {
  const drawForProduct = randomNumbers(product * 7919 + 1)
  const [middlePrice, swing, phase] = [
    10 ** (3 + drawForProduct() * 2),
    drawForProduct() * 0.4,
    drawForProduct() * 2 * Math.PI,
  ]
  const drawForCell = randomNumbers(product * 104_729 + district * 1299 + 2)
  const factor = 0.85 + drawForCell() * 0.3
  let priceDrift = 0
  return Array.from({ length: days }, (_, day) => {
    // The sum of three uniform draws is close enough to a normal distribution of daily changes.
    priceDrift = priceDrift * 0.8 + (drawForCell() + drawForCell() + drawForCell() - 1.5) * 0.05
    return marketPrice(
      middlePrice * factor * (1 + swing * Math.sin((2 * Math.PI * day) / 365 + phase)) * Math.exp(priceDrift),
    )
  })
}

/** Returns the day a number of days before today, `2026-03-01`. */
export const computeEarlierDay = (today: string, count: number) =>
  new Date(Date.parse(today) - count * 86_400_000).toISOString().slice(0, 10)

/** Returns today in the time zone of price days. */
export const reportToday = (): string => new Date(Date.now() + 5 * 3_600_000).toISOString().slice(0, 10)

/**
 * Fills a new data folder with prices, and creates an owner.
 *
 * @param dataDir - The folder.
 * @param size - Numbers of products, districts and days.
 */
export async function fillWorld(dataDir: string, { products, districts, days, drafts }: PriceWorldSize): Promise<void> {
  await prepareFirstData({ dataDir, seed: 'none' }, async (database) => {
    await database.script(`
      insert into units (name, short, code, kind, factor, "order") values
        ('{"en":"Kilogram","ru":"Килограмм","kaa":"Kilogramm"}', '{"en":"kg","ru":"кг","kaa":"kg"}', 'kg', 'mass', 1, 1),
        ('{"en":"Tonne"}', '{"en":"t"}', 't', 'mass', 1000, 2), ('{"en":"Sack"}', '{"en":"sack"}', 'sack', 'mass', 50, 3),
        ('{"en":"Centner"}', '{"en":"c"}', 'c', 'mass', 100, 4);
      insert into regions (source_locale, "order") values ('en', 1);
      insert into regions_texts (document_id, locale, name) select id, 'en', 'Region' from regions;
      insert into districts (source_locale, "order", region_id)
        select 'en', n, (select id from regions) from generate_series(1, ${districts}) n;
      insert into districts_texts (document_id, locale, name) select id, 'en', 'District ' || "order" from districts;
      insert into products (source_locale, "order", slug, unit_id)
        select 'en', n, 'product-' || n, (select id from units where code = 'kg') from generate_series(1, ${products}) n;
      insert into products_texts (document_id, locale, name) select id, 'en', 'Product ' || "order" from products;`)
    const today = reportToday()
    const priceDates = Array.from({ length: days }, (_, index) => computeEarlierDay(today, days + drafts - 1 - index))
    const begunUpload = Array.from({ length: drafts }, (_, index) => computeEarlierDay(today, index))
    await database.transaction(async (trx) => {
      await trx.query(sql`
        insert into pricedates (date, state, published_at) select d, 'published', d from unnest(${priceDates}::date[]) d`)
      await trx.query(sql`insert into pricedates (date) select d from unnest(${begunUpload}::date[]) d`)
      for (let product = 1; product <= products; product += 1) {
        for (let district = 1; district <= districts; district += 1) {
          await trx.query(sql`
            insert into pricelists (price, price_base, product_id, district_id, region_id, pricedate_id, unit_id)
            select w.price, w.price, p.id, d.id, d.region_id, e.id, u.id
              from unnest(${seriesOf(product, district, days)}::numeric[], ${priceDates}::date[]) as w(price, date)
              join pricedates e on e.date = w.date join products p on p."order" = ${product}
              join districts d on d."order" = ${district} join units u on u.code = 'kg'`)
        }
      }
      trx.changed('pricelists')
    })
  })
}

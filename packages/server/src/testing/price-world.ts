/**
 * Prices of many days for tests, also returned as plain rows, so that a test can compute the expected figures
 * itself.
 */
import { sql } from '../db/sql.ts'
import { buildRecord, buildDistrict, buildRegion } from './factories.ts'
import type { ResourceApp } from './resource-app.ts'

/** A price of the test world with the ids of the wire. */
export interface PriceRow {
  product: number
  district: number
  date: string
  price: number | null
  unit: string
  /** Price in the base unit, in ten thousandths; null where the unit has no factor. */
  base: bigint | null
  origin: 'entered' | 'carried' | 'imported'
  state: 'ok' | 'check' | 'confirmed'
  published: boolean
}

interface NumberedRecord {
  id: number
  /** Name of the linked region, or of the linked unit. */
  of: string
}

export interface PriceWorld {
  products: NumberedRecord[]
  districts: NumberedRecord[]
  regions: Record<string, number>
  categories: Record<'crops' | 'grain' | 'eggs', number>
  rows: PriceRow[]
}

const factors: Readonly<Record<string, number | null>> = { kg: 1, tonne: 1000, bunch: null, piece: 1 }
const unitsOf: Readonly<Record<string, readonly string[]>> = { kg: ['kg', 'tonne'], bunch: ['bunch'], piece: ['piece'] }

/** Number of prices that one statement writes: a statement has five seconds, also on a busy machine. */
const portion = 2_000

/** Makes numbers between 0 and 1, the same in every run. */
export function createDraws(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const dayAfter = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)

/**
 * Creates eight products in two categories, six districts in two regions, and prices on most of the days.
 *
 * @param days - Number of days from `first` on.
 */
export async function buildPriceWorld({ database }: ResourceApp, firstDay: string, days: number): Promise<PriceWorld> {
  const drawNumber = createDraws(11)
  const regions = { north: await buildRegion(database), south: await buildRegion(database) }
  const units: Record<string, number> = {}
  for (const [name, factor] of Object.entries(factors)) {
    const kind = name === 'kg' || name === 'tonne' ? 'mass' : 'count'
    units[name] = await buildRecord(database, 'units', { name, short: { en: name }, code: name, kind, factor })
  }
  const crops = await buildRecord(database, 'productcategories', { name: 'Crops', moving_from: 2, sharp_from: 20 })
  const grainCategory = await buildRecord(database, 'productcategories', { name: 'Grain', parent: crops })
  const eggs = await buildRecord(database, 'productcategories', { name: 'Eggs' })
  const products: NumberedRecord[] = []
  for (const [order, unitName] of ['kg', 'kg', 'kg', 'bunch', 'kg', 'piece', 'kg', 'piece'].entries()) {
    const productcategory = order < 4 ? grainCategory : eggs
    const id = await buildRecord(database, 'products', {
      name: `Product ${order}`,
      unit: units[unitName],
      productcategory,
      order,
    })
    products.push({ id, of: unitName })
  }
  const districts: NumberedRecord[] = []
  for (const [order, regionName] of ['north', 'north', 'north', 'south', 'south', 'south'].entries()) {
    const region = regionName === 'north' ? regions.north : regions.south
    const position = { lat: 42 + order / 10, lng: 60 + order / 10 }
    districts.push({ id: await buildDistrict(database, { region, order, ...position }), of: regionName })
  }

  const rows: PriceRow[] = []
  for (let day = 0; day < days; day += 1) {
    const date = dayAfter(firstDay, day)
    // One day in ten of the test prices is a holiday; some other days stay unpublished.
    if (drawNumber() < 0.1) continue
    const isPublishedDay = drawNumber() > 0.08
    for (const product of products) {
      for (const district of districts) {
        if (drawNumber() < 0.25) continue
        const choices = unitsOf[product.of] ?? []
        const unit = drawNumber() < 0.1 ? (choices.at(-1) ?? product.of) : product.of
        const factor = factors[unit] ?? null
        const price =
          drawNumber() < 0.05
            ? null
            : Math.round((2_000 + drawNumber() * 900) * (unit === 'tonne' ? 1000 : 1) * 100) / 100
        const cents = price === null ? null : BigInt(Math.round(price * 100))
        const scaledPrice =
          cents === null || factor === null ? null : (cents * 100n * 2n + BigInt(factor)) / (2n * BigInt(factor))
        const chance = drawNumber()
        rows.push({
          product: product.id,
          district: district.id,
          date,
          price,
          unit,
          base: scaledPrice,
          origin: chance < 0.2 ? 'carried' : chance < 0.4 ? 'imported' : 'entered',
          state: drawNumber() < 0.1 ? 'check' : drawNumber() < 0.3 ? 'confirmed' : 'ok',
          published: isPublishedDay,
        })
      }
    }
  }
  const storedRows = rows.map(({ base, ...row }) => ({ ...row, base: base === null ? null : Number(base) / 10_000 }))
  await database.query(sql`
    insert into pricedates (date, state) select distinct r.date, case when r.published then 'published' else 'draft' end
      from json_to_recordset(${JSON.stringify(storedRows)}::json) r(date date, published boolean)`)
  for (let start = 0; start < storedRows.length; start += portion) {
    const portionText = JSON.stringify(storedRows.slice(start, start + portion))
    await database.query(sql`
      insert into pricelists (product_id, district_id, region_id, pricedate_id, price, price_base, unit_id, origin, state)
      select p.document_id, d.document_id, dd.region_id, e.id, r.price, r.base, u.id, r.origin, r.state
        from json_to_recordset(${portionText}::json)
               r(product int, district int, date date, price numeric, base numeric, unit text, origin text, state text)
        join products_texts p on p.id = r.product join districts_texts d on d.id = r.district
        join districts dd on dd.id = d.document_id join pricedates e on e.date = r.date join units u on u.code = r.unit`)
  }
  return { products, districts, regions, categories: { crops, grain: grainCategory, eggs }, rows }
}

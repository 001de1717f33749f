/** Carries prices of an earlier day over to a day that has none yet (market §5). */
import { fault, type PriceMarket } from '@dala/model'
import type { CarriedCell, CopyBody } from '@dala/model/api/prices'
import type { Transaction } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { dayBefore, hasNoMarket } from '../../behaviours/computed.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { reportDay } from '../../domain/market/report-day.ts'
import type { WriteContext } from '../../resources/write/write.ts'
import { writeEntries } from '../../resources/write/write-many.ts'
import { mustBeConfirmedSql, wireId } from './shown.ts'

/** Maximum number of prices that one call carries over. */
const maxCopiedPrices = 5000

interface Source {
  product: number
  district: number
  market_type: PriceMarket
  unit: number
  price: number
  price_max: number | null
  price_base: number | null
  currency: string | null
  /** Id of the price that the target day of a copy has already. */
  id: number | null
}

/**
 * Finds prices of the earlier day to carry over: those whose cells are empty on the target day, or all of
 * them.
 */
function findSources(trx: Transaction, day: number, draft: CopyBody): Promise<Source[]> {
  const { from, products, districts, market_type: marketType } = draft
  const isOnlyEmpty = draft.only_empty !== false
  const formerDay = from
    ? sql`(select e.id from pricedates e where e.date = ${from}::date)`
    : sql`(${dayBefore(sql`${draft.to}::date`)})`
  const scopeOf = (ids: readonly number[] | null | undefined, column: string, texts: string) =>
    ids
      ? sql`${sql.ref(column)} in (select document_id from ${sql.table(texts)} where id = any(${[...ids]}::int[]))`
      : sql`true`
  return trx.query(sql<Source>`
    select ${wireId('products_texts', sql`p.product_id`)} as product, ${wireId('districts_texts', sql`p.district_id`)} as district,
           p.market_type, p.unit_id as unit, p.price::float8 as price, p.price_max::float8 as price_max,
           p.price_base::float8 as price_base, p.currency, c.id
      from pricelists p join products g on g.id = p.product_id
      left join pricelists c on c.pricedate_id = ${day} and c.product_id = p.product_id and c.district_id = p.district_id
       and c.market_type = p.market_type
     where p.pricedate_id = ${formerDay} and p.price is not null and g.active and not ${mustBeConfirmedSql(sql`p`)}
       and ${isOnlyEmpty ? sql`c.price is null` : sql`true`} and ${scopeOf(products, 'p.product_id', 'products_texts')}
       and ${scopeOf(districts, 'p.district_id', 'districts_texts')} and ${marketType ? sql`p.market_type = ${marketType}` : sql`true`}
       and not ${hasNoMarket(sql`${day}::int`, sql`p.district_id`)}
     order by p.product_id, p.district_id, p.market_type limit ${maxCopiedPrices + 1}`)
}

/**
 * Carries prices over to another day. They are marked as carried until somebody confirms each: medians,
 * warnings and changes ignore them.
 *
 * @param context - The write's context with its transaction.
 * @param draft - The prices, their day and the target day.
 * @returns The carried cells.
 * @throws 404 for a day that the caller may not see; 422 for a published or future day and for too many
 *   prices.
 */
export async function copyPrices(
  context: WriteContext & { trx: Transaction },
  draft: CopyBody,
): Promise<{ cells: CarriedCell[] }> {
  const { trx, author } = context
  const [pricedates, pricelists] = [resourceNamed('pricedates'), resourceNamed('pricelists')]
  const [foundDay] = await trx.query(
    sql<{
      id: number
      today: string
    }>`select d.id, ${reportDay} as today from pricedates d where d.date = ${draft.to}::date`,
  )
  // A concurrent write of the same price cell waits for this lock, as in a write of cells.
  const day = foundDay && (await lockEntry(trx, pricedates, foundDay.id, context))
  if (!day) throw fault('record.not-found')
  if (day.values.state === 'published') throw fault('price.published')
  if (draft.to > foundDay.today) throw fault('price.future', { issues: [{ path: ['to'], code: 'price.future' }] })
  const copiedRows = await findSources(trx, day.document, draft)
  if (copiedRows.length > maxCopiedPrices) {
    const params = { field: 'products', max: maxCopiedPrices }
    throw fault('request.unprocessable', {
      params: { message: `${copiedRows.length}` },
      issues: [{ path: ['products'], code: 'validation.maxItems', params }],
    })
  }
  // The server itself carries prices: a request body must not set their origin.
  const writeContext = { ...context, isTrusted: true } as const
  const carriedFieldsOf = (source: Source) => ({
    price: source.price,
    price_max: source.price_max,
    unit: source.unit,
    price_base: source.price_base,
    origin: 'carried',
    state: 'ok',
    flag: null,
    note: null,
    author: author.caller.id,
  })
  const cellFieldsOf = (source: Source) => ({
    product: source.product,
    district: source.district,
    pricedate: day.entry,
    market_type: source.market_type,
    currency: source.currency,
  })
  const outcomes = await writeEntries(
    writeContext,
    pricelists,
    copiedRows.map((source) =>
      source.id === null
        ? { draft: { ...cellFieldsOf(source), ...carriedFieldsOf(source) } }
        : { id: source.id, draft: carriedFieldsOf(source) },
    ),
  )
  const cells = copiedRows.map((source, index) => {
    const outcome = outcomes[index] ?? { id: 0 }
    if ('refusal' in outcome) throw outcome.refusal
    return { ...source, id: outcome.id }
  })
  const versions = await trx.query(sql<{ id: number; version: number }>`
    select id, version from pricelists where id = any(${cells.map(({ id }) => id)}::int[])`)
  const versionOf = new Map(versions.map(({ id, version }) => [id, version]))
  return {
    cells: cells.map(({ product, district, market_type, id, price, price_max, unit }) => ({
      product,
      district,
      market_type,
      id,
      price,
      price_max,
      unit,
      version: versionOf.get(id) ?? 1,
      state: 'ok',
      origin: 'carried',
    })),
  }
}

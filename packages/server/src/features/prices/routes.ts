/** Registers the routes that submit, publish and reopen a price date (content-model §8, market §5). */
import { fault, maxGridCells, type PriceMarket } from '@dala/model'
import type { StepBody } from '@dala/model/api/price-dates'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { dayBefore, hasNoMarket } from '../../behaviours/computed.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { type EnteredCall, enterFeature, type FeatureRoutes, presentEntry } from '../../resources/feature-routes.ts'
import { answerIdempotently } from '../../resources/write/idempotency.ts'
import { idOf } from '../../resources/routes.ts'
import { checkSteps } from '../../resources/write/rules.ts'
import { updateEntry, withDeadlockRetry } from '../../resources/write/write.ts'
import { copyPrices } from './copy.ts'
import { notifySubmittedDay } from './day-notices.ts'
import { readGrid } from './grid-read.ts'
import { writeGrid } from './grid-write.ts'
import { readReview, reviewOf } from './review.ts'
import { wireId } from './shown.ts'
import { readToday } from './today.ts'

const [pricedates, pricelists] = [resourceNamed('pricedates'), resourceNamed('pricelists')]

/** Maximum number of missing prices in a response. */
const maxListedCells = 500

type DayState = 'draft' | 'checking' | 'published'

/** Permissions of a publication's body for gaps and carried prices; a kind without a key is allowed. */
interface AllowedGaps {
  missing: boolean | null | undefined
  carried: boolean | null | undefined
}

/**
 * Refuses to publish a day of prices.
 *
 * @throws 422 while cells need confirmation, when a second person must publish, and for gaps and carried
 * prices that the body does not allow.
 */
async function assertPublishableDay(
  trx: Transaction,
  day: number,
  publisher: number,
  allowedGaps: AllowedGaps,
): Promise<void> {
  const { counts, confirm, missing, carried } = await reviewOf(trx, day)
  if (counts.confirm > 0) {
    const count = counts.confirm
    throw fault('price.unconfirmed', { params: { count }, details: { count, cells: confirm } })
  }
  const [ownPriceRow] = await trx.query(sql<{ own: number }>`
    select count(*)::int as own
      from pricelists p join products r on r.id = p.product_id join productcategories c on c.id = r.productcategory_id
     where p.pricedate_id = ${day} and c.two_person_check and p.author_id = ${publisher} and p.price is not null`)
  const ownPrices = ownPriceRow?.own ?? 0
  if (ownPrices > 0) throw fault('price.second-person', { params: { count: ownPrices }, details: { count: ownPrices } })
  const [gaps, copies] = [
    allowedGaps.missing === false ? counts.missing : 0,
    allowedGaps.carried === false ? counts.carried : 0,
  ]
  if (gaps + copies > 0) {
    throw fault('price.incomplete', {
      params: { missing: gaps, carried: copies },
      details: { missing: gaps > 0 ? missing : [], carried: copies > 0 ? carried : [] },
    })
  }
}

/** Returns the price cells that have a price on the published day before but not on this day. */
function gapsOf(trx: Transaction, day: number) {
  return trx.query(sql<{ product: number; district: number; market_type: PriceMarket }>`
    select ${wireId('products_texts', sql`p.product_id`)} as product, ${wireId('districts_texts', sql`p.district_id`)} as district, p.market_type
      from pricelists p join pricedates d on d.id = ${day}
     where p.pricedate_id = (${dayBefore(sql`d.date`)}) and p.price is not null
       and not ${hasNoMarket(sql`d.id`, sql`p.district_id`)} and not exists (
       select 1 from pricelists own where own.pricedate_id = d.id and own.product_id = p.product_id
         and own.district_id = p.district_id and own.market_type = p.market_type and own.price is not null)
     order by p.product_id, p.district_id, p.market_type limit ${maxListedCells}`)
}

/** Registers the routes of price dates and of the price table. */
export function registerPrices(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database } = routes

  addRoutes(
    app,
    async () => (await import('@dala/model/api/prices')).priceRoutes,
    {
      'GET /api/pricelists/grid': async ({ request, query }) => {
        const { caller } = await enterFeature(routes, pricelists, 'list', request)
        return readGrid(database, caller, await query())
      },
      'PUT /api/pricelists/grid': async ({ request, body }) => {
        const { author, view } = await enterFeature(routes, pricelists, 'update', request)
        const { data: draft } = await body()
        return { data: await withDeadlockRetry(database, (trx) => writeGrid({ database, author, view, trx }, draft)) }
      },
      'POST /api/pricelists/copy': async ({ request, reply, body }) => {
        const { author, caller, view } = await enterFeature(routes, pricelists, 'create', request)
        const { data: draft } = await body()
        return answerIdempotently({ database, caller, request, reply }, async (trx) => ({
          data: await copyPrices({ database, author, view, trx }, draft),
        }))
      },
    },
    { 'PUT /api/pricelists/grid': { config: { maxKeys: maxGridCells * 10 } } },
  )

  /** Moves a price date to another state. */
  const takeStep = async (stepCall: EnteredCall, id: number, state: DayState, body: StepBody) => {
    const { caller, author, view } = stepCall
    const { version, allow_missing, allow_carried } = body
    const isPublished = state === 'published'
    return withDeadlockRetry(database, async (trx) => {
      const storedEntry = await lockEntry(trx, pricedates, id, { author, view })
      if (!storedEntry) throw fault('record.not-found')
      if (storedEntry.values.state === state) {
        throw fault('state.step', {
          params: { field: 'state', from: state, to: state },
          details: { from: state, to: state, allowed: [] },
        })
      }
      checkSteps(pricedates, caller, storedEntry.values, { state })
      const allowedGaps = { missing: allow_missing, carried: allow_carried }
      if (isPublished) await assertPublishableDay(trx, storedEntry.document, caller.id, allowedGaps)
      const missingCells = isPublished && allow_missing ? await gapsOf(trx, storedEntry.document) : undefined
      const publishedDay = {
        published_at: isPublished ? new Date().toISOString() : null,
        published_by: isPublished ? caller.id : null,
      }
      const draft = { state, ...publishedDay, ...(typeof version === 'number' && { version }) }
      await updateEntry({ database, author, view, isTrusted: true, trx }, pricedates, id, draft)
      if (state === 'checking') await notifySubmittedDay(trx, storedEntry.document, caller.id)
      return { entry: await presentEntry(trx, pricedates, id, stepCall), missing: missingCells }
    })
  }
  const enterDay = (request: FastifyRequest) => enterFeature(routes, pricedates, 'update', request)

  addRoutes(app, async () => (await import('@dala/model/api/price-dates')).priceDateRoutes, {
    'GET /api/pricedates/today': async ({ request, query }) => {
      const { caller, view } = await enterFeature(routes, pricedates, 'list', request)
      const { locale = caller.language } = await query()
      return { data: await readToday(database, caller, view, locale) }
    },
    'GET /api/pricedates/:id/review': async ({ request, query }) => {
      const { caller, view } = await enterDay(request)
      const [id, { locale = 'en' }] = [idOf(request), await query()]
      return { data: await readReview(database, { caller, view, id, locale }) }
    },
    'POST /api/pricedates/:id/submit': async ({ request, body }) => {
      const enteredCall = await enterDay(request)
      const [id, { data }] = [idOf(request), await body()]
      return (await takeStep(enteredCall, id, 'checking', data)).entry
    },
    'POST /api/pricedates/:id/publish': async ({ request, body }) => {
      const enteredCall = await enterDay(request)
      const [id, { data: options }] = [idOf(request), await body()]
      const { entry, missing } = await takeStep(enteredCall, id, 'published', options)
      return { data: entry.data, meta: missing ? { missing } : {} }
    },
    'POST /api/pricedates/:id/reopen': async ({ request, body }) => {
      const enteredCall = await enterDay(request)
      const [id, { data }] = [idOf(request), await body()]
      return (await takeStep(enteredCall, id, 'draft', data)).entry
    },
  })
}

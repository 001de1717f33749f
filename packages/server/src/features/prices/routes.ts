/** The steps of a price date: submit, publish, reopen (content-model §8, market §5). */
import { fault, isLocale } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { ActionBody } from '../../resources/action-body.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { dayBefore, hasNoMarket } from '../../behaviours/computed.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { enterFeature, type FeatureRoutes, presentEntry } from '../../resources/feature-routes.ts'
import { answerOnce } from '../../resources/write/idempotency.ts'
import { idOf } from '../../resources/routes.ts'
import { checkSteps } from '../../resources/write/rules.ts'
import { updateEntry, writing } from '../../resources/write/write.ts'
import { copyPrices, toCopyDraft } from './copy.ts'
import { readGrid, toGridQuery } from './grid-read.ts'
import { maxCells, toGridDraft, writeGrid } from './grid-write.ts'
import { readReview, reviewOf } from './review.ts'
import { wireId } from './shown.ts'
import { readToday } from './today.ts'

const [pricedates, pricelists] = [resourceNamed('pricedates'), resourceNamed('pricelists')]

/** How many gaps an answer lists. */
const maxListed = 500

/** What the body says of gaps and of carried prices; undefined where it says nothing. */
interface Allowed {
  missing: boolean | undefined
  carried: boolean | undefined
}

/**
 * Throws 422 while cells need confirmation, when a second person must publish and this is the first, and for gaps and
 * carried prices that the body does not let through.
 */
async function assertPublishable(trx: Transaction, day: number, publisher: number, allowed: Allowed): Promise<void> {
  const { counts, confirm, missing, carried } = await reviewOf(trx, day)
  if (counts.confirm > 0) {
    const count = counts.confirm
    throw fault('price.unconfirmed', { params: { count }, details: { count, cells: confirm } })
  }
  const [found] = await trx.query(sql<{ own: number }>`
    select count(*)::int as own
      from pricelists p join products r on r.id = p.product_id join productcategories c on c.id = r.productcategory_id
     where p.pricedate_id = ${day} and c.two_person_check and p.author_id = ${publisher} and p.price is not null`)
  const own = found?.own ?? 0
  if (own > 0) throw fault('price.second-person', { params: { count: own }, details: { count: own } })
  const [gaps, copies] = [
    allowed.missing === false ? counts.missing : 0,
    allowed.carried === false ? counts.carried : 0,
  ]
  if (gaps + copies > 0) {
    throw fault('price.incomplete', {
      params: { missing: gaps, carried: copies },
      details: { missing: gaps > 0 ? missing : [], carried: copies > 0 ? carried : [] },
    })
  }
}

/** Prices that the published day before has and this one has not. */
function gapsOf(trx: Transaction, day: number) {
  return trx.query(sql<{ product: number; district: number; market_type: string }>`
    select ${wireId('products_texts', sql`p.product_id`)} as product, ${wireId('districts_texts', sql`p.district_id`)} as district, p.market_type
      from pricelists p join pricedates d on d.id = ${day}
     where p.pricedate_id = (${dayBefore(sql`d.date`)}) and p.price is not null
       and not ${hasNoMarket(sql`d.id`, sql`p.district_id`)} and not exists (
       select 1 from pricelists own where own.pricedate_id = d.id and own.product_id = p.product_id
         and own.district_id = p.district_id and own.market_type = p.market_type and own.price is not null)
     order by p.product_id, p.district_id, p.market_type limit ${maxListed}`)
}

/** Registers the routes. */
export function registerPrices(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database } = routes

  app.get('/api/pricelists/grid', async (request) => {
    const { caller, query } = await enterFeature(routes, pricelists, 'list', request)
    return readGrid(database, caller, toGridQuery(query))
  })

  app.put('/api/pricelists/grid', { config: { maxKeys: maxCells * 10 } }, async (request) => {
    const { author, view } = await enterFeature(routes, pricelists, 'update', request)
    const draft = toGridDraft(request)
    return { data: await writing(database, (trx) => writeGrid({ database, author, view, trx }, draft)) }
  })

  app.post('/api/pricelists/copy', async (request, reply) => {
    const { author, caller, view } = await enterFeature(routes, pricelists, 'create', request)
    const draft = toCopyDraft(request)
    return answerOnce({ database, caller, request, reply }, async (trx) => ({
      data: await copyPrices({ database, author, view, trx }, draft),
    }))
  })

  app.get('/api/pricedates/today', async (request) => {
    const { caller, view, query } = await enterFeature(routes, pricedates, 'list', request)
    const locale = isLocale(query.locale) ? query.locale : caller.language
    return { data: await readToday(database, caller, view, locale) }
  })

  app.get('/api/pricedates/:id/review', async (request) => {
    const { caller, view, query } = await enterFeature(routes, pricedates, 'update', request)
    return { data: await readReview(database, { caller, view, id: idOf(request), query }) }
  })

  const take = async (request: FastifyRequest, state: 'checking' | 'published' | 'draft') => {
    const entered = await enterFeature(routes, pricedates, 'update', request)
    const { caller, author, view } = entered
    const [id, body] = [idOf(request), new ActionBody(request, true)]
    const isPublished = state === 'published'
    const listsGaps = isPublished && body.truth('allow_missing')
    const said = (name: string) => (body.has(name) ? body.truth(name) : undefined)
    const allowed = { missing: said('allow_missing'), carried: said('allow_carried') }
    const version = body.version()
    body.check()
    return writing(database, async (trx) => {
      const stored = await lockEntry(trx, pricedates, id, { author, view })
      if (!stored) throw fault('record.not-found')
      if (stored.values.state === state) {
        throw fault('state.step', {
          params: { field: 'state', from: state, to: state },
          details: { from: state, to: state, allowed: [] },
        })
      }
      checkSteps(pricedates, caller, stored.values, { state })
      if (isPublished) await assertPublishable(trx, stored.document, caller.id, allowed)
      const missing = listsGaps ? await gapsOf(trx, stored.document) : undefined
      const published = {
        published_at: isPublished ? new Date().toISOString() : null,
        published_by: isPublished ? caller.id : null,
      }
      const draft = { state, ...published, ...version }
      await updateEntry({ database, author, view, trusted: true, trx }, pricedates, id, draft)
      const answer = await presentEntry(trx, pricedates, id, entered)
      return { ...answer, meta: missing ? { missing } : {} }
    })
  }

  app.post('/api/pricedates/:id/submit', (request) => take(request, 'checking'))
  app.post('/api/pricedates/:id/publish', (request) => take(request, 'published'))
  app.post('/api/pricedates/:id/reopen', (request) => take(request, 'draft'))
}

/** The steps of a price date: submit, publish, reopen (content-model §8, product/market.md §5). */
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { ActionBody } from '../../resources/action-body.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { dayBefore } from '../../resources/computed.ts'
import { lockEntry } from '../../resources/examine.ts'
import { enterFeature, type FeatureRoutes, presentEntry } from '../../resources/feature-routes.ts'
import { idOf } from '../../resources/routes.ts'
import { checkSteps } from '../../resources/rules.ts'
import { updateEntry, writing } from '../../resources/write.ts'
import { readGrid, toGridQuery } from './grid-read.ts'
import { maxCells, toGridDraft, writeGrid } from './grid-write.ts'
import { wireId } from './shown.ts'

const [pricedates, pricelists] = [resourceNamed('pricedates'), resourceNamed('pricelists')]

/** How many gaps an answer lists. */
const maxListed = 500

/** Throws 422 while cells need confirmation, or when a second person must publish and this is the first. */
async function assertPublishable(trx: Transaction, day: number, publisher: number): Promise<void> {
  const [found] = await trx.query(sql<{ unconfirmed: number; own: number }>`
    select count(*) filter (where p.state = 'check')::int as unconfirmed,
           count(*) filter (where c.two_person_check and p.author_id = ${publisher} and p.price is not null)::int as own
      from pricelists p join products r on r.id = p.product_id left join productcategories c on c.id = r.productcategory_id
     where p.pricedate_id = ${day}`)
  const { unconfirmed = 0, own = 0 } = found ?? {}
  if (unconfirmed > 0)
    throw fault('price.unconfirmed', { params: { count: unconfirmed }, details: { count: unconfirmed } })
  if (own > 0) throw fault('price.second-person', { params: { count: own }, details: { count: own } })
}

/** Prices that the published day before has and this one has not. */
function gapsOf(trx: Transaction, day: number) {
  return trx.query(sql<{ product: number; district: number; market_type: string }>`
    select ${wireId('products_texts', sql`p.product_id`)} as product, ${wireId('districts_texts', sql`p.district_id`)} as district, p.market_type
      from pricelists p join pricedates d on d.id = ${day}
     where p.pricedate_id = (${dayBefore(sql`d.date`)}) and p.price is not null and not exists (
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

  const take = async (request: FastifyRequest, state: 'checking' | 'published' | 'draft') => {
    const entered = await enterFeature(routes, pricedates, 'update', request)
    const { caller, author, view } = entered
    const [id, body] = [idOf(request), new ActionBody(request, true)]
    const listsGaps = state === 'published' && body.truth('allow_missing')
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
      if (state === 'published') await assertPublishable(trx, stored.document, caller.id)
      const missing = listsGaps ? await gapsOf(trx, stored.document) : undefined
      const isPublished = state === 'published'
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

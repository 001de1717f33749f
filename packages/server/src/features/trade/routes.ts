/** The queue of trading posts beside the generic routes: claims, decisions, steps back, reports (market §7). */
import {
  Fault,
  fault,
  type FaultParams,
  maxDecided,
  maxInteger,
  type QueueTarget,
  rankOf,
  toErrorBody,
  type WorkingHours,
} from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { ActionBody } from '../../resources/action-body.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import { type Entered, enterFeature, type FeatureRoutes, presentEntry } from '../../resources/feature-routes.ts'
import { dropEdit } from '../../domain/market/post-edits.ts'
import { isObject } from '../../resources/read/parse-filters.ts'
import { parseList } from '../../resources/read/parse-query.ts'
import { readList } from '../../resources/read/read.ts'
import { idOf } from '../../resources/routes.ts'
import { inPart } from '../../resources/write/savepoints.ts'
import { runScoped } from '../../resources/read/scoped.ts'
import { updateEntry, writing } from '../../resources/write/write.ts'
import { claim, openClaims, release } from './claims.ts'
import { countsFor } from './counts.ts'
import { decide, readDecision } from './decision.ts'
import { twinsOf } from './hints.ts'
import { report, settleReport } from './reports.ts'
import { decisionsOn, editOf, reviewOf } from './review.ts'
import { readSubject } from './subject.ts'
import { undo } from './undo.ts'

const tradinposts = resourceNamed('tradinposts')

/** Working hours within which a post is to be decided (market §7). */
const targetHours = 4
const maxReportText = 1_000

export interface TradeRoutes extends FeatureRoutes {
  /** The calendar in which the target is counted. */
  working: WorkingHours
  zone: string
}

interface Item {
  id: number
  version: number
}

const isWhole = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxInteger

/** Reads the posts that a body names, with their versions where the call needs them. */
function itemsOf(body: ActionBody, versioned: boolean): Item[] {
  const given = body.raw('items')
  const items = (Array.isArray(given) ? given : []).flatMap((item: unknown): Item[] => {
    const { id, version }: Record<string, unknown> = isObject(item) ? item : { id: item }
    return isWhole(id) && (!versioned || isWhole(version)) ? [{ id, version: Number(version) }] : []
  })
  if (!Array.isArray(given) || given.length === 0) body.wrong('items', 'validation.required')
  else if (given.length > maxDecided) body.wrong('items', 'validation.maxItems', { max: maxDecided })
  else if (items.length < given.length) body.wrong('items', 'validation.relation')
  else if (new Set(items.map(({ id }) => id)).size < items.length) body.wrong('items', 'validation.unique')
  return items
}

interface Failed {
  id: number
  code: string
  message: string
  params: FaultParams
}

/** Does the same to many posts in one transaction, each for itself: a refused one leaves nothing behind. */
async function each(trx: Transaction, items: readonly Item[], work: (part: Transaction, item: Item) => Promise<void>) {
  const done: number[] = []
  const failed: Failed[] = []
  // Two moderators who name the same posts lock them in the same order.
  for (const item of items.toSorted((a, b) => a.id - b.id)) {
    try {
      await inPart(trx, (part) => work(part, item))
      done.push(item.id)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { code, params } = error
      failed.push({ id: item.id, code, message: toErrorBody(error).error.message, params: params ?? {} })
    }
  }
  return { done, failed }
}

/** Registers the routes. */
export function registerTrade(app: FastifyInstance, routes: TradeRoutes): void {
  const { database, totals, working, zone } = routes
  const target: QueueTarget = { hours: targetHours, working, zone }

  /** Returns the moderator. Throws 403 below the staff. */
  const enterModerator = async (request: FastifyRequest): Promise<Entered> => {
    const entered = await enterFeature(routes, tradinposts, 'update', request)
    if (rankOf(entered.caller.role) < rankOf('admin')) throw fault('access.denied')
    return entered
  }

  /** Returns the document and the version of a visible post; below the staff it may have to be one's own. */
  const find = async (request: FastifyRequest, { caller, view }: Entered, own: boolean) => {
    const query = { filters: { id: { $eq: String(idOf(request)) } } }
    const [found] = await runScoped(
      database,
      { resource: tradinposts, caller, view, query },
      ({ from, where, document }) => {
        const mine = sql.ref(`${document}.user_id`)
        return sql`select ${sql.ref(`${document}.id`)}, ${mine} from ${from} where ${where} limit 1`
      },
    )
    const isOurs = found && (!own || found[1] === caller.id || rankOf(caller.role) >= rankOf('admin'))
    if (!isOurs) throw fault('record.not-found')
    return Number(found[0])
  }

  /** Does something to a locked post in a transaction. */
  const onPost = async <T>(
    request: FastifyRequest,
    { author, view }: Pick<Entered, 'author' | 'view'>,
    work: (trx: Transaction, stored: StoredEntry) => Promise<T>,
  ): Promise<T> => {
    const id = idOf(request)
    return writing(database, async (trx) => {
      const stored = await lockEntry(trx, tradinposts, id, { author, view })
      if (!stored) throw fault('record.not-found')
      return work(trx, stored)
    })
  }

  app.get('/api/tradinposts', async (request) => {
    const { caller, view, query } = await enterFeature(routes, tradinposts, 'list', request)
    const { entries, pagination } = await readList(database, totals, parseList(query, tradinposts, caller, view))
    return { data: entries, meta: { pagination, counts: await countsFor(routes, caller, view) } }
  })

  app.get('/api/tradinposts/queue', async (request) => {
    const { caller, view } = await enterModerator(request)
    const [claims, counts] = await Promise.all([openClaims(database), countsFor(routes, caller, view)])
    return { data: { claims, counts, target }, meta: {} }
  })

  app.post('/api/tradinposts/:id/claim', async (request) => {
    const entered = await enterModerator(request)
    const data = await onPost(request, entered, (trx, { document }) => claim(trx, document, entered.caller.id))
    return { data, meta: {} }
  })

  app.delete('/api/tradinposts/:id/claim', async (request) => {
    const entered = await enterModerator(request)
    await onPost(request, entered, (trx, { document }) => release(trx, document, entered.caller.id))
    return { ok: true }
  })

  app.post('/api/tradinposts/:id/moderate', async (request) => {
    const entered = await enterModerator(request)
    const [id, body] = [idOf(request), new ActionBody(request)]
    const decision = readDecision(body)
    const { version } = body.version()
    if (version === undefined && !body.has('version')) body.wrong('version', 'validation.required')
    body.check()
    return writing(database, async (trx) => {
      await decide(trx, { ...entered, database }, id, version ?? 0, decision)
      return presentEntry(trx, tradinposts, id, entered)
    })
  })

  app.post('/api/tradinposts/moderate', async (request) => {
    const entered = await enterModerator(request)
    const body = new ActionBody(request)
    const [items, decision] = [itemsOf(body, true), readDecision(body)]
    body.check()
    const work = (part: Transaction, { id, version }: Item) =>
      decide(part, { ...entered, database }, id, version, decision)
    return { data: await writing(database, (trx) => each(trx, items, work)), meta: {} }
  })

  app.post('/api/tradinposts/:id/undo', async (request) => {
    const entered = await enterModerator(request)
    const id = idOf(request)
    return writing(database, async (trx) => {
      await undo(trx, { ...entered, database }, id)
      return presentEntry(trx, tradinposts, id, entered)
    })
  })

  app.post('/api/tradinposts/undo', async (request) => {
    const entered = await enterModerator(request)
    const body = new ActionBody(request)
    const items = itemsOf(body, false)
    body.check()
    const work = (part: Transaction, { id }: Item) => undo(part, { ...entered, database }, id)
    return { data: await writing(database, (trx) => each(trx, items, work)), meta: {} }
  })

  app.get('/api/tradinposts/:id/review', async (request) => {
    const entered = await enterModerator(request)
    const document = await find(request, entered, false)
    const [text] = await database.query(sql<{ version: number }>`
      select version from tradinposts_texts where id = ${idOf(request)}`)
    const review = await reviewOf(
      database,
      entered.caller,
      { document, version: text?.version ?? 0 },
      entered.caller.language,
    )
    if (!review) throw fault('record.not-found')
    return { data: review, meta: {} }
  })

  app.get('/api/tradinposts/:id/duplicates', async (request) => {
    const entered = await enterModerator(request)
    const subject = await readSubject(database, await find(request, entered, false))
    if (!subject) throw fault('record.not-found')
    return { data: await twinsOf(database, subject), meta: {} }
  })

  app.get('/api/tradinposts/:id/decisions', async (request) => {
    const entered = await enterFeature(routes, tradinposts, 'get', request)
    const document = await find(request, entered, true)
    return { data: await decisionsOn(database, document, entered.caller), meta: {} }
  })

  app.get('/api/tradinposts/:id/edit', async (request) => {
    const entered = await enterFeature(routes, tradinposts, 'get', request)
    const subject = await readSubject(database, await find(request, entered, true))
    if (!subject) throw fault('record.not-found')
    return { data: await editOf(database, entered.caller, subject, entered.caller.language), meta: {} }
  })

  app.delete('/api/tradinposts/:id/edit', async (request) => {
    const entered = await enterFeature(routes, tradinposts, 'update', request)
    await onPost(request, entered, async (trx, stored) => {
      // Staff decide on an edit; only its author takes it away.
      if (stored.values.user !== entered.caller.id) throw fault('access.denied')
      if (stored.values.edit_state === null) throw fault('record.not-found')
      await dropEdit(trx, stored.document)
      const waits = stored.values.status === 'on_hold' ? {} : { waiting_since: null }
      const context = { database, author: entered.author, view: entered.view, trusted: true, trx } as const
      await updateEntry(context, tradinposts, stored.entry, { edit_state: null, edit_at: null, ...waits })
    })
    return { ok: true }
  })

  app.post('/api/tradinposts/:id/report', async (request) => {
    const entered = await enterFeature(routes, tradinposts, 'get', request)
    const { caller, author, view } = entered
    const body = new ActionBody(request)
    const [reason, text] = [body.text('reason', 64), body.text('text', maxReportText)]
    if (reason === null) body.wrong('reason', 'validation.required')
    body.check()
    await onPost(request, { author, view }, (trx, { document, values }) => {
      if (values.user === caller.id) throw fault('access.denied')
      return report(trx, { document, user: caller.id, reason: reason ?? '', text })
    })
    return { ok: true }
  })

  app.post('/api/tradinposts/:id/reports/:report/settle', async (request) => {
    const entered = await enterModerator(request)
    const given = isObject(request.params) ? Number(request.params.report) : 0
    const body = new ActionBody(request)
    const upheld = body.truth('upheld')
    if (!body.has('upheld')) body.wrong('upheld', 'validation.required')
    body.check()
    if (!isWhole(given)) throw fault('record.not-found')
    await onPost(request, entered, (trx, { document }) =>
      settleReport(trx, { document, id: given, user: entered.caller.id, upheld }),
    )
    return { ok: true }
  })
}

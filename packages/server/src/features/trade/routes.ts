/**
 * Registers the routes of the queue of trading posts besides the generic ones: claims, decisions, undo,
 * reports (market §7).
 */
import { type DecidedPosts, Fault, fault, maxInteger, type QueueTarget, rankOfRole, toErrorBody } from '@dala/model'
import type { SeenPost } from '@dala/model/api/trade'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import { type EnteredCall, enterFeature, type FeatureRoutes, presentEntry } from '../../resources/feature-routes.ts'
import { dropEdit } from '../../domain/market/post-edits.ts'
import { isObject } from '../../resources/read/context.ts'
import { parseList } from '../../resources/read/parse-query.ts'
import { readList, wrapped } from '../../resources/read/read.ts'
import { idOf } from '../../resources/routes.ts'
import { inSavepoint } from '../../resources/write/savepoints.ts'
import { runScoped } from '../../resources/read/scoped.ts'
import { updateEntry, withDeadlockRetry } from '../../resources/write/write.ts'
import { claim, openClaims, releaseClaim } from './claims.ts'
import { countPostsFor } from './counts.ts'
import { decideOnPost } from './decision.ts'
import { findDuplicates } from './hints.ts'
import { report, settleReport } from './reports.ts'
import { decisionsOn, editOf, reviewOf } from './review.ts'
import { readSubject } from './subject.ts'
import { undoDecision } from './undo.ts'

const tradinposts = resourceNamed('tradinposts')

/** Target hours for a decision, in working time (market §7). */
const targetHours = 4

const isId = (value: number): boolean => Number.isInteger(value) && value > 0 && value <= maxInteger

/** Runs an action on many trading posts in one transaction; a refused post is rolled back on its own. */
async function forEachPost<T extends { id: number }>(
  trx: Transaction,
  items: readonly T[],
  work: (part: Transaction, item: T) => Promise<void>,
): Promise<DecidedPosts> {
  const done: number[] = []
  const failed: DecidedPosts['failed'] = []
  // Items are sorted, so that two moderators with the same trading posts lock them in the same order.
  for (const item of items.toSorted((a, b) => a.id - b.id)) {
    try {
      await inSavepoint(trx, (part) => work(part, item))
      done.push(item.id)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { code, params } = error
      failed.push({ id: item.id, code, message: toErrorBody(error).error.message, params: params ?? {} })
    }
  }
  return { done, failed }
}

/** Registers the routes of the queue of trading posts. */
export function registerTrade(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database, totals } = routes
  const { workingHours: working, zone } = database.calendar
  const target: QueueTarget = { hours: targetHours, working, zone }

  /**
   * Returns the moderator who sends the request.
   *
   * @throws 403 below staff.
   */
  const enterModerator = async (request: FastifyRequest): Promise<EnteredCall> => {
    const entered = await enterFeature(routes, tradinposts, 'update', request)
    if (rankOfRole(entered.caller.role) < rankOfRole('admin')) throw fault('access.denied')
    return entered
  }

  /**
   * Returns the document and the version of a visible trading post; `own` limits users below staff to their
   * own posts.
   */
  const find = async (request: FastifyRequest, { caller, view }: EnteredCall, isOwn: boolean) => {
    const query = { filters: { id: { $eq: String(idOf(request)) } } }
    const [found] = await runScoped(
      database,
      { resource: tradinposts, caller, view, query },
      ({ from, where, document }) => {
        const mine = sql.ref(`${document}.user_id`)
        return sql<{
          id: number
          author: number | null
        }>`select ${sql.ref(`${document}.id`)} as id, ${mine} as author from ${from} where ${where} limit 1`
      },
    )
    const isReachable =
      found && (!isOwn || found.author === caller.id || rankOfRole(caller.role) >= rankOfRole('admin'))
    if (!isReachable) throw fault('record.not-found')
    return found.id
  }

  /** Runs an action on a locked trading post in a transaction. */
  const onPost = async <T>(
    request: FastifyRequest,
    { author, view }: Pick<EnteredCall, 'author' | 'view'>,
    work: (trx: Transaction, stored: StoredEntry) => Promise<T>,
  ): Promise<T> => {
    const id = idOf(request)
    return withDeadlockRetry(database, async (trx) => {
      const stored = await lockEntry(trx, tradinposts, id, { author, view })
      if (!stored) throw fault('record.not-found')
      return work(trx, stored)
    })
  }

  addRoutes(app, async () => (await import('@dala/model/api/trade')).tradeRoutes, {
    'GET /api/tradinposts': async ({ request }) => {
      const { caller, view, query } = await enterFeature(routes, tradinposts, 'list', request)
      const { entries, pagination } = await readList(database, totals, parseList(query, tradinposts, caller, view))
      return { data: wrapped(entries), meta: { pagination, counts: await countPostsFor(routes, caller, view) } }
    },
    'GET /api/tradinposts/queue': async ({ request }) => {
      const { caller, view } = await enterModerator(request)
      const [claims, counts] = await Promise.all([openClaims(database), countPostsFor(routes, caller, view)])
      return { data: { claims, counts, target }, meta: {} }
    },
    'POST /api/tradinposts/:id/claim': async ({ request }) => {
      const entered = await enterModerator(request)
      const data = await onPost(request, entered, (trx, { document }) => claim(trx, document, entered.caller.id))
      return { data, meta: {} }
    },
    'DELETE /api/tradinposts/:id/claim': async ({ request }) => {
      const entered = await enterModerator(request)
      await onPost(request, entered, (trx, { document }) => releaseClaim(trx, document, entered.caller.id))
      return { ok: true }
    },
    'POST /api/tradinposts/:id/moderate': async ({ request, body }) => {
      const entered = await enterModerator(request)
      const id = idOf(request)
      const { version, ...verdict } = (await body()).data
      return withDeadlockRetry(database, async (trx) => {
        await decideOnPost(trx, { ...entered, database }, id, version, verdict)
        return presentEntry(trx, tradinposts, id, entered)
      })
    },
    'POST /api/tradinposts/moderate': async ({ request, body }) => {
      const entered = await enterModerator(request)
      const { items, ...verdict } = (await body()).data
      const work = (part: Transaction, { id, version }: SeenPost) =>
        decideOnPost(part, { ...entered, database }, id, version, verdict)
      return { data: await withDeadlockRetry(database, (trx) => forEachPost(trx, items, work)), meta: {} }
    },
    'POST /api/tradinposts/:id/undo': async ({ request }) => {
      const entered = await enterModerator(request)
      const id = idOf(request)
      return withDeadlockRetry(database, async (trx) => {
        await undoDecision(trx, { ...entered, database }, id)
        return presentEntry(trx, tradinposts, id, entered)
      })
    },
    'POST /api/tradinposts/undo': async ({ request, body }) => {
      const entered = await enterModerator(request)
      const items = (await body()).data.items.map((id) => ({ id }))
      const work = (part: Transaction, { id }: { id: number }) => undoDecision(part, { ...entered, database }, id)
      return { data: await withDeadlockRetry(database, (trx) => forEachPost(trx, items, work)), meta: {} }
    },
    'GET /api/tradinposts/:id/review': async ({ request }) => {
      const entered = await enterModerator(request)
      const document = await find(request, entered, false)
      const [text] = await database.query(sql<{ version: number }>`
        select version from tradinposts_texts where id = ${idOf(request)}`)
      const { caller } = entered
      const review = await reviewOf(database, caller, { document, version: text?.version ?? 0 }, caller.language)
      if (!review) throw fault('record.not-found')
      return { data: review, meta: {} }
    },
    'GET /api/tradinposts/:id/duplicates': async ({ request }) => {
      const entered = await enterModerator(request)
      const subject = await readSubject(database, await find(request, entered, false))
      if (!subject) throw fault('record.not-found')
      return { data: await findDuplicates(database, subject), meta: {} }
    },
    'GET /api/tradinposts/:id/decisions': async ({ request }) => {
      const entered = await enterFeature(routes, tradinposts, 'get', request)
      const document = await find(request, entered, true)
      return { data: await decisionsOn(database, document, entered.caller), meta: {} }
    },
    'GET /api/tradinposts/:id/edit': async ({ request }) => {
      const entered = await enterFeature(routes, tradinposts, 'get', request)
      const subject = await readSubject(database, await find(request, entered, true))
      if (!subject) throw fault('record.not-found')
      return { data: await editOf(database, entered.caller, subject, entered.caller.language), meta: {} }
    },
    'DELETE /api/tradinposts/:id/edit': async ({ request }) => {
      const entered = await enterFeature(routes, tradinposts, 'update', request)
      await onPost(request, entered, async (trx, stored) => {
        // Staff decide on an edit of a trading post; only its author withdraws it.
        if (stored.values.user !== entered.caller.id) throw fault('access.denied')
        if (stored.values.edit_state === null) throw fault('record.not-found')
        await dropEdit(trx, stored.document)
        const waits = stored.values.status === 'on_hold' ? {} : { waiting_since: null }
        const context = { database, author: entered.author, view: entered.view, trusted: true, trx } as const
        await updateEntry(context, tradinposts, stored.entry, { edit_state: null, edit_at: null, ...waits })
      })
      return { ok: true }
    },
    'POST /api/tradinposts/:id/report': async ({ request, body }) => {
      const { caller, author, view } = await enterFeature(routes, tradinposts, 'get', request)
      const { reason, text } = (await body()).data
      await onPost(request, { author, view }, (trx, { document, values }) => {
        if (values.user === caller.id) throw fault('access.denied')
        return report(trx, { document, user: caller.id, reason, text })
      })
      return { ok: true }
    },
    'POST /api/tradinposts/:id/reports/:report/settle': async ({ request, body }) => {
      const entered = await enterModerator(request)
      const { upheld } = (await body()).data
      const id = isObject(request.params) ? Number(request.params.report) : 0
      if (!isId(id)) throw fault('record.not-found')
      await onPost(request, entered, (trx, { document }) =>
        settleReport(trx, { document, id, user: entered.caller.id, upheld }),
      )
      return { ok: true }
    },
  })
}

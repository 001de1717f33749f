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
import { discardEdit } from '../../domain/market/post-edits.ts'
import type { PresentSettings } from '../../domain/operations/organisation.ts'
import { isObject } from '../../resources/read/context.ts'
import { parseList } from '../../resources/read/parse-query.ts'
import { readList, wrapEntries } from '../../resources/read/read.ts'
import { idOf } from '../../resources/routes.ts'
import { runInSavepoint } from '../../resources/write/savepoints.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { updateEntry, withDeadlockRetry } from '../../resources/write/write.ts'
import { claimPost, openClaims, releaseClaim } from './claims.ts'
import { countPostsFor } from './counts.ts'
import { decideOnPost } from './decision.ts'
import { findDuplicates } from './hints.ts'
import { report, settleReport } from './reports.ts'
import { loadDecisions, editOf, reviewOf } from './review.ts'
import { readSubject } from './subject.ts'
import { undoDecision } from './undo.ts'

const tradinposts = resourceNamed('tradinposts')

const isId = (value: number): boolean => Number.isInteger(value) && value > 0 && value <= maxInteger

/** Runs an action on many trading posts in one transaction; a refused post is rolled back on its own. */
async function runForEachPost<T extends { id: number }>(
  trx: Transaction,
  items: readonly T[],
  runWork: (itemTrx: Transaction, item: T) => Promise<void>,
): Promise<DecidedPosts> {
  const decidedPosts: number[] = []
  const failedPosts: DecidedPosts['failed'] = []
  // Items are sorted, so that two moderators with the same trading posts lock them in the same order.
  for (const item of items.toSorted((a, b) => a.id - b.id)) {
    try {
      await runInSavepoint(trx, (savepoint) => runWork(savepoint, item))
      decidedPosts.push(item.id)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { code, params } = error
      failedPosts.push({ id: item.id, code, message: toErrorBody(error).error.message, params: params ?? {} })
    }
  }
  return { done: decidedPosts, failed: failedPosts }
}

/** The dependencies of the queue of trading posts. */
interface TradeContext extends FeatureRoutes {
  settings: Pick<PresentSettings, 'decisionHours'>
}

/** Registers the routes of the queue of trading posts. */
export function registerTrade(app: FastifyInstance, routes: TradeContext): void {
  const { database, totals, settings } = routes

  /** Returns the present target of a decision, in working time (market §7). */
  const presentTarget = (): QueueTarget => {
    const { workingHours: working, zone } = database.calendar
    return { hours: settings.decisionHours, working, zone }
  }

  /**
   * Returns the moderator who sends the request.
   *
   * @throws 403 below staff.
   */
  const enterModerator = async (request: FastifyRequest): Promise<EnteredCall> => {
    const enteredCall = await enterFeature(routes, tradinposts, 'update', request)
    if (rankOfRole(enteredCall.caller.role) < rankOfRole('admin')) throw fault('access.denied')
    return enteredCall
  }

  /**
   * Returns the document and the version of a visible trading post; `own` limits users below staff to their
   * own posts.
   */
  const findRecord = async (request: FastifyRequest, { caller, view }: EnteredCall, isOwn: boolean) => {
    const query = { filters: { id: { $eq: String(idOf(request)) } } }
    const [postRow] = await runScopedQuery(
      database,
      { resource: tradinposts, caller, view, query },
      ({ from, where, document }) => {
        const ownerColumn = sql.ref(`${document}.user_id`)
        return sql<{
          id: number
          author: number | null
        }>`select ${sql.ref(`${document}.id`)} as id, ${ownerColumn} as author from ${from} where ${where} limit 1`
      },
    )
    const isReachable =
      postRow && (!isOwn || postRow.author === caller.id || rankOfRole(caller.role) >= rankOfRole('admin'))
    if (!isReachable) throw fault('record.not-found')
    return postRow.id
  }

  /** Runs an action on a locked trading post in a transaction. */
  const runOnPost = async <T>(
    request: FastifyRequest,
    { author, view }: Pick<EnteredCall, 'author' | 'view'>,
    runWork: (trx: Transaction, storedRow: StoredEntry) => Promise<T>,
  ): Promise<T> => {
    const id = idOf(request)
    return withDeadlockRetry(database, async (trx) => {
      const storedEntry = await lockEntry(trx, tradinposts, id, { author, view })
      if (!storedEntry) throw fault('record.not-found')
      return runWork(trx, storedEntry)
    })
  }

  addRoutes(app, async () => (await import('@dala/model/api/trade')).tradeRoutes, {
    'GET /api/tradinposts': async ({ request }) => {
      const { caller, view, query } = await enterFeature(routes, tradinposts, 'list', request)
      const { entries, pagination } = await readList(database, totals, parseList(query, tradinposts, caller, view))
      return { data: wrapEntries(entries), meta: { pagination, counts: await countPostsFor(routes, caller, view) } }
    },
    'GET /api/tradinposts/queue': async ({ request }) => {
      const { caller, view } = await enterModerator(request)
      const [claims, counts] = await Promise.all([openClaims(database), countPostsFor(routes, caller, view)])
      return { data: { claims, counts, target: presentTarget() }, meta: {} }
    },
    'POST /api/tradinposts/:id/claim': async ({ request }) => {
      const enteredCall = await enterModerator(request)
      const data = await runOnPost(request, enteredCall, (trx, { document }) =>
        claimPost(trx, document, enteredCall.caller.id),
      )
      return { data, meta: {} }
    },
    'DELETE /api/tradinposts/:id/claim': async ({ request }) => {
      const enteredCall = await enterModerator(request)
      await runOnPost(request, enteredCall, (trx, { document }) => releaseClaim(trx, document, enteredCall.caller.id))
      return { ok: true }
    },
    'POST /api/tradinposts/:id/moderate': async ({ request, body }) => {
      const enteredCall = await enterModerator(request)
      const id = idOf(request)
      const { version, ...verdict } = (await body()).data
      return withDeadlockRetry(database, async (trx) => {
        await decideOnPost(trx, { ...enteredCall, database }, id, version, verdict)
        return presentEntry(trx, tradinposts, id, enteredCall)
      })
    },
    'POST /api/tradinposts/moderate': async ({ request, body }) => {
      const enteredCall = await enterModerator(request)
      const { items, ...verdict } = (await body()).data
      const decidePost = (savepoint: Transaction, { id, version }: SeenPost) =>
        decideOnPost(savepoint, { ...enteredCall, database }, id, version, verdict)
      return { data: await withDeadlockRetry(database, (trx) => runForEachPost(trx, items, decidePost)), meta: {} }
    },
    'POST /api/tradinposts/:id/undo': async ({ request }) => {
      const enteredCall = await enterModerator(request)
      const id = idOf(request)
      return withDeadlockRetry(database, async (trx) => {
        await undoDecision(trx, { ...enteredCall, database }, id)
        return presentEntry(trx, tradinposts, id, enteredCall)
      })
    },
    'POST /api/tradinposts/undo': async ({ request, body }) => {
      const enteredCall = await enterModerator(request)
      const items = (await body()).data.items.map((id) => ({ id }))
      const undoOne = (savepoint: Transaction, { id }: { id: number }) =>
        undoDecision(savepoint, { ...enteredCall, database }, id)
      return { data: await withDeadlockRetry(database, (trx) => runForEachPost(trx, items, undoOne)), meta: {} }
    },
    'GET /api/tradinposts/:id/review': async ({ request }) => {
      const enteredCall = await enterModerator(request)
      const document = await findRecord(request, enteredCall, false)
      const [text] = await database.query(sql<{ version: number }>`
        select version from tradinposts_texts where id = ${idOf(request)}`)
      const { caller } = enteredCall
      const review = await reviewOf(database, caller, { document, version: text?.version ?? 0 }, caller.language)
      if (!review) throw fault('record.not-found')
      return { data: review, meta: {} }
    },
    'GET /api/tradinposts/:id/duplicates': async ({ request }) => {
      const enteredCall = await enterModerator(request)
      const subject = await readSubject(database, await findRecord(request, enteredCall, false))
      if (!subject) throw fault('record.not-found')
      return { data: await findDuplicates(database, subject), meta: {} }
    },
    'GET /api/tradinposts/:id/decisions': async ({ request }) => {
      const enteredCall = await enterFeature(routes, tradinposts, 'get', request)
      const document = await findRecord(request, enteredCall, true)
      return { data: await loadDecisions(database, document, enteredCall.caller), meta: {} }
    },
    'GET /api/tradinposts/:id/edit': async ({ request }) => {
      const enteredCall = await enterFeature(routes, tradinposts, 'get', request)
      const subject = await readSubject(database, await findRecord(request, enteredCall, true))
      if (!subject) throw fault('record.not-found')
      return { data: await editOf(database, enteredCall.caller, subject, enteredCall.caller.language), meta: {} }
    },
    'DELETE /api/tradinposts/:id/edit': async ({ request }) => {
      const enteredCall = await enterFeature(routes, tradinposts, 'update', request)
      await runOnPost(request, enteredCall, async (trx, storedPost) => {
        // Staff decide on an edit of a trading post; only its author withdraws it.
        if (storedPost.values.user !== enteredCall.caller.id) throw fault('access.denied')
        if (storedPost.values.edit_state === null) throw fault('record.not-found')
        await discardEdit(trx, storedPost.document)
        const waits = storedPost.values.status === 'on_hold' ? {} : { waiting_since: null }
        const context = { database, author: enteredCall.author, view: enteredCall.view, isTrusted: true, trx } as const
        await updateEntry(context, tradinposts, storedPost.entry, { edit_state: null, edit_at: null, ...waits })
      })
      return { ok: true }
    },
    'POST /api/tradinposts/:id/report': async ({ request, body }) => {
      const { caller, author, view } = await enterFeature(routes, tradinposts, 'get', request)
      const { reason, text } = (await body()).data
      await runOnPost(request, { author, view }, (trx, { document, values }) => {
        if (values.user === caller.id) throw fault('access.denied')
        return report(trx, { document, user: caller.id, reason, text })
      })
      return { ok: true }
    },
    'POST /api/tradinposts/:id/reports/:report/settle': async ({ request, body }) => {
      const enteredCall = await enterModerator(request)
      const { upheld } = (await body()).data
      const id = isObject(request.params) ? Number(request.params.report) : 0
      if (!isId(id)) throw fault('record.not-found')
      await runOnPost(request, enteredCall, (trx, { document }) =>
        settleReport(trx, { document, id, user: enteredCall.caller.id, upheld }),
      )
      return { ok: true }
    },
  })
}

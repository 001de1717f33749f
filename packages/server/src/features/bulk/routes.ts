/** Routes of bulk edits: requested, monitored, stopped and undone; each row keeps its rights and rules. */
import { bulkOutcomes, type Caller, fault, maxBulkRecords, maxInlineConversions } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import type { WorkQueue } from '../../db/work-queue.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { answerIdempotently } from '../../resources/write/idempotency.ts'
import { isObject } from '../../resources/read/context.ts'
import { countOf, pageSql } from '../../resources/read/pages.ts'
import { readPagination } from '../../resources/read/parse-query.ts'
import { presentPagination } from '../../resources/read/read.ts'
import { idOf } from '../../resources/routes.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { operationOf, readBulkDraft } from './draft.ts'
import { canUndo, endJob, findJobs, insertJob, type Job, findJob, presentJob, setCount } from './job.ts'
import { type BulkParts, runInRequest, runJob, unfinishedJobs } from './runner.ts'
import { insertJobRows } from './selection.ts'
import { readRows } from './shown-rows.ts'

/** Maximum number of rows of a bulk edit that are processed within the request; more go to the queue. */
const maxInlineRows = 200
const queueName = 'bulk'

export interface BulkRoutes extends FeatureRoutes, Omit<BulkParts, 'database'> {
  queue: WorkQueue
}

/** Registers the routes, and the queue's handler of bulk jobs. */
export function registerBulkEdits(app: FastifyInstance, { database, callerOf, queue, writers }: BulkRoutes): void {
  const parts: BulkParts = { database, writers }
  queue.register(queueName, {
    findUnfinished: () => unfinishedJobs(parts),
    run: (id, signal) => runJob(parts, id, signal),
  })

  /** Runs a bulk job within the request, or leaves it to the queue when it has many rows. */
  async function beginJob(
    trx: Transaction,
    { id, count, maxInline = maxInlineRows }: { id: number; count: number; maxInline?: number },
    caller: Caller,
    reply: FastifyReply,
  ) {
    await setCount(trx, id, count)
    if (count > maxInline) {
      trx.afterCommit(() => queue.wake(queueName, id))
      reply.status(202)
    }
    const job = count > maxInline ? await findJob(trx, caller, id) : await runInRequest(trx, parts, id, caller)
    if (!job) throw fault('record.not-found')
    return { data: presentJob(job), meta: {} }
  }

  const askerOf = (caller: Caller, request: FastifyRequest) => ({
    caller,
    address: request.ip,
    requestId: request.id,
  })

  const paginationOf = ({ query }: FastifyRequest) => readPagination(isObject(query) ? query.pagination : undefined)

  addRoutes(
    app,
    async () => (await import('@dala/model/api/bulk')).bulkRoutes,
    {
      'POST /api/bulk': async ({ request, reply, body }) => {
        const caller = await callerOf(request)
        const draft = await readBulkDraft(request.body, body, caller)
        return answerIdempotently({ database, caller, request, reply }, async (trx) => {
          const id = await insertJob(trx, askerOf(caller, request), draft)
          const count = await insertJobRows(trx, id, caller, draft)
          const maxInline = draft.action.kind === 'script' ? maxInlineConversions : maxInlineRows
          return beginJob(trx, { id, count, maxInline }, caller, reply)
        })
      },
      'GET /api/bulk': async ({ request }) => {
        const caller = await callerOf(request)
        const pagination = paginationOf(request)
        const ownerCondition = sql`user_id = ${caller.id}`
        const jobs = await findJobs(database, ownerCondition, pageSql(pagination))
        const total = pagination.withCount
          ? await countOf(database, sql`from bulk_jobs where ${ownerCondition}`)
          : undefined
        return { data: jobs.map(presentJob), meta: { pagination: presentPagination(pagination, total) } }
      },
      'GET /api/bulk/:id': async ({ request }) => {
        const caller = await callerOf(request)
        return { data: presentJob(await findJob(database, caller, idOf(request))), meta: {} }
      },
      'GET /api/bulk/:id/rows': async ({ request, query }) => {
        const caller = await callerOf(request)
        const job = await findJob(database, caller, idOf(request))
        const resource = resourceNamed(job.resource)
        const view = authoriseCaller(resource, 'list', caller)
        const { outcome } = await query()
        const outcomes = outcome === undefined ? bulkOutcomes : [outcome]
        return readRows(database, { job, resource, view, caller }, outcomes, paginationOf(request))
      },
      'POST /api/bulk/:id/stop': async ({ request }) => {
        const caller = await callerOf(request)
        const id = idOf(request)
        const job = await withDeadlockRetry(database, async (trx) => {
          await endJob(trx, await findJob(trx, caller, id), 'stopped')
          return findJob(trx, caller, id)
        })
        return { data: presentJob(job), meta: {} }
      },
      'POST /api/bulk/:id/undo': async ({ request, reply }) => {
        const caller = await callerOf(request)
        const id = idOf(request)
        return answerIdempotently({ database, caller, request, reply }, async (trx) => {
          const original = await findJob(trx, caller, id)
          const resource = resourceNamed(original.resource)
          authoriseCaller(resource, operationOf(original.action), caller)
          // A concurrent request for the same undo of a bulk job waits here, then finds that it has begun.
          await trx.query(sql`select 1 from bulk_jobs where id = ${id} for update`)
          if (!canUndo(await findJob(trx, caller, id))) throw fault('bulk.no-undo')
          await trx.query(sql`update bulk_jobs set state = 'undoing' where id = ${id}`)
          const undoOrder = { resource, action: { kind: 'undo' }, mode: 'each', dryRun: false, undoes: id } as const
          const undoJob = await insertJob(trx, askerOf(caller, request), undoOrder)
          return beginJob(trx, { id: undoJob, count: await copyRows(trx, original, undoJob) }, caller, reply)
        })
      },
    },
    { 'POST /api/bulk': { config: { maxKeys: maxBulkRecords * 40 } } },
  )
}

/** Copies the rows that a bulk job changed in reverse order, so that the last change is undone first. */
async function copyRows(trx: Transaction, { id, action }: Job, undo: number): Promise<number> {
  const [row] = await trx.query(sql<{ count: number }>`
    with copied as (
      insert into bulk_rows (job_id, place, entry_id, name, draft)
      select ${undo}::int, row_number() over (order by place desc), entry_id, name,
             jsonb_build_object('place', place, 'removed', ${action.kind === 'remove'}::boolean, 'changes', changes, 'kept', kept)
        from bulk_rows where job_id = ${id} and outcome = 'changed' and not is_undone returning 1
    ) select count(*)::int as count from copied`)
  return row?.count ?? 0
}

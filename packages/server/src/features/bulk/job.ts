/** Stores, finds and presents the jobs of bulk edits. */
import {
  type BulkJob,
  type Caller,
  type ErrorCode,
  fault,
  rankOfRole,
  type Resource,
  type StoredBulkAction,
} from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { hasTrash } from '../../resources/write/restore.ts'

export type JobAction = StoredBulkAction
export type JobMode = BulkJob['mode']
type State = BulkJob['state']

export interface Job {
  id: number
  userId: number
  resource: string
  action: JobAction
  mode: JobMode
  dryRun: boolean
  state: State
  code: string | null
  undoes: number | null
  count: number
  changed: number
  unchanged: number
  refused: number
  changedFields: number
  address: string | null
  requestId: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** Whether the bulk job is recent enough to be undone; the trash stores records as long. */
  recent: boolean
}

const columns = sql`id, user_id as "userId", resource, action, mode, dry_run as "dryRun", state, code, undoes, count,
  changed, unchanged, refused, changed_fields as "changedFields", address, request_id as "requestId", created_at as "createdAt",
  started_at as "startedAt", finished_at as "finishedAt", created_at > now() - interval '30 days' as recent`

/** Finds bulk jobs by a condition, newest first. */
export const findJobs = (queries: Pick<Queries, 'query'>, conditionSql: Template<unknown>, page = sql`limit 1`) =>
  queries.query(sql<Job>`
    select ${columns} from bulk_jobs where ${conditionSql} order by id desc ${page}`)

/**
 * Finds a bulk job that the caller may see: the caller's own, or any for the owner.
 *
 * @throws 404
 */
export async function findJob(queries: Pick<Queries, 'query'>, caller: Caller, id: number): Promise<Job> {
  const ownerCondition = caller.role === 'owner' ? sql`true` : sql`user_id = ${caller.id}`
  const [job] = await findJobs(queries, sql`id = ${id} and ${ownerCondition}`)
  if (!job) throw fault('record.not-found')
  return job
}

/**
 * Whether the changes of a bulk job can be undone. Deleted records are restored from the trash, if they have
 * one.
 */
export const canUndo = ({ state, dryRun, undoes, changed, recent, action, resource }: Job): boolean =>
  ['finished', 'stopped', 'failed'].includes(state) &&
  !dryRun &&
  undoes === null &&
  changed > 0 &&
  recent &&
  (action.kind !== 'remove' || hasTrash(resourceNamed(resource)))

/** Presents a bulk job on the wire. */
export function presentJob(job: Job): BulkJob {
  const { id, resource, action, mode, dryRun, state, code, undoes, count, changed, unchanged, refused, changedFields } =
    job
  return {
    id,
    resource: resourceNamed(resource).wire,
    action,
    mode,
    dryRun,
    state,
    ...(code !== null && { code }),
    ...(undoes !== null && { undoes }),
    count,
    done: changed + unchanged + refused,
    changed,
    unchanged,
    refused,
    changedFields,
    canUndo: canUndo(job),
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt: job.finishedAt,
  }
}

export interface NewJob {
  resource: Resource
  action: JobAction
  mode: JobMode
  dryRun: boolean
  undoes?: number
}

/** Author of a bulk job, for the audit lines of its rows. */
export interface JobAuthor {
  caller: Caller
  address?: string
  requestId?: string
}

/** Maximum number of bulk jobs of one account that wait or run. */
const maxOpenJobs = 5
/** Maximum number of bulk jobs that one account may create in a day. */
const maxDailyJobs = { staff: 1_000, other: 30 } as const

/**
 * Creates a bulk job without rows.
 *
 * @throws 429 while its author has too many open jobs, or has created too many in a day.
 */
export async function insertJob(
  trx: Transaction,
  { caller, address, requestId }: JobAuthor,
  job: NewJob,
): Promise<number> {
  const [counts] = await trx.query(sql<{ open: number; today: number; wait: number | null }>`
    select count(*) filter (where state in ('waiting', 'running'))::int as open,
           count(*) filter (where created_at > now() - interval '1 day')::int as today,
           ceil(extract(epoch from min(created_at) filter (where created_at > now() - interval '1 day')
                                   + interval '1 day' - now()))::int as wait
      from bulk_jobs
     where user_id = ${caller.id} and (created_at > now() - interval '1 day' or state in ('waiting', 'running'))`)
  if ((counts?.open ?? 0) >= maxOpenJobs) throw fault('bulk.busy', { retryAfter: 10 })
  const maxJobs = rankOfRole(caller.role) >= rankOfRole('admin') ? maxDailyJobs.staff : maxDailyJobs.other
  if ((counts?.today ?? 0) >= maxJobs)
    throw fault('request.too-many-writes', { retryAfter: Math.max(1, counts?.wait ?? 1) })
  const [insertedJob] = await trx.query(sql<{ id: number }>`
    insert into bulk_jobs (user_id, resource, action, mode, dry_run, state, undoes, address, request_id)
    values (${caller.id}, ${job.resource.name}, ${JSON.stringify(job.action)}::jsonb, ${job.mode}, ${job.dryRun}, 'waiting',
            ${job.undoes ?? null}, ${address ?? null}, ${requestId ?? null}) returning id`)
  return insertedJob?.id ?? 0
}

/** Sets the number of a bulk job's rows once it is known. */
export const setCount = (trx: Transaction, id: number, count: number) =>
  trx.query(sql`update bulk_jobs set count = ${count} where id = ${id}`)

/**
 * Marks a waiting bulk job as running; an interrupted one is running already.
 *
 * @returns `undefined` for a job that has ended.
 */
export async function markJobRunning(trx: Transaction, id: number): Promise<Job | undefined> {
  const [job] = await trx.query(sql<Job>`
    update bulk_jobs set state = 'running', started_at = coalesce(started_at, now())
     where id = ${id} and state in ('waiting', 'running') returning ${columns}`)
  return job
}

/**
 * Ends a running bulk job. The job that it undoes becomes `undone` if this one finished and undid any row,
 * otherwise `finished`.
 */
export async function endJob(
  trx: Transaction,
  { id, undoes }: Job,
  state: 'finished' | 'refused' | 'stopped' | 'failed',
  code: ErrorCode | null = null,
): Promise<boolean> {
  const [endedJob] = await trx.query(sql`
    update bulk_jobs set state = ${state}, code = ${code}, finished_at = now()
     where id = ${id} and state in ('waiting', 'running') returning id`)
  if (endedJob && undoes !== null) {
    await trx.query(sql`
      update bulk_jobs set state = case when ${state === 'finished'}
               and exists (select 1 from bulk_rows where job_id = ${undoes} and is_undone) then 'undone' else 'finished' end
       where id = ${undoes} and state = 'undoing'`)
  }
  return endedJob !== undefined
}

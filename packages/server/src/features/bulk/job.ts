/** A job on many records: how it is stored, found and shown. */
import {
  type BulkJob,
  type Caller,
  type ErrorCode,
  fault,
  rankOf,
  type Resource,
  type StoredBulkAction,
} from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { hasTrash } from '../../resources/write/restore.ts'

export type Action = StoredBulkAction
export type Mode = BulkJob['mode']
type State = BulkJob['state']

export interface Job {
  id: number
  userId: number
  resource: string
  action: Action
  mode: Mode
  dryRun: boolean
  state: State
  code: string | null
  undoes: number | null
  count: number
  changed: number
  unchanged: number
  refused: number
  address: string | null
  requestId: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** It is recent enough to be taken back; the trash is kept as long. */
  recent: boolean
}

const columns = sql`id, user_id as "userId", resource, action, mode, dry_run as "dryRun", state, code, undoes, count,
  changed, unchanged, refused, address, request_id as "requestId", created_at as "createdAt",
  started_at as "startedAt", finished_at as "finishedAt", created_at > now() - interval '30 days' as recent`

/** Jobs that a condition names, newest first. */
export const findJobs = (queries: Pick<Queries, 'query'>, where: Template<unknown>, page = sql`limit 1`) =>
  queries.query(sql<Job>`
    select ${columns} from bulk_jobs where ${where} order by id desc ${page}`)

/** A job that its reader may see: his own, and any for the owner. Throws 404. */
export async function jobFor(queries: Pick<Queries, 'query'>, caller: Caller, id: number): Promise<Job> {
  const own = caller.role === 'owner' ? sql`true` : sql`user_id = ${caller.id}`
  const [job] = await findJobs(queries, sql`id = ${id} and ${own}`)
  if (!job) throw fault('record.not-found')
  return job
}

/** Whether what a job changed can be taken back. Deleted records come back from the trash, where there is one. */
export const canUndo = ({ state, dryRun, undoes, changed, recent, action, resource }: Job): boolean =>
  ['finished', 'stopped', 'failed'].includes(state) &&
  !dryRun &&
  undoes === null &&
  changed > 0 &&
  recent &&
  (action.kind !== 'remove' || hasTrash(resourceNamed(resource)))

/** A job on the wire. */
export function presentJob(job: Job): BulkJob {
  const { id, resource, action, mode, dryRun, state, code, undoes, count, changed, unchanged, refused } = job
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
    canUndo: canUndo(job),
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt: job.finishedAt,
  }
}

export interface NewJob {
  resource: Resource
  action: Action
  mode: Mode
  dryRun: boolean
  undoes?: number
}

/** Who asks, for the audit lines of the rows. */
export interface Asker {
  caller: Caller
  address?: string
  requestId?: string
}

/** How many jobs of one account may wait or run at once. */
const maxOpen = 5
/** How many jobs one account may make in a day. */
const maxDaily = { staff: 1_000, other: 30 } as const

/** Makes a job without rows. Throws 429 while its maker has too many that have not ended, or has made too many in a day. */
export async function insertJob(trx: Transaction, { caller, address, requestId }: Asker, job: NewJob): Promise<number> {
  const [made] = await trx.query(sql<{ open: number; today: number; wait: number | null }>`
    select count(*) filter (where state in ('waiting', 'running'))::int as open,
           count(*) filter (where created_at > now() - interval '1 day')::int as today,
           ceil(extract(epoch from min(created_at) filter (where created_at > now() - interval '1 day')
                                   + interval '1 day' - now()))::int as wait
      from bulk_jobs
     where user_id = ${caller.id} and (created_at > now() - interval '1 day' or state in ('waiting', 'running'))`)
  if ((made?.open ?? 0) >= maxOpen) throw fault('bulk.busy', { retryAfter: 10 })
  const most = rankOf(caller.role) >= rankOf('admin') ? maxDaily.staff : maxDaily.other
  if ((made?.today ?? 0) >= most) throw fault('request.too-many-writes', { retryAfter: Math.max(1, made?.wait ?? 1) })
  const [inserted] = await trx.query(sql<{ id: number }>`
    insert into bulk_jobs (user_id, resource, action, mode, dry_run, state, undoes, address, request_id)
    values (${caller.id}, ${job.resource.name}, ${JSON.stringify(job.action)}::jsonb, ${job.mode}, ${job.dryRun}, 'waiting',
            ${job.undoes ?? null}, ${address ?? null}, ${requestId ?? null}) returning id`)
  return inserted?.id ?? 0
}

/** Sets how many rows a job has, when they are known. */
export const setCount = (trx: Transaction, id: number, count: number) =>
  trx.query(sql`update bulk_jobs set count = ${count} where id = ${id}`)

/** Takes a waiting job into work; one that was broken off is in work already. Out: undefined for one that has ended. */
export async function takeJob(trx: Transaction, id: number): Promise<Job | undefined> {
  const [job] = await trx.query(sql<Job>`
    update bulk_jobs set state = 'running', started_at = coalesce(started_at, now())
     where id = ${id} and state in ('waiting', 'running') returning ${columns}`)
  return job
}

/** Ends a job in work. What it takes back is taken back when it came to its end with any row, and stands as before otherwise. */
export async function endJob(
  trx: Transaction,
  { id, undoes }: Job,
  state: 'finished' | 'refused' | 'stopped' | 'failed',
  code: ErrorCode | null = null,
): Promise<boolean> {
  const [ended] = await trx.query(sql`
    update bulk_jobs set state = ${state}, code = ${code}, finished_at = now()
     where id = ${id} and state in ('waiting', 'running') returning id`)
  if (ended && undoes !== null) {
    await trx.query(sql`
      update bulk_jobs set state = case when ${state === 'finished'}
               and exists (select 1 from bulk_rows where job_id = ${undoes} and is_undone) then 'undone' else 'finished' end
       where id = ${undoes} and state = 'undoing'`)
  }
  return ended !== undefined
}

/** Calls of bulk jobs: a job, its rows, its undo. */
import type { BulkJob, BulkOrder, BulkRow, Entry, Resource } from '@dala/model'
import type { QueryClient } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'

export type { BulkAction, BulkJob, BulkRow, BulkSelection } from '@dala/model'

/** Dry run of a bulk action, as its preview. */
export interface DryRun {
  /** Result of the dry run of a bulk action, once it is known. */
  job: BulkJob | undefined
  /** Dry run of a bulk action that is in progress. */
  step: BulkJob | undefined
  error: Error | null
}

export const isUnderWay = ({ state }: BulkJob): boolean =>
  state === 'waiting' || state === 'running' || state === 'undoing'

/** Starts a bulk job. `key` lets the server answer a repeated call with its first answer. */
export async function startBulk(bulkOrder: BulkOrder, key: string = crypto.randomUUID()): Promise<BulkJob> {
  const headers = { 'Idempotency-Key': key }
  return (await callRoute('POST /api/bulk', { body: { data: bulkOrder }, headers })).data
}

/** Loads the user's own unfinished jobs, whichever list started them. */
export async function runningJobs(): Promise<BulkJob[]> {
  const query = { pagination: { pageSize: 20, withCount: false } }
  const { data } = await callRoute('GET /api/bulk', { query })
  return data.filter((job) => isUnderWay(job) && !job.dryRun)
}

async function readJob(id: number): Promise<BulkJob> {
  return (await callRoute('GET /api/bulk/:id', { params: { id } })).data
}

export async function stopJob(id: number): Promise<BulkJob> {
  return (await callRoute('POST /api/bulk/:id/stop', { params: { id } })).data
}

export async function rowsOf(
  id: number,
  outcome: BulkRow['outcome'],
  pageSize: number,
): Promise<{ rows: BulkRow[]; total: number }> {
  const query = { outcome, pagination: { page: 1, pageSize } }
  const { data, meta } = await callRoute('GET /api/bulk/:id/rows', { params: { id }, query })
  return { rows: data, total: meta.pagination.total ?? data.length }
}

const secondMs = 1000
const waitBeforePoll = () => new Promise((resolve) => setTimeout(resolve, secondMs))

/** Polls a bulk job once a second until it ends; `onStep` receives its progress. */
export async function waitForJob(job: BulkJob, onStep?: (job: BulkJob) => void): Promise<BulkJob> {
  let now = job
  onStep?.(now)
  while (isUnderWay(now)) {
    await waitBeforePoll()
    now = await readJob(now.id)
    onStep?.(now)
  }
  return now
}

/**
 * Undoes a bulk job, waits until the undo has ended, and refreshes the lists.
 *
 * @throws ApiError as any call.
 */
export async function undoJob(cache: QueryClient, id: number): Promise<BulkJob> {
  try {
    return await waitForJob((await callRoute('POST /api/bulk/:id/undo', { params: { id } })).data)
  } finally {
    await refreshRecords(cache)
  }
}

/** Fetches all queries again that may show a record changed by a bulk job. */
export const refreshRecords = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ queryKey: ['resource'] })

/** Changes records in the visible lists before the server has answered the bulk action. */
export function patchRows(cache: QueryClient, resource: Resource, patch: (entries: Entry[]) => Entry[]): void {
  cache.setQueriesData<{ entries: Entry[] }>({ queryKey: ['resource', resource.name, 'list'] }, (page) =>
    page ? { ...page, entries: patch(page.entries) } : page,
  )
}

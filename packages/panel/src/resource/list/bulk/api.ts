/** The calls of work on many records at once: a job, its rows, its way back. */
import type { BulkJob, BulkOrder, BulkRow, Entry, Resource } from '@dala/model'
import type { QueryClient } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'

export type { BulkAction, BulkJob, BulkRow, BulkSelection } from '@dala/model'

/** What an action would do. */
export interface Trial {
  /** How it would end, once that is known. */
  job: BulkJob | undefined
  /** The trial on its way. */
  step: BulkJob | undefined
  error: Error | null
}

export const isUnderWay = ({ state }: BulkJob): boolean =>
  state === 'waiting' || state === 'running' || state === 'undoing'

/** `key` lets the server answer a repeated call with its first answer. */
export async function startBulk(order: BulkOrder, key: string = crypto.randomUUID()): Promise<BulkJob> {
  const headers = { 'Idempotency-Key': key }
  return (await callRoute('POST /api/bulk', { body: { data: order }, headers })).data
}

/** One's own jobs that have not come to their end, from wherever they were started. */
export async function jobsUnderWay(): Promise<BulkJob[]> {
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

const second = 1000
const pause = () => new Promise((resolve) => setTimeout(resolve, second))

/** Waits for the end of a job, asking each second; `onStep` sees it on its way. */
export async function whenDone(job: BulkJob, onStep?: (job: BulkJob) => void): Promise<BulkJob> {
  let now = job
  onStep?.(now)
  while (isUnderWay(now)) {
    await pause()
    now = await readJob(now.id)
    onStep?.(now)
  }
  return now
}

/** Takes a job back, waits for the end of that, and renews what is on show. Throws as any call. */
export async function undoJob(cache: QueryClient, id: number): Promise<BulkJob> {
  try {
    return await whenDone((await callRoute('POST /api/bulk/:id/undo', { params: { id } })).data)
  } finally {
    await refresh(cache)
  }
}

/** Everything that may show a changed record is asked for anew. */
export const refresh = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ queryKey: ['resource'] })

/** Changes records in the lists that are on show, before the server has answered. */
export function patchRows(cache: QueryClient, resource: Resource, patch: (entries: Entry[]) => Entry[]): void {
  cache.setQueriesData<{ entries: Entry[] }>({ queryKey: ['resource', resource.name, 'list'] }, (page) =>
    page ? { ...page, entries: patch(page.entries) } : page,
  )
}
